"""Compare arms on one load: repetitions in rotated order, and a sweep of live matches."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from math import ceil
from statistics import median
from typing import Final

from arena.bench.arms import STATIC, Arm, fix_live
from arena.bench.workload import WorkloadResult
from arena.records.match_summary import MatchSummary
from arena.run.match_batch import MatchCrash

_HOUR: Final = 3600.0
_STOP_MULTIPLE: Final = 4
"""A sweep ends at the first number of live matches that is this multiple of the best so far."""
PlayArm = Callable[[Arm, int], Awaitable["ArmFigures"]]
"""Plays a load in an arm on empty caches. Equal seeds play equal matches."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmFigures:
    """Figures of one play; None: unknown here."""

    seconds: float
    matches_per_h: float
    """Matches with a verdict, per hour."""
    calls_per_s: float
    output_tokens_per_s: float
    prompt_tokens: int
    hit_rate: float | None
    """Cached over prompt tokens, as the servers report them."""
    belady: float | None
    """Maximum hit rate of a cache of this size for the same requests in their order."""
    turn_p50_s: float
    """From sending to completion, including the wait for an arm's semaphore."""
    turn_p99_s: float
    match_p50_s: float
    """From a match's admission to its end."""
    live_most: int
    preemptions: int | None
    retries: int
    finished: int
    unfinished: int
    cpu_ms_per_call: float
    """CPU time of this process; in virtual time it includes the simulated engine."""
    loop_lag_p99_ms: float | None
    projection: float | None = None
    """Median over matches of projected over actual peak of own tokens; None: unknown."""
    fault: str = ""
    """Why the first unfinished match ended."""

    def as_object(self, places: int) -> dict[str, object]:
        """Return the figures by name, floats rounded to `places`."""
        return {
            name: round(value, places) if isinstance(value, float) else value
            for name, value in asdict(self).items()
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonResult:
    """Figures of all arms."""

    runs: Mapping[str, tuple[ArmFigures, ...]]
    """By arm, one per repetition; equal indexes mean the same repetition."""
    static: int | None
    """Live matches of `static_best`."""
    skipped: Mapping[str, str] = field(default_factory=dict[str, str])
    """By arm, the reason why it was not played."""
    sweep: Mapping[int, ArmFigures] = field(default_factory=dict[int, ArmFigures])
    """By number of live matches, one play each."""
    server: Mapping[str, object] = field(default_factory=dict[str, object])
    """Known properties of the server."""


async def compare(
    arms: Sequence[Arm],
    play: PlayArm,
    *,
    repeat: int,
    levels: Sequence[int],
    static: int | None = None,
    at_once: int = 1,
) -> ComparisonResult:
    """Play every arm `repeat` times, with `at_once` concurrent plays.

    `levels`: numbers of live matches among which `static_best` searches for the best; `static` sets
    it instead. Raises the errors of a play, in a group as `TaskGroup` does.
    """
    sweep: dict[int, ArmFigures] = {}
    if static is None and any(arm.name == STATIC for arm in arms):
        sweep = await sweep_live(play, levels)
        static = max(sweep, key=lambda level: sweep[level].matches_per_h)
    fixed = [fix_live(static) if arm.name == STATIC and static else arm for arm in arms]
    runs: dict[str, dict[int, ArmFigures]] = {arm.name: {} for arm in arms}
    slots = asyncio.Semaphore(at_once)

    async def play_one(arm: Arm, seed: int) -> None:
        async with slots:
            runs[arm.name][seed] = await play(arm, seed)

    async with asyncio.TaskGroup() as group:
        for seed in range(repeat):
            for arm in rotate(fixed, seed):
                group.create_task(play_one(arm, seed))
    return ComparisonResult(
        runs={name: tuple(run[seed] for seed in range(repeat)) for name, run in runs.items()},
        static=static,
        sweep=sweep,
    )


async def sweep_live(play: PlayArm, levels: Sequence[int]) -> dict[int, ArmFigures]:
    """Play once with each number of live matches, rising, until they are far above the best."""
    found: dict[int, ArmFigures] = {}
    for level in levels:
        found[level] = await play(fix_live(level), 0)
        if level >= _STOP_MULTIPLE * max(found, key=lambda one: found[one].matches_per_h):
            break
    return found


def rotate(arms: Sequence[Arm], repetition: int) -> tuple[Arm, ...]:
    """Return `arms` in the order of a repetition: rotated, and reversed every other time.

    Over repetitions an arm is early and late, after and before the same neighbours.
    """
    shift = repetition // 2 * max(1, len(arms) // 3) % max(1, len(arms))
    rotated = (*arms[shift:], *arms[:shift])
    return rotated[::-1] if repetition % 2 else rotated


def live_levels(most: int, replicas: int = 1) -> Iterator[int]:
    """Yield 1, 2, 3, 4, 6, 8, 12, 16, 24, ... times `replicas` below `most`, then `most`."""
    power = 1
    while power * replicas < most:
        yield power * replicas
        if power > 1 and power * 3 // 2 * replicas < most:
            yield power * 3 // 2 * replicas
        power *= 2
    yield most


def compute_figures(played: WorkloadResult, *, lags: Sequence[float] = ()) -> ArmFigures:
    """Return the figures of a play. `lags`: delays of the event loop in seconds, rising."""
    seconds, finished = max(played.seconds, 1e-9), played.finished_count
    return ArmFigures(
        seconds=played.seconds,
        matches_per_h=_HOUR * finished / seconds,
        calls_per_s=played.calls / seconds,
        output_tokens_per_s=played.output_tokens / seconds,
        prompt_tokens=played.prompt_tokens,
        hit_rate=played.hit_rate,
        belady=played.belady,
        turn_p50_s=percentile(played.turns, 0.5),
        turn_p99_s=percentile(played.turns, 0.99),
        match_p50_s=percentile(played.matches, 0.5),
        live_most=played.live_most,
        preemptions=played.preemptions,
        retries=played.retries,
        finished=finished,
        unfinished=len(played.results) - finished,
        cpu_ms_per_call=1000 * played.cpu_seconds / max(played.calls, 1),
        loop_lag_p99_ms=1000 * percentile(lags, 0.99) if lags else None,
        projection=median(played.projections) if played.projections else None,
        fault=next((why for one in played.results if (why := _error_text(one))), ""),
    )


def _error_text(result: MatchSummary | MatchCrash) -> str:
    return result.error if isinstance(result, MatchCrash) else result.error_cause


def percentile(rising: Sequence[float], share: float) -> float:
    """Return the smallest of the `rising` values that `share` of them do not exceed; 0 if empty."""
    return rising[max(0, ceil(share * len(rising)) - 1)] if rising else 0.0
