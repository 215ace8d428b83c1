"""Log of many matches: one line each with the time, its number and its contestants."""

from collections.abc import Callable
from datetime import datetime

from rich.console import Console

from arena.cli.rendering.layout import UnwrappedLine, print_blocks
from arena.cli.rendering.verdict import summary_line
from arena.core.events import Event
from arena.core.state import MatchState
from arena.records.match_summary import MatchSummary
from arena.run.observer import BaseObserver, PlannedMatch
from arena.view.i18n.language_choice import messages_for

Clock = Callable[[], datetime]


class MatchLog(BaseObserver):
    """Log that prints finished matches; those of earlier processes are only counted."""

    def __init__(self, console: Console, *, clock: Clock = datetime.now) -> None:
        """Print on `console`, with the time of `clock`."""
        self._console = console
        self._clock = clock
        self._planned = 0
        self._ended = 0
        self._played: set[str] = set()
        """Matches played by this process."""

    def on_plan(self, matches: tuple[PlannedMatch, ...]) -> None:
        """Receive the number of matches."""
        self._planned = len(matches)

    def on_resume(self, match: str, state: MatchState) -> None:
        """Record that the match continues."""
        del state
        self._played.add(match)

    def on_event(self, match: str, state: MatchState, event: Event) -> None:
        """Record that the match is being played."""
        del state, event
        self._played.add(match)

    def on_match_end(self, summary: MatchSummary) -> None:
        """Print the match in one line."""
        self._ended += 1
        if summary.match not in self._played and summary.outcome != "error":
            return
        self._played.discard(summary.match)
        messages = messages_for(summary.language, encoding=self._console.encoding)
        pair = messages.pair.format(civilians=summary.civilians, murderer=summary.murderer)
        line = f"{self._number()} {pair}{messages.semicolon}"
        self._log(f"{line}{summary_line(summary, messages)}")

    def _number(self) -> str:
        return f"{self._ended}/{self._planned}"

    def _log(self, line: str) -> None:
        log_line(self._console, line, clock=self._clock)


class WorkerLog(MatchLog):
    """Log that prints the preparation, too; other workers may play some of the planned matches."""

    def _number(self) -> str:
        return str(self._ended)

    def on_log(self, line: str) -> None:
        """Print the line."""
        self._log(line)


def log_line(console: Console, line: str, *, clock: Clock = datetime.now) -> None:
    """Print a line with the local time before it."""
    print_blocks(console, UnwrappedLine(text=f"{clock():%H:%M:%S} {line}"))
