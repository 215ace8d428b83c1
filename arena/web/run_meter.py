"""Meter of a run: matches in progress and waiting, and turns per second.

It reads the records as they grow: the process that plays the run need not know of it.
"""

from collections import Counter, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import Final

from arena.core.events import ActionAccepted
from arena.core.state import MatchState, pending, reduce
from arena.errors import RecordError
from arena.records.match_record import MatchRecord
from arena.records.run_folder import is_held
from arena.records.run_record import RunRecord
from arena.web.run_directory import MatchRow

_WINDOW: Final = 60.0
"""Seconds over which the turn rate is measured."""
_MIN_SECONDS: Final = 2.0
"""Minimum seconds before there is a rate, and between two samples."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStatus:
    """Progress of a run."""

    finished: int
    planned: int
    outcomes: Mapping[str, int]
    is_held: bool
    """Whether a process is playing it."""
    playing: int
    """Matches that have started and are not finished."""
    waiting: int
    """Matches that have not started."""
    asked: int | None
    """Seats with an open request; None: a person plays, and the number stays hidden."""
    turns: int
    rate: float | None
    """Turns per second over the last minute; None: not watched long enough, or not being played."""
    prompt_tokens: int
    """Tokens of the finished matches, like the next ones."""
    cached_tokens: int | None
    output_tokens: int


@dataclass(slots=True)
class _WatchedMatch:
    """A match in progress that is being watched."""

    record: MatchRecord
    start: int = 0
    turns: int = 0
    state: MatchState | None = None
    is_closed: bool = False
    """Whether it was read to its end."""

    def read(self) -> None:
        events, self.start = self.record.new_events(self.start)
        for event in events:
            self.state = reduce(self.state or MatchState(script=self.record.script()), event)
            self.turns += isinstance(event, ActionAccepted)


@dataclass(slots=True)
class RunMeter:
    """Meter of one run, shared by all its viewers."""

    run: RunRecord
    _live: dict[str, _WatchedMatch] = field(default_factory=dict[str, _WatchedMatch])
    _samples: deque[tuple[float, int]] = field(default_factory=deque[tuple[float, int]])
    """Times, each with the number of turns so far."""

    def measure(self, rows: Sequence[MatchRow]) -> RunStatus:
        """Read new records; damaged matches count as having no open request."""
        done = [row.summary for row in rows if row.summary is not None]
        open_ = [row for row in rows if row.is_started and row.summary is None]
        has_persons, held = bool(self.run.config.humans), is_held(self.run.path)
        if not has_persons:
            self._follow(rows)
        turns = sum(row.summary.turns for row in rows if row.summary and row.name not in self._live)
        turns += sum(one.turns for one in self._live.values())
        cached = [one.cached_tokens for one in done if one.cached_tokens is not None]
        states = [one.state for one in self._live.values() if one.state is not None]
        return RunStatus(
            finished=len(done),
            planned=len(rows),
            outcomes=Counter(one.outcome for one in done),
            is_held=held,
            playing=len(open_),
            waiting=sum(not row.is_started for row in rows),
            asked=None if has_persons else sum(len(pending(state)) for state in states),
            turns=turns,
            rate=self._rate(turns) if held and not has_persons else None,
            prompt_tokens=sum(one.prompt_tokens for one in done),
            cached_tokens=sum(cached) if cached else None,
            output_tokens=sum(one.output_tokens for one in done),
        )

    def _follow(self, rows: Sequence[MatchRow]) -> None:
        """Read the matches in progress, and the rest of those that have just ended."""
        for row in rows:
            is_open = row.is_started and row.summary is None
            live = self._live.get(row.name)
            if live is None and is_open:
                live = self._live[row.name] = _WatchedMatch(self.run.match(row.name))
            if live is None or live.is_closed:
                continue
            try:
                live.read()
            except RecordError:
                live.state = None
            if not is_open:
                live.state, live.is_closed = None, True

    def _rate(self, turns: int) -> float | None:
        now = monotonic()
        if not self._samples or now - self._samples[-1][0] >= _MIN_SECONDS:
            self._samples.append((now, turns))
        while len(self._samples) > 1 and now - self._samples[1][0] > _WINDOW:
            self._samples.popleft()
        began, before = self._samples[0]
        return (turns - before) / (now - began) if now - began >= _MIN_SECONDS else None
