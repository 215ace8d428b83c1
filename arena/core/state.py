"""Where a match is: the reduction of its events. Knows no rule of any game."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from arena.core.events import (
    ActionAccepted,
    ActionRejected,
    Event,
    MatchEnded,
    MatchStarted,
    PhaseStarted,
    RequestMode,
    RequestsOpened,
    SeatEliminated,
    TurnSkipped,
)
from arena.core.requests import DecisionRequest
from arena.core.seats import SeatId
from scripts_mm.script import Script


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchState:
    """A whole match at one moment. It is never changed, only replaced."""

    script: Script
    history: tuple[Event, ...] = ()
    match_started: MatchStarted | None = None
    phase: PhaseStarted | None = None
    open: tuple[DecisionRequest, ...] = ()
    """Requests without an accepted answer, in the order in which they are put."""
    mode: RequestMode = "turns"
    opened_at: int = 0
    """How many events came before the open requests: what simultaneous seats may know."""
    eliminated: tuple[SeatId, ...] = ()
    ended: MatchEnded | None = None

    @property
    def started(self) -> MatchStarted:
        """The first event; a state without it is no match."""
        assert self.match_started is not None, "the match has not started"
        return self.match_started

    @property
    def living(self) -> tuple[SeatId, ...]:
        """Seats that are not eliminated, in the order of the script."""
        return tuple(seat for seat in self.started.seats if seat not in self.eliminated)


def pending(state: MatchState) -> tuple[DecisionRequest, ...]:
    """Return the requests that wait for an answer now; none may see another's answer."""
    if state.ended is not None:
        return ()
    return state.open[:1] if state.mode == "turns" else state.open


def reduce(  # noqa: PLR0911 - one case an event
    state: MatchState, event: Event
) -> MatchState:
    """Return the state after `event`."""
    history = (*state.history, event)
    match event:
        case MatchStarted():
            return replace(state, history=history, match_started=event)
        case PhaseStarted():
            return replace(state, history=history, phase=event)
        case RequestsOpened():
            return replace(
                state,
                history=history,
                open=(*event.requests, *state.open),
                mode=event.mode,
                opened_at=len(history),
            )
        case ActionAccepted(request=request) | TurnSkipped(request=request):
            left = tuple(one for one in state.open if one.id != request)
            return replace(state, history=history, open=left)
        case ActionRejected():
            asked = tuple(_after(one, event) for one in state.open)
            return replace(state, history=history, open=asked)
        case SeatEliminated(seat=seat):
            return replace(
                state,
                history=history,
                eliminated=(*state.eliminated, seat),
                open=tuple(one for one in state.open if one.seat != seat),
            )
        case MatchEnded():
            return replace(state, history=history, ended=event, open=())
        case _:
            return replace(state, history=history)


def replay(script: Script, events: Iterable[Event]) -> MatchState:
    """Return the state that `events` lead to."""
    state = MatchState(script=script)
    for event in events:
        state = reduce(state, event)
    return state


def _after(request: DecisionRequest, event: ActionRejected) -> DecisionRequest:
    return request.after(event.error) if request.id == event.request else request
