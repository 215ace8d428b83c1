"""Capacity plan: matches that some GPUs can play, from a plan or sample in virtual time."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil
from statistics import fmean
from typing import Final

from arena.bench.planner.plan_observer import PlanObserver
from arena.bench.planner.plan_sample import (
    PlanSample,
    SteadyState,
    choose_sample,
    measure_steady_state,
)
from arena.bench.simulation.simulated_chat import ReplyStyle
from arena.bench.simulation.virtual_run import (
    VIRTUAL_MODEL,
    VirtualRun,
    estimate_virtual,
    play_virtual,
    virtual_limits,
)
from arena.bench.workload import WorkloadResult
from arena.core.game import Game
from arena.core.options import GameOptions, sharing_values
from arena.errors import ConfigError
from arena.players.contestants import read_contestant
from arena.players.roster import limits_of
from arena.records.match_summary import MatchSummary
from arena.run.match_batch import MatchCrash
from arena.run.preflight import check_first_prompt_fits
from arena.schedule.admission import AdmissionPolicy
from scripts_mm.script import Script
from serving.engine_sim.cost_model.analytic_profile import EnginePlan
from serving.model_files.profile import Profile

MAX_TURNS: Final = 4_500
"""Maximum turns of a simulation: five to ten seconds of one core. Compared with ten times as many
on one H200, matches per hour differ by 1 %, compared with a third of them by 13 %.
"""
_HOUR: Final = 3600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRequest:
    """Request for a plan: one model plays all seats of these scripts."""

    model: Profile
    where: EnginePlan
    game: Game
    options: GameOptions
    scripts: Sequence[Script]
    matches: int
    """Matches of each script, before sides are swapped."""
    swap: bool = False
    reply: int = 200
    """Mean tokens of a text that a seat writes."""
    concurrency: int | None = None
    """Live matches on all engines together; None: admission control decides."""
    most_turns: int = MAX_TURNS

    @property
    def total(self) -> int:
        """Return the matches of all scripts, including those with swapped sides."""
        return len(self.scripts) * self.matches * (2 if self.swap else 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReorderGain:
    """Gain from another value of an option that lengthens shared prefixes."""

    option: str
    value: str
    speedup: float
    """Matches per hour with it over those without it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CapacityForecast:
    """Expected figures of a plan, from a simulation.

    Tokens of a match are those of all its seats: `shared_tokens`, as admission estimates them, once
    for all matches of a script; `own_tokens` at the end of each. A match is live from its first
    event to its last: `live_matches` is the average while others wait or are still to come,
    `live_most` the maximum, on all engines together.
    """

    matches: int
    turns_per_match: float
    cut_turns_per_match: float
    """Turns whose complete prompt does not fit the context."""
    readings_per_match: float
    """Separate calls that describe one picture."""
    shared_tokens: int
    own_tokens: int
    longest_prompt: int
    """Tokens of the longest prompt plus its reply."""
    live_matches: float
    live_most: int
    hit_rate: float
    turns_per_s: float
    """Rate of all engines together, over the whole time."""
    matches_per_h: float
    hours: float
    busy_replicas: int
    unfinished_matches: int
    """Simulated matches that ended as a forfeit."""
    sample_matches: int
    sample_turns: int
    """Simulated turns, without readings and summaries."""
    sample_replicas: int
    """Number of simulated engines."""
    extrapolated: bool
    reordered: tuple[ReorderGain, ...]


