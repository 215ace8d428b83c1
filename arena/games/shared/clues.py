"""Clues that the game master shows or deals."""

from collections.abc import Sequence

from arena.core.chance import generator
from arena.core.events import ClueRevealed
from arena.core.seats import Audience, SeatId
from arena.core.state import MatchState
from scripts_mm.script import Clue


def show_clue(clue: Clue, audience: Audience = "all", *, dealt: bool = False) -> ClueRevealed:
    """Return the event that shows a clue to `audience`."""
    return ClueRevealed(
        clue=clue.id,
        pictures=tuple(picture.sha256 for picture in clue.pictures),
        cause="dealt" if dealt else "shown",
        audience=audience,
    )


def deal_to_owners(clues: Sequence[Clue]) -> tuple[ClueRevealed, ...]:
    """Return the events that deal those of `clues` with an owner, each only to its owner."""
    return tuple(
        show_clue(clue, (SeatId(clue.owner),), dealt=True)
        for clue in clues
        if clue.owner is not None
    )


def deal_round_robin(
    state: MatchState, clues: Sequence[Clue], *names: object
) -> tuple[ClueRevealed, ...]:
    """Return the events that deal shuffled `clues` to the seats in turn; `names` name the draw."""
    started = state.started
    deck = generator(started.seed, *names).sample(clues, k=len(clues))
    return tuple(
        show_clue(clue, (started.seats[number % len(started.seats)],), dealt=True)
        for number, clue in enumerate(deck)
    )
