"""Memory of the players of a resumed match, rebuilt from the record."""

from collections.abc import Mapping

from arena.core.events import ActionAccepted
from arena.core.observation import observe_request
from arena.core.seats import SeatId
from arena.models.recording import RecordedCalls
from arena.players.player import Player, Restorable
from arena.records.match_replay import Replayed
from arena.run.match.decisions import decision_chance


async def restore_players(
    replayed: Replayed, players: Mapping[SeatId, Player], calls: RecordedCalls
) -> None:
    """Replay the recorded decisions of each seat into its player, whoever made them.

    `calls` is the record from which the players' models answer. A call that is missing in it raises
    `NotRecordedError` here instead of reaching the server.
    """
    with calls.restoring():
        for decision in replayed.decisions:
            seat = decision.request.seat
            player = players[seat]
            if isinstance(player, Restorable):
                result = decision.result
                accepted = result.action if isinstance(result, ActionAccepted) else None
                observation = observe_request(decision.state, decision.request)
                chance = decision_chance(decision.state, decision.request)
                await player.restore(observation, decision.request, chance, accepted=accepted)
