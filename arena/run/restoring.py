"""Players of a resumed match: those with a memory get it back from the record."""

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
    """Let each player remember its seat's recorded decisions, whoever made them.

    `calls` are those that the players' models answer from; none of them is made meanwhile.
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
