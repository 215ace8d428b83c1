"""Moments of a match: day, turn, ballot and victim, derived from its history."""

from collections.abc import Iterator

from arena.core.events import Announced, Event, PhaseStarted, RequestsOpened, VotesTallied
from arena.core.seats import SeatId
from arena.core.state import MatchState
from arena.games.werewolf5.options import WerewolfOptions

GREETING, NIGHT, DAY, VOTING = "greeting", "night", "day", "voting"
"""The phases. A night has the number of the day that follows it."""
OVER, SKIPPED = "over", "skip"
"""Topics of public announcements in a talk."""
ATTACK, VISION = "attack", "vision"
"""Topics of private announcements about the use of a power."""


def options_of(state: MatchState) -> WerewolfOptions:
    """Return the options of a match of this game."""
    options = state.started.options
    assert isinstance(options, WerewolfOptions), f"{type(options).__name__} of another game"
    return options


def day_of(state: MatchState) -> int:
    """Return the number of the day: the number of nights that started so far."""
    return sum(isinstance(one, PhaseStarted) and one.phase == NIGHT for one in state.history)


def turn_of(state: MatchState) -> int:
    """Return the number of the last turn of today's talk."""
    return sum(isinstance(event, RequestsOpened) for event in _since_phase(state))


def talkers(state: MatchState) -> tuple[SeatId, ...]:
    """Return the living seats that have not chosen `over` today."""
    over = {target_of(event) for event in _find_announcements(state, OVER)}
    return tuple(seat for seat in state.living if seat not in over)


def victim_of(state: MatchState) -> SeatId | None:
    """Return the seat that the werewolf attacked in the current night; None: no attack."""
    return next((target_of(event) for event in _find_announcements(state, ATTACK)), None)


def ballot_of(state: MatchState) -> int:
    """Return the number of the next ballot; numbers continue through all days."""
    return 1 + sum(isinstance(event, VotesTallied) for event in state.history)


def target_of(event: Announced) -> SeatId:
    """Return the seat that an announcement is about."""
    return SeatId(dict(event.values)["seat"])


def _find_announcements(state: MatchState, topic: str) -> Iterator[Announced]:
    """Yield the announcements with `topic` in the current phase."""
    for event in _since_phase(state):
        if isinstance(event, Announced) and event.topic == topic:
            yield event


def _since_phase(state: MatchState) -> tuple[Event, ...]:
    starts = [at for at, one in enumerate(state.history) if isinstance(one, PhaseStarted)]
    return state.history[starts[-1] :] if starts else ()
