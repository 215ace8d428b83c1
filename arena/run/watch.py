"""Who looks on: the face that the terminal, a page or a test shows to a run."""

from typing import Protocol

from arena.core.events import Event
from arena.core.state import MatchState
from arena.models.chat import Completion, Request
from arena.store.summary import MatchSummary


class Watcher(Protocol):
    """Is told what happens; must return at once and never raise."""

    def said(self, line: str) -> None:
        """Hear a line about what is being prepared: a server that starts, a model chosen."""
        ...

    def planned(self, matches: tuple[str, ...]) -> None:
        """Hear the ids of all matches of the run, before the first begins."""
        ...

    def event(self, match: str, state: MatchState, event: Event) -> None:
        """Hear an event; `state` is the state after it."""
        ...

    def called(self, match: str, request: Request, completion: Completion) -> None:
        """Hear that a model answered."""
        ...

    def ended(self, summary: MatchSummary) -> None:
        """Hear that a match is over and its record whole."""
        ...
