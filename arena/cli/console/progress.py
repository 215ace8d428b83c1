"""Many matches at once: how far, how fast, what came out, how long still."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import get_args

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.progress_bar import ProgressBar
from rich.text import Text

from arena.cli.rendering.layout import COLORS, GREY, Block, UnwrappedLine, note, print_blocks
from arena.cli.rendering.formatting import UNKNOWN, Tally, format_rate, format_duration
from arena.run.observer import BaseObserver
from arena.cli.console.sanitize import sanitize_line
from arena.cli.console.live_status import LiveStatus
from arena.cli.i18n.en import EN
from arena.cli.i18n.messages import Messages
from arena.core.events import Asked, Concluded, Event, Outcome, Passed, Spoke, Voted
from arena.core.state import MatchState
from arena.models.chat import Completion, Request
from arena.records.summary import MatchSummary

EVERY_SECONDS = 10.0
"""Between two plain lines, where there is no terminal."""
BAR_CELLS = 60
"""Of the bar, on a terminal that is wide enough."""

_ANSWERS = (Spoke, Asked, Concluded, Voted, Passed)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgressSnapshot:
    """Where a run stands."""

    done: int
    planned: int
    share: float
    """Of all asks of the run, answered: 0 to 1."""
    seconds: float
    """Since the first event."""
    left: float | None
    """Seconds still to go by the pace so far; None while nothing can be said."""
    turns: int
    output_tokens: int
    hit_rate: str
    outcomes: tuple[tuple[Outcome, int], ...]


class Progress(BaseObserver):
    """Shows how many matches get on: a bar on a terminal, else plain lines now and then."""

    def __init__(
        self,
        console: Console,
        *,
        words: Messages | None = None,
        clock: Callable[[], float] = monotonic,
        every: float = EVERY_SECONDS,
    ) -> None:
        self._console = console
        self._words = words or EN
        self._clock = clock
        self._every = every
        self._planned = 0
        self._shares: dict[str, float] = {}
        """Match -> share of its asks that were answered."""
        self._outcomes: Counter[Outcome] = Counter()
        self._tally = Tally()
        self._began: float | None = None
        self._before = 0.0
        """Share that was done before the first event, as in a resumed run."""
        self._told = clock()
        self._moving = LiveStatus(console, self._bar)
        self._plain = not (console.is_interactive and console.is_terminal)

    def close(self) -> None:
        """Wipe the bar."""
        self._moving.close()

    def said(self, line: str) -> None:
        """Print what is being prepared."""
        print_blocks(self._console, note(line, margin=0))

    def planned(self, matches: tuple[str, ...]) -> None:
        """Take the number of matches; a bar begins."""
        self._planned = len(matches)
        self._moving.start()

    def event(self, match: str, state: MatchState, event: Event) -> None:
        """Take how far a match is."""
        del event
        if self._began is None:
            self._began, self._before = self._clock(), self.standing().share
        self._shares[match] = answered(state)
        if self._plain and self._clock() - self._told >= self._every:
            self._tell()

    def called(self, match: str, request: Request, completion: Completion) -> None:
        """Count what a call cost."""
        del match
        self._tally.add(request.call_id, completion)

    def ended(self, summary: MatchSummary) -> None:
        """Count an outcome; say it where there is no bar, or where something went wrong."""
        self._shares[summary.match] = 1.0
        self._outcomes[summary.outcome] += 1
        words = self._words
        said = f"{sanitize_line(summary.match)}{words.colon}{words.labels[summary.outcome]}"
        if cause := sanitize_line(summary.error_cause):
            said = f"{said} ({cause})"
        if self._plain:
            self._tell(f"{said}{words.semicolon}")
        elif summary.outcome in {"error", "forfeit"}:
            print_blocks(self._console, Block(head=Text(), body=said, indent=0))

    def standing(self) -> ProgressSnapshot:
        """Return where the run stands now."""
        done = sum(self._outcomes.values())
        planned = max(self._planned, len(self._shares), 1)
        share = sum(self._shares.values()) / planned
        seconds = self._clock() - self._began if self._began is not None else 0.0
        gained = share - self._before
        return ProgressSnapshot(
            done=done,
            planned=planned,
            share=share,
            seconds=seconds,
            left=seconds * (1 - share) / gained if gained > 0 and seconds > 0 else None,
            turns=self._tally.turns,
            output_tokens=self._tally.output_tokens,
            hit_rate=self._tally.hit_rate,
            outcomes=tuple((name, self._outcomes[name]) for name in get_args(Outcome)),
        )

    def _tell(self, before: str = "") -> None:
        self._told = self._clock()
        print_blocks(self._console, UnwrappedLine(text=f"{before}{told(self.standing(), self._words)}"))

    def _bar(self) -> RenderableType:
        standing = self.standing()
        bar = ProgressBar(
            total=1.0,
            completed=standing.share,
            width=min(self._console.width, BAR_CELLS),
            style=GREY,
            complete_style=COLORS[0],
            finished_style=COLORS[2],
        )
        return Group(Padding(bar), Block(head=Text(), body=told(standing, self._words), indent=0))


def answered(state: MatchState) -> float:
    """Return the share of a match's asks that are over, 0 to 1: `N (2R + 3)` of them in all."""
    if state.closed is not None:
        return 1.0
    options, n = state.opening.options, len(state.opening.seats)
    extra = options.rounds if options.duties == "two_asks" else 0
    asks = n * (2 * options.rounds + 3 + extra)
    over = {e.ask for e in state.history if isinstance(e, _ANSWERS)}
    return min(len(over) / asks, 1.0)


def told(standing: ProgressSnapshot, words: Messages) -> str:
    """Return where a run stands in one line of words."""
    outcomes = " ".join(f"{words.labels[name]} {n}," for name, n in standing.outcomes)
    parts = (
        f"{standing.done}/{words.count(standing.planned, 'match')}",
        outcomes.rstrip(","),
        words.turns_rate.format(rate=format_rate(standing.turns, standing.seconds)),
        words.tokens_rate.format(rate=format_rate(standing.output_tokens, standing.seconds)),
        words.cached.format(share=standing.hit_rate),
        words.left.format(time=format_duration(standing.left) if standing.left is not None else UNKNOWN),
    )
    return words.semicolon.join(parts)
