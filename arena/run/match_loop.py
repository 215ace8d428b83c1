"""Run one match: ask the players, let the rules follow, hand on what happens."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from arena.core.events import Event, PromptAdjusted
from arena.core.game import Game
from arena.core.outcome import abort
from arena.core.play import apply_result, apply_timeout
from arena.core.requests import DecisionRequest
from arena.core.seats import SeatId
from arena.core.state import MatchState, pending, reduce
from arena.errors import ModelError
from arena.run.decisions import Decision, SeatBinding, TurnControl, decide

Step = tuple[Event, MatchState]
"""An event and the state after it."""
EventSink = Callable[[Sequence[Step]], None]
"""Takes the events that follow from one answer, before anything follows from them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchLoop:
    """What a match needs to go on: its rules, its seats, its pace, and who takes its events."""

    game: Game
    seats: Mapping[SeatId, SeatBinding]
    control: TurnControl
    sink: EventSink
    recorded: list[PromptAdjusted] = field(default_factory=list[PromptAdjusted])
    """Adjustments that the record holds already, of an answer that a crash lost: asked again, the
    seat makes them again."""

    async def run(self, state: MatchState) -> MatchState:
        """Return the match after its end, from wherever it is.

        A seat that is too slow is skipped; a server that stays away ends the match as an error.
        Raises what the sink raises, and a `RecordError` of a player whose calls cannot be kept.
        """
        while requests := pending(state):
            await self.control.wait_runnable()
            decisions = await self._decide_all(requests, state)
            # Applied in seat order with all their attempts, whenever they came: neither timing nor
            # corrections change the match.
            for request, decision in zip(requests, decisions, strict=True):
                state = self._apply(state, request, decision)
        return state

    async def _decide_all(
        self, requests: Sequence[DecisionRequest], state: MatchState
    ) -> list[Decision]:
        async with asyncio.TaskGroup() as group:
            tasks = [
                group.create_task(
                    decide(self.seats[request.seat], request, state, self.control), name=request.id
                )
                for request in requests
            ]
        return [task.result() for task in tasks]

    def _apply(self, state: MatchState, request: DecisionRequest, decision: Decision) -> MatchState:
        for attempt in decision.attempts:
            state = self.emit(state, self._unrecorded(attempt.adjustments))
            if (current := _current(state, request)) is None:
                return state
            state = self.emit(state, apply_result(self.game, state, current, attempt.result))
        if isinstance(decision.error, ModelError):
            return self.emit(state, (abort(state, cause=str(decision.error)),))
        if decision.error is not None:
            raise decision.error
        if decision.timed_out and (current := _current(state, request)) is not None:
            return self.emit(state, apply_timeout(self.game, state, current))
        return state

    def _unrecorded(self, adjustments: Sequence[PromptAdjusted]) -> list[PromptAdjusted]:
        new: list[PromptAdjusted] = []
        for adjustment in adjustments:
            if adjustment in self.recorded:
                self.recorded.remove(adjustment)
            else:
                new.append(adjustment)
        return new

    def emit(self, state: MatchState, events: Sequence[Event]) -> MatchState:
        """Return the state after `events`, handed to the sink together."""
        steps: list[Step] = []
        for event in events:
            if state.ended is not None:
                break
            state = reduce(state, event)
            steps.append((event, state))
        if steps:
            self.sink(steps)
        return state


def _current(state: MatchState, request: DecisionRequest) -> DecisionRequest | None:
    """Return the request as it is put now; None: what others did has closed it."""
    return next((one for one in pending(state) if one.id == request.id), None)
