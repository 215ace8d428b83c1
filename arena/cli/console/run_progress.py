"""Progress of many matches: completed share, speed, outcomes, time left."""

from collections import Counter
from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass
from time import monotonic
from typing import get_args

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.progress_bar import ProgressBar
from rich.text import Text

from arena.cli.console.live_status import LiveStatus
from arena.cli.console.usage import UsageCounter
from arena.cli.rendering.formatting import UNKNOWN, format_duration, format_rate
from arena.cli.rendering.layout import COLORS, GREY, Block, UnwrappedLine, note, print_blocks
from arena.cli.rendering.outcomes import outcome_label
from arena.core.events import ActionAccepted, Event, Outcome, TurnSkipped
from arena.core.state import MatchState
from arena.models.chat import Completion, Request
from arena.records.match_summary import MatchSummary
from arena.run.observer import BaseObserver, PlannedMatch
from arena.view.i18n.en import EN
from arena.view.i18n.messages import Messages
from arena.view.sanitize import sanitize_line

EVERY_SECONDS = 10.0
"""Seconds between two plain lines if there is no terminal."""
BAR_CELLS = 60
"""Cells of the bar, on a terminal that is wide enough."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgressSnapshot:
    """Progress of a run at one moment."""

    done: int
    planned: int
    share: float
    """Answered share of all requests of the run: 0 to 1."""
    seconds: float
    """Seconds since the first event."""
    left: float | None
    """Estimated seconds left at the pace so far; None while unknown."""
    turns: int
    output_tokens: int
    hit_rate: str
    outcomes: tuple[tuple[Outcome, int], ...]


class RunProgress(BaseObserver):
    """Progress of many matches: a bar on a terminal, else a plain line at intervals."""

    def __init__(
        self,
        console: Console,
        *,
        messages: Messages | None = None,
        clock: Callable[[], float] = monotonic,
        every: float = EVERY_SECONDS,
    ) -> None:
        """Show the progress of one run on `console`."""
        self._console = console
        self._messages = messages or EN
        self._clock = clock
        self._every = every
        self._requests: Mapping[str, int] = {}
        """Match -> its expected number of requests."""
        self._shares: dict[str, float] = {}
        """Match -> share of its requests that were answered."""
        self._outcomes: Counter[Outcome] = Counter()
        self._usage = UsageCounter()
        self._started: float | None = None
        self._before = 0.0
        """Share that earlier processes completed, as in a resumed run."""
        self._replayed: dict[str, Set[str]] = {}
        """Match -> requests that were closed when it was resumed: their calls are not new turns."""
        self._printed = clock()
        self._live = LiveStatus(console, self._bar)
        self._plain = not (console.is_interactive and console.is_terminal)

    def close(self) -> None:
        """Wipe the bar."""
        self._live.close()

    def on_log(self, line: str) -> None:
        """Print what is being prepared."""
        print_blocks(self._console, note(line, margin=0))

    def on_plan(self, matches: tuple[PlannedMatch, ...]) -> None:
        """Receive the plan; a bar begins."""
        self._requests = {match.match: match.requests for match in matches}
        self._live.start()

    def on_resume(self, match: str, state: MatchState) -> None:
        """Record which part of a match is only replayed."""
        self._replayed[match] = closed_requests(state)
        self._take_over(match, match_fraction(state, self._requests.get(match, 0)))

    def on_event(self, match: str, state: MatchState, event: Event) -> None:
        """Update the progress of a match."""
        if self._started is None:
            self._started, self._before = self._clock(), self.snapshot().share
        if match not in self._shares or isinstance(event, ActionAccepted | TurnSkipped):
            self._shares[match] = match_fraction(state, self._requests.get(match, 0))
        if self._plain and self._clock() - self._printed >= self._every:
            self._print()

    def on_call(self, match: str, request: Request, completion: Completion) -> None:
        """Count the tokens of a call of this process."""
        if request.call_id.request not in self._replayed.get(match, ()):
            self._usage.add(match, request, completion)

    def on_match_end(self, summary: MatchSummary) -> None:
        """Count an outcome; name it if there is no bar, or if something went wrong."""
        self._take_over(summary.match, 1.0)
        self._shares[summary.match] = 1.0
        self._usage.finish(summary.match)
        self._replayed.pop(summary.match, None)
        self._outcomes[summary.outcome] += 1
        messages = self._messages
        line = f"{sanitize_line(summary.match)}{messages.colon}{outcome_label(summary, messages)}"
        if cause := sanitize_line(summary.error_cause):
            line = f"{line} ({cause})"
        if self._plain:
            self._print(f"{line}{messages.semicolon}")
        elif summary.outcome in {"error", "forfeit"}:
            print_blocks(self._console, Block(head=Text(), body=line, indent=0))

    def snapshot(self) -> ProgressSnapshot:
        """Return the progress of the run now."""
        planned = self._planned_count
        share = sum(self._shares.values()) / planned
        seconds = self._clock() - self._started if self._started is not None else 0.0
        gained = share - self._before
        return ProgressSnapshot(
            done=sum(self._outcomes.values()),
            planned=planned,
            share=share,
            seconds=seconds,
            left=seconds * (1 - share) / gained if gained > 0 and seconds > 0 else None,
            turns=self._usage.turns,
            output_tokens=self._usage.output_tokens,
            hit_rate=self._usage.hit_rate,
            outcomes=tuple((name, self._outcomes[name]) for name in get_args(Outcome)),
        )

    @property
    def _planned_count(self) -> int:
        return max(len(self._requests), len(self._shares), 1)

    def _take_over(self, match: str, share: float) -> None:
        """Add the share of a match that an earlier process completed, if it has no new answers."""
        if match not in self._shares:
            self._shares[match] = share
            if self._started is not None:
                self._before += share / self._planned_count

    def _print(self, before: str = "") -> None:
        self._printed = self._clock()
        line = progress_line(self.snapshot(), self._messages)
        print_blocks(self._console, UnwrappedLine(text=f"{before}{line}"))

    def _bar(self) -> RenderableType:
        snapshot = self.snapshot()
        bar = ProgressBar(
            total=1.0,
            completed=snapshot.share,
            width=min(self._console.width, BAR_CELLS),
            style=GREY,
            complete_style=COLORS[0],
            finished_style=COLORS[2],
        )
        line = progress_line(snapshot, self._messages)
        return Group(Padding(bar), Block(head=Text(), body=line, indent=0))


def match_fraction(state: MatchState, requests: int) -> float:
    """Return the share of a match's `requests` that are closed, 0 to 1."""
    if state.ended is not None:
        return 1.0
    return min(len(closed_requests(state)) / requests, 1.0) if requests else 0.0


def closed_requests(state: MatchState) -> Set[str]:
    """Return the requests of a match that are answered or skipped."""
    return {e.request for e in state.history if isinstance(e, ActionAccepted | TurnSkipped)}


def progress_line(snapshot: ProgressSnapshot, messages: Messages) -> str:
    """Return the progress of a run as one line."""
    outcomes = " ".join(f"{messages.labels[name]} {n}," for name, n in snapshot.outcomes)
    left = format_duration(snapshot.left) if snapshot.left is not None else UNKNOWN
    parts = (
        f"{snapshot.done}/{messages.count(snapshot.planned, 'match')}",
        outcomes.rstrip(","),
        messages.turns_rate.format(rate=format_rate(snapshot.turns, snapshot.seconds)),
        messages.tokens_rate.format(rate=format_rate(snapshot.output_tokens, snapshot.seconds)),
        messages.cached.format(share=snapshot.hit_rate),
        messages.left.format(time=left),
    )
    return messages.semicolon.join(parts)
