"""Clues: who holds them from the start, and who sees them later."""

from arena.core.chance import generator
from arena.core.events import ClueRevealed, Event
from arena.core.seats import Audience, SeatId
from arena.core.state import MatchState
from arena.games.whodunit.requests import options_of
from scripts_mm.script import Clue


def deal_clues(state: MatchState) -> tuple[Event, ...]:
    """Return the clues that seats hold from the start."""
    started = state.started
    common = tuple(clue for clue in state.script.clues if clue.owner is None)
    owned = [
        _reveal(clue, (SeatId(clue.owner),), dealt=True)
        for clue in state.script.clues
        if clue.owner
    ]
    match options_of(state).clues:
        case "at_deal":
            return (*owned, *(_reveal(clue, "all", dealt=True) for clue in common))
        case "owner":
            deck = generator(started.seed, "deal").sample(common, k=len(common))
            seats = started.seats
            dealt = (
                _reveal(clue, (seats[number % len(seats)],), dealt=True)
                for number, clue in enumerate(deck)
            )
            return (*owned, *dealt)
        case _:
            return tuple(owned)


def show_clues(state: MatchState) -> tuple[Event, ...]:
    """Return the common clues, as they are shown after the introductions."""
    hidden = options_of(state).clues == "civilians"
    audience: Audience = state.started.members("civilians") if hidden else "all"
    return tuple(
        _reveal(clue, audience, dealt=False) for clue in state.script.clues if clue.owner is None
    )


def _reveal(clue: Clue, audience: Audience, *, dealt: bool) -> ClueRevealed:
    return ClueRevealed(
        clue=clue.id,
        pictures=tuple(picture.sha256 for picture in clue.pictures),
        cause="dealt" if dealt else "shown",
        audience=audience,
    )
