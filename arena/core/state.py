"""Where a match stands: the fold of its events."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import assert_never

from arena.core.actions import SeatId, Verb
from arena.core.events import (
    Asked,
    Began,
    Closed,
    Concluded,
    Counted,
    Event,
    Noted,
    Opened,
    Passed,
    Rejected,
    Revealed,
    Spoke,
    Voted,
)
from arena.core.protocols.whodunit import Stage, plan
from scripts_mm.script import Script


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """A seat that has still to be asked for something in this stage."""

    seat: SeatId
    verb: Verb


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchState:
    """A whole match at one moment. It is never changed, only replaced."""

    script: Script
    history: tuple[Event, ...] = ()
    opened: Opened | None = None
    stage: int = -1
    """Index in the plan; -1 before the first stage."""
    began: Began | None = None
    waiting: tuple[Slot, ...] = ()
    owed: tuple[Asked, ...] = ()
    """Questions without an answer, in the order in which they were put."""
    rejected: tuple[Rejected, ...] = ()
    """Answers that were refused, of asks that are still open."""
    closed: Closed | None = None

    @property
    def opening(self) -> Opened:
        """The first event; a state without it is no match."""
        assert self.opened is not None, "the match has not been opened"
        return self.opened

    @property
    def plan(self) -> tuple[Stage, ...]:
        """The stages of this match."""
        return plan(self.opening.options)


def fold(  # noqa: C901, PLR0911, PLR0912 - one case an event
    state: MatchState, event: Event
) -> MatchState:
    """Return the state after `event`."""
    state = replace(state, history=(*state.history, event))
    match event:
        case Opened():
            return replace(state, opened=event)
        case Began():
            return _begin(state, event)
        case Rejected():
            return replace(state, rejected=(*state.rejected, event))
        case Spoke(seat=seat, verb="answer", ask=ask) | Passed(seat=seat, verb="answer", ask=ask):
            return _answered(state, ask)
        case Spoke(seat=seat, verb=verb) if verb != "share_and_ask":
            return _served(state, seat, verb)
        case Asked(seat=seat):
            state = replace(state, owed=(*state.owed, event))
            return _served(state, seat, _asking(state, seat))
        case Concluded(seat=seat):
            return _served(state, seat, "conclude")
        case Voted(seat=seat):
            return _served(state, seat, "vote")
        case Passed(seat=seat, verb=verb):
            return _served(state, seat, verb)
        case Closed():
            return replace(state, closed=event, waiting=(), owed=())
        case Spoke() | Revealed() | Noted() | Counted():
            return state
        case _:
            assert_never(event)


def replay(script: Script, events: Iterable[Event]) -> MatchState:
    """Return the state that `events` lead to."""
    state = MatchState(script=script)
    for event in events:
        state = fold(state, event)
    return state


def _begin(state: MatchState, event: Began) -> MatchState:
    slots = (
        ()
        if event.verbs == ("answer",)
        else tuple(Slot(seat=seat, verb=verb) for seat in event.order for verb in event.verbs)
    )
    stage = state.stage if event.candidates else state.stage + 1
    return replace(state, stage=stage, began=event, waiting=slots, rejected=())


def _asking(state: MatchState, seat: SeatId) -> Verb:
    return next(
        slot.verb
        for slot in state.waiting
        if slot.seat == seat and slot.verb in {"ask", "share_and_ask"}
    )


def _served(state: MatchState, seat: SeatId, verb: Verb) -> MatchState:
    done = Slot(seat=seat, verb=verb)
    return replace(state, waiting=tuple(slot for slot in state.waiting if slot != done))


def _answered(state: MatchState, ask: str) -> MatchState:
    return replace(state, owed=tuple(asked for asked in state.owed if answer_id(asked) != ask))


def answer_id(asked: Asked) -> str:
    """Return the id of the ask that `asked` opens."""
    return f"{asked.ask}/answer"
