"""Watchers that do nothing unless they say otherwise, and several of them at once."""

from types import TracebackType
from typing import Self

from arena.core.events import Event
from arena.core.state import MatchState
from arena.models.chat import Completion, Request
from arena.store.summary import MatchSummary


class Onlooker:
    """A `Watcher` that ignores everything; a screen overrides what it shows.

    Used as a context manager, so that a terminal is left as it was found.
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
        """Stop whatever moves on the screen; a second time is harmless."""

    def said(self, line: str) -> None:
        """Hear a line about what is being prepared."""

    def planned(self, matches: tuple[str, ...]) -> None:
        """Hear the ids of all matches of the run."""

    def event(self, match: str, state: MatchState, event: Event) -> None:
        """Hear an event; `state` is the state after it."""

    def called(self, match: str, request: Request, completion: Completion) -> None:
        """Hear that a model answered."""

    def ended(self, summary: MatchSummary) -> None:
        """Hear that a match is over."""


class Several(Onlooker):
    """Several onlookers, told one after the other."""

    def __init__(self, *onlookers: Onlooker) -> None:
        self._onlookers = onlookers

    def close(self) -> None:
        """Close all."""
        for onlooker in self._onlookers:
            onlooker.close()

    def said(self, line: str) -> None:
        """Tell all."""
        for onlooker in self._onlookers:
            onlooker.said(line)

    def planned(self, matches: tuple[str, ...]) -> None:
        """Tell all."""
        for onlooker in self._onlookers:
            onlooker.planned(matches)

    def event(self, match: str, state: MatchState, event: Event) -> None:
        """Tell all."""
        for onlooker in self._onlookers:
            onlooker.event(match, state, event)

    def called(self, match: str, request: Request, completion: Completion) -> None:
        """Tell all."""
        for onlooker in self._onlookers:
            onlooker.called(match, request, completion)

    def ended(self, summary: MatchSummary) -> None:
        """Tell all."""
        for onlooker in self._onlookers:
            onlooker.ended(summary)
