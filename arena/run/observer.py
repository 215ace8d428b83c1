"""Observer of a run: the interface that screens, web pages and tests implement."""

from dataclasses import dataclass
from types import TracebackType
from typing import Protocol, Self

from arena.core.events import Event
from arena.core.state import MatchState
from arena.models.chat import Completion, Request
from arena.records.match_summary import MatchSummary


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedMatch:
    """A match of the run before it starts, with its expected number of requests."""

    match: str
    requests: int
    """An estimate: seats may ask fewer questions, and a vote may be repeated."""


class RunObserver(Protocol):
    """Receiver of a run's notifications. Its methods must return immediately and never raise."""

    def on_log(self, line: str) -> None:
        """Receive a line about the preparation, such as a server start."""
        ...

    def on_plan(self, matches: tuple[PlannedMatch, ...]) -> None:
        """Receive all matches of the run, before the first starts."""
        ...

    def on_resume(self, match: str, state: MatchState) -> None:
        """Receive a match that is resumed from its record, before its first new event."""
        ...

    def on_event(self, match: str, state: MatchState, event: Event) -> None:
        """Receive an event; `state` is the state after it."""
        ...

    def on_call(self, match: str, request: Request, completion: Completion) -> None:
        """Receive a model's completion."""
        ...

    def on_match_end(self, summary: MatchSummary) -> None:
        """Receive the summary of a finished match with a complete record."""
        ...


class BaseObserver:
    """A `RunObserver` that ignores everything; a screen overrides what it shows.

    As a context manager it restores the terminal at the end.
    """

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close."""
        self.close()

    def close(self) -> None:
        """Stop everything that moves on the screen; a second call has no effect."""

    def on_log(self, line: str) -> None:
        """Ignore the line."""

    def on_plan(self, matches: tuple[PlannedMatch, ...]) -> None:
        """Ignore the plan."""

    def on_resume(self, match: str, state: MatchState) -> None:
        """Ignore the resumed match."""

    def on_event(self, match: str, state: MatchState, event: Event) -> None:
        """Ignore the event."""

    def on_call(self, match: str, request: Request, completion: Completion) -> None:
        """Ignore the call."""

    def on_match_end(self, summary: MatchSummary) -> None:
        """Ignore the summary."""


class CompositeObserver(BaseObserver):
    """Several observers, each notified in turn."""

    def __init__(self, *observers: BaseObserver) -> None:
        """Notify `observers`."""
        self._observers = observers

    def close(self) -> None:
        """Close all."""
        for observer in self._observers:
            observer.close()

    def on_log(self, line: str) -> None:
        """Pass the line on."""
        for observer in self._observers:
            observer.on_log(line)

    def on_plan(self, matches: tuple[PlannedMatch, ...]) -> None:
        """Pass the plan on."""
        for observer in self._observers:
            observer.on_plan(matches)

    def on_resume(self, match: str, state: MatchState) -> None:
        """Pass the match on."""
        for observer in self._observers:
            observer.on_resume(match, state)

    def on_event(self, match: str, state: MatchState, event: Event) -> None:
        """Pass the event on."""
        for observer in self._observers:
            observer.on_event(match, state, event)

    def on_call(self, match: str, request: Request, completion: Completion) -> None:
        """Pass the call on."""
        for observer in self._observers:
            observer.on_call(match, request, completion)

    def on_match_end(self, summary: MatchSummary) -> None:
        """Pass the summary on."""
        for observer in self._observers:
            observer.on_match_end(summary)
