"""Clues that a game master shows or deals."""

from collections.abc import Sequence

from arena.core.chance import generator
from arena.core.events import ClueRevealed
from arena.core.seats import Audience, SeatId
from arena.core.state import MatchState
from scripts_mm.script import Clue


def show_clue(clue: Clue, audience: Audience = "all", *, dealt: bool = False) -> ClueRevealed:
    """Return that `audience` sees a clue."""
    return ClueRevealed(
        clue=clue.id,
        pictures=tuple(picture.sha256 for picture in clue.pictures),
        cause="dealt" if dealt else "shown",
        audience=audience,
    )


def deal_to_owners(clues: Sequence[Clue]) -> tuple[ClueRevealed, ...]:
    """Return each of `clues` that has an owner, as it is dealt to its owner alone."""
    return tuple(
        show_clue(clue, (SeatId(clue.owner),), dealt=True)
        for clue in clues
        if clue.owner is not None
    )


def deal_round_robin(
    state: MatchState, clues: Sequence[Clue], *names: object
) -> tuple[ClueRevealed, ...]:
    """Return `clues` in a drawn order, dealt to one seat after the other; `names` name the draw."""
    started = state.started
    deck = generator(started.seed, *names).sample(clues, k=len(clues))
    return tuple(
        show_clue(clue, (started.seats[number % len(started.seats)],), dealt=True)
        for number, clue in enumerate(deck)
    )
