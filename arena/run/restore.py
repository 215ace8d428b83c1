"""Memory of the players of a resumed match, rebuilt from the record."""

from collections.abc import Mapping

from arena.core.events import ActionAccepted
from arena.core.observation import observe
from arena.core.seats import SeatId
from arena.models.recording import RecordedCalls
from arena.players.player import Player, Restorable
from arena.records.replay import Replayed


async def restore_players(
    replayed: Replayed, players: Mapping[SeatId, Player], calls: RecordedCalls
) -> None:
    """Let each player remember the recorded decisions of its seat, by any player.

    `calls` is the record from which the players' models answer. A call that it does not hold raises
    `NotRecordedError` here, instead of going to the server.
    """
    with calls.restoring():
        for decision in replayed.decisions:
            seat = decision.request.seat
            player = players[seat]
            if isinstance(player, Restorable):
                result = decision.result
                accepted = result.action if isinstance(result, ActionAccepted) else None
                observation = observe(decision.state, seat)
                await player.restore(observation, decision.request, accepted=accepted)
