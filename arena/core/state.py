"""State of a match: the reduction of its events. Contains no rule of any game."""

from collections.abc import Iterable
from dataclasses import dataclass

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

_Requests = tuple[DecisionRequest, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchState:
    """A whole match at one moment; immutable."""

    script: Script
    history: tuple[Event, ...] = ()
    match_started: MatchStarted | None = None
    phase: PhaseStarted | None = None
    open: tuple[DecisionRequest, ...] = ()
    """Requests without an accepted answer, in the order in which seats get them."""
    mode: RequestMode = "turns"
    opened_at: int = 0
    """How many events precede the answers to the open requests: all that simultaneous seats see."""
    eliminated: tuple[SeatId, ...] = ()
    ended: MatchEnded | None = None

    @property
    def started(self) -> MatchStarted:
        """The first event; the match must have started."""
        assert self.match_started is not None, "the match has not started"
        return self.match_started

    @property
    def knowing_murderers(self) -> tuple[SeatId, ...]:
        """The murderer's faction without the seats that believe themselves innocent.

        A rule that treats murderers apart while the match runs asks for these, not for all: else
        an unaware culprit would learn from its own treatment what it is.
        """
        unaware = self.script.truth.unaware
        return tuple(seat for seat in self.started.murderers if seat not in unaware)

    @property
    def living(self) -> tuple[SeatId, ...]:
        """Seats that are not eliminated, in the order of the script."""
        return tuple(seat for seat in self.started.seats if seat not in self.eliminated)


def pending(state: MatchState) -> tuple[DecisionRequest, ...]:
    """Return the requests that can be answered now, independently of one another."""
    if state.ended is not None:
        return ()
    return state.open[:1] if state.mode == "turns" else state.open


def reduce(state: MatchState, event: Event) -> MatchState:
    """Return the state after `event`."""
    history = state.history + (event,)  # noqa: RUF005 - unpacking copies the history twice
    match_started, phase, ended = state.match_started, state.phase, state.ended
    requests, mode, opened_at = state.open, state.mode, state.opened_at
    eliminated = state.eliminated
    match event:
        case MatchStarted():
            match_started = event
        case PhaseStarted():
            phase = event
        case RequestsOpened():
            requests = (*event.requests, *requests)
            mode, opened_at = event.mode, len(history)
        case ActionAccepted(request=request) | TurnSkipped(request=request):
            before, _, after = _split(requests, request)
            requests = before + after
        case ActionRejected(request=request, error=error):
            before, refused, after = _split(requests, request)
            requests = before + tuple(one.with_error(error) for one in refused) + after
        case SeatEliminated(seat=seat):
            eliminated = (*eliminated, seat)
            requests = tuple(one for one in requests if one.seat != seat)
        case MatchEnded():
            ended, requests = event, ()
        case _:
            pass
    # Not by `replace`, which takes half as long again: each event is reduced.
    return MatchState(
        script=state.script, history=history, match_started=match_started, phase=phase,
        open=requests, mode=mode, opened_at=opened_at, eliminated=eliminated, ended=ended,
    )  # fmt: skip


def replay(script: Script, events: Iterable[Event]) -> MatchState:
    """Return the state after `events`."""
    state = MatchState(script=script)
    for event in events:
        state = reduce(state, event)
    return state


def _split(requests: _Requests, name: str) -> tuple[_Requests, _Requests, _Requests]:
    """Return the requests before the one with id `name`, that one, and those after it."""
    # Answers are applied in the order of the requests, so the first one matches, even among
    # thousands of silent ones.
    place = next((place for place, one in enumerate(requests) if one.id == name), len(requests))
    return requests[:place], requests[place : place + 1], requests[place + 1 :]
