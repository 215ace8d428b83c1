"""Loop of one match: query the players, apply the rules, emit the events."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from arena.core.events import Event, PlayerEvent
from arena.core.game import Game
from arena.core.outcome import abort
from arena.core.requests import DecisionRequest
from arena.core.seats import SeatId
from arena.core.state import MatchState, pending, reduce
from arena.core.transitions import apply_result, apply_timeout, apply_unanswerable
from arena.errors import ArenaError, ModelError, PersonLeftError
from arena.run.match.decisions import OFF_PATH_AT_ONCE, Decision, SeatBinding, TurnControl, decide

StateChange = tuple[Event, MatchState]
"""An event and the state after it."""
EventSink = Callable[[Sequence[StateChange]], None]
"""Receives the events of one answer before anything else happens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchLoop:
    """Loop of one match, with its rules, seats, turn control and event sink."""

    game: Game
    seats: Mapping[SeatId, SeatBinding]
    control: TurnControl
    sink: EventSink
    recorded: list[PlayerEvent] = field(default_factory=list[PlayerEvent])
    """Recorded player reports whose answer was lost in a crash. The seat is queried again and
    repeats them; they are not recorded twice.
    """

    async def run(self, state: MatchState) -> MatchState:
        """Play the match from `state` to its end, and return the last state.

        A slow seat is skipped, and so is a silent request that cannot be answered; a server that
        does not recover ends the match as an error. Raises the sink's errors, a `RecordError` of a
        player whose calls cannot be saved, and the `PersonLeftError` of a person.
        """
        while requests := pending(state):
            if state.mode == "off_path":
                requests = requests[:OFF_PATH_AT_ONCE]
            decisions = await self._decide_all(requests, state)
            # Applied in seat order, each with all its attempts, independent of arrival time: so
            # timing never changes the events, and a resumed match produces the same ones.
            for request, decision in zip(requests, decisions, strict=True):
                state = self._apply(state, request, decision)
                if decision.error is not None:
                    # Later answers are not applied: they would precede this one in the history.
                    # Their calls are recorded, so a resumed match does not repeat them.
                    return self._end(state, decision.error)
        return state

    async def _decide_all(
        self, requests: Sequence[DecisionRequest], state: MatchState
    ) -> list[Decision]:
        control = self.control.relax() if state.mode == "off_path" else self.control
        tasks: list[asyncio.Task[Decision]] = []

        async def decide_one(request: DecisionRequest) -> Decision:
            decision = await decide(self.seats[request.seat], request, state, control)
            if isinstance(decision.error, PersonLeftError):
                # A person who leaves does not wait for the others, whose requests are repeated
                # later.
                for task in tasks:
                    if task.get_name() != request.id:
                        task.cancel()
            return decision

        async with asyncio.TaskGroup() as group:
            tasks += [group.create_task(decide_one(one), name=one.id) for one in requests]
        return [_result(task) for task in tasks]

    def _apply(self, state: MatchState, request: DecisionRequest, decision: Decision) -> MatchState:
        for attempt in decision.attempts:
            state = self.emit(state, self._drop_recorded(attempt.reports))
            if (current := _current(state, request)) is None:
                return state
            state = self.emit(state, apply_result(self.game, state, current, attempt.result))
        if (current := _current(state, request)) is None:
            return state
        if decision.timed_out:
            return self.emit(state, apply_timeout(self.game, state, current))
        if decision.unanswerable:
            return self.emit(state, apply_unanswerable(self.game, state, current))
        return state

    def _end(self, state: MatchState, error: ArenaError) -> MatchState:
        """End the match if a model could not be queried; raise any other error."""
        if not isinstance(error, ModelError):
            raise error
        return self.emit(state, (abort(cause=str(error)),))

    def _drop_recorded(self, reports: Sequence[PlayerEvent]) -> list[PlayerEvent]:
        new: list[PlayerEvent] = []
        for report in reports:
            if report in self.recorded:
                self.recorded.remove(report)
            else:
                new.append(report)
        return new

    def emit(self, state: MatchState, events: Sequence[Event]) -> MatchState:
        """Return the state after `events`, and pass them to the sink together."""
        steps: list[StateChange] = []
        for event in events:
            if state.ended is not None:
                break
            state = reduce(state, event)
            steps.append((event, state))
        if steps:
            self.sink(steps)
        return state


def _result(task: asyncio.Task[Decision]) -> Decision:
    """Return a decision; one that was cancelled because a person left ends the match too."""
    if task.cancelled():
        return Decision(attempts=(), error=PersonLeftError("a person has left the match"))
    return task.result()


def _current(state: MatchState, request: DecisionRequest) -> DecisionRequest | None:
    """Return the request with its current attempts; None: another answer has closed it."""
    return next((one for one in pending(state) if one.id == request.id), None)