def forecast_capacity(asked: PlanRequest) -> CapacityForecast:
    """Return the forecast of a plan, by playing it or a sample of it in virtual time.

    Raises `ConfigError` if the prompts of a script can never fit the model or its matches end as an
    error, `ScriptError` if a script cannot be played.
    """
    estimates = _estimate(asked)
    turns = [one.turns * (2 if asked.swap else 1) for one in estimates]
    sample = choose_sample(turns, asked.matches, asked.where.replicas, asked.most_turns)
    played = _play(asked, sample)
    hours = played.seconds / _HOUR
    watch, result = played.watch, played.result
    summaries = watch.summaries
    turns_per_match = fmean(one.turns for one in summaries)
    scale = asked.where.replicas / sample.replicas
    live = played.steady.live * scale
    most = round(result.live_most * scale)
    return CapacityForecast(
        matches=asked.total,
        turns_per_match=turns_per_match,
        cut_turns_per_match=len(watch.cuts) / len(summaries),
        readings_per_match=fmean(one.readings for one in summaries),
        shared_tokens=round(fmean(one.shared for one in estimates)),
        own_tokens=round(_own_tokens(estimates, sample, watch)),
        longest_prompt=watch.longest,
        live_matches=live,
        live_most=min(most, asked.concurrency or most),
        hit_rate=result.cached_tokens / result.prompt_tokens,
        turns_per_s=turns_per_match * asked.total / played.seconds,
        matches_per_h=asked.total / hours,
        hours=hours,
        busy_replicas=round((result.busy_replicas or 0) * scale),
        unfinished_matches=sum(one.outcome == "forfeit" for one in summaries),
        sample_matches=len(summaries),
        sample_turns=sum(one.turns for one in summaries),
        sample_replicas=sample.replicas,
        extrapolated=sample.repeats > 1,
        reordered=tuple(_find_reorder_gains(asked, sample, played)),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Estimate:
    """Estimates of a match before it starts."""

    turns: int
    shared: int
    """Tokens that all matches of the script share, over all seats."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _PlayedSample:
    watch: PlanObserver
    result: WorkloadResult
    steady: SteadyState
    seconds: float
    """Seconds for all matches of the plan."""


def _play(asked: PlanRequest, sample: PlanSample) -> _PlayedSample:
    watch = PlanObserver()
    result = play_virtual(_make_run(asked, sample), _make_policy(asked, sample), watch)
    _check_played(asked, result)
    steady = measure_steady_state(watch.spans, watch.calls)
    left = result.calls * (sample.repeats - 1)
    seconds = result.seconds + left / steady.calls_per_s
    return _PlayedSample(watch=watch, result=result, steady=steady, seconds=seconds)


def _check_played(asked: PlanRequest, result: WorkloadResult) -> None:
    crashes = [one for one in result.results if isinstance(one, MatchCrash)]
    if crashes:
        raise RuntimeError(f"a simulated match crashed: {crashes[0].error}\n{crashes[0].trace}")
    for one in result.results:
        if isinstance(one, MatchSummary) and one.outcome == "error":
            raise ConfigError(
                f"matches of script {one.script!r} cannot be played by {asked.model.name!r}: "
                f"{one.error_cause}; choose options that make matches shorter, or another model"
            )


def _make_run(asked: PlanRequest, sample: PlanSample) -> VirtualRun:
    return VirtualRun(
        game=asked.game.name,
        options=asked.options,
        scripts=[asked.scripts[place] for place in sample.scripts],
        matches=sample.each,
        swap=asked.swap,
        profile=asked.where.engine,
        replicas=sample.replicas,
        style=ReplyStyle(tokens=asked.reply),
        served=asked.model,
    )


def _make_policy(asked: PlanRequest, sample: PlanSample) -> AdmissionPolicy:
    if asked.concurrency is None:
        return AdmissionPolicy()
    live = ceil(asked.concurrency * sample.replicas / asked.where.replicas)
    return AdmissionPolicy(limit_kv=False, adapt=False, max_live=live)


def _find_reorder_gains(
    asked: PlanRequest, sample: PlanSample, played: _PlayedSample
) -> Iterator[ReorderGain]:
    """Yield the gain of each option that could lengthen shared prefixes."""
    for name, value in sharing_values(type(asked.options)).items():
        if getattr(asked.options, name) == value:
            continue
        other = replace(asked, options=replace(asked.options, **{name: value}))
        speedup = played.seconds / _play(other, sample).seconds
        yield ReorderGain(option=name, value=value, speedup=speedup)


def _estimate(asked: PlanRequest) -> list[_Estimate]:
    """Estimate each script; `ConfigError` if its prompts can never fit."""
    every = PlanSample(scripts=tuple(range(len(asked.scripts))), each=1, replicas=1)
    run = _make_run(asked, every)
    who = read_contestant(VIRTUAL_MODEL)
    limits = limits_of(who, virtual_limits(run))
    found: list[_Estimate] = []
    for one in estimate_virtual(run).values():
        check_first_prompt_fits(asked.game, {True: (who, limits), False: (who, limits)}, one)
        shared = sum(one.seat(seat, who, limits).header for seat in one.headers)
        found.append(_Estimate(turns=one.requests, shared=shared))
    return found


def _own_tokens(estimates: Sequence[_Estimate], sample: PlanSample, watch: PlanObserver) -> float:
    shared = fmean(estimates[place].shared for place in sample.scripts)
    return sum(watch.ends.values()) / len(watch.summaries) - shared
