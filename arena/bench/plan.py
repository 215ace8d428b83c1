"""How many matches some GPUs can play: a sample of them, simulated in virtual time."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from arena.bench.arms import ARMS, OURS
from arena.bench.faults import one_fault
from arena.bench.in_process import InProcess
from arena.bench.needed import Asked, check_length, needs_of, placed_on
from arena.bench.offers import Stage, staged
from arena.bench.replay import Replayed, Setting, replay
from arena.bench.sampling import sampled, steady
from arena.bench.scripted import scripted_trace
from arena.schedule.admission import AdmissionPolicy
from serving.engine_sim.profile import EngineProfile
from serving.engine_sim.virtual import run_virtual

_HOUR = 3600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """What to expect. Means are over scripts; a live match is one that was begun and is not over.

    Tokens of a match are those of all its seats: `shared_tokens` once for all matches of a script,
    `own_tokens` at the end of each. `live_matches` are on one engine, on average while there are
    matches enough, `live_most` at most.
    """

    matches: int
    turns_per_match: float
    cut_turns_per_match: float
    """Those whose prompt does not fit the context as it is."""
    readings_per_match: float
    """Calls in which one picture is read apart from the prompts."""
    shared_tokens: int
    own_tokens: int
    longest_prompt: int
    live_matches: float
    live_most: int
    hit_rate: float
    turns_per_s: float
    """Of all engines together, over the whole time."""
    matches_per_h: float
    hours: float
    busy_replicas: int
    sample_matches: int
    sample_turns: int
    """What was simulated, readings and summaries among its turns; the rest of the most loaded
    engine's matches are taken to be like it."""
    extrapolated: bool


def forecast(asked: Asked) -> Forecast:
    """Return what to expect, by a simulation of the engine that has most to do.

    Matches are placed on engines as a run places them; the busiest is simulated. Raises
    `ConfigError` where a prompt grows longer than the model is served with, `ScriptError` where a
    script cannot be played.
    """
    needs = needs_of(asked)
    longest = max(need.longest for need in needs.values())
    check_length(asked, needs)
    placed = placed_on(asked, needs)
    busiest = max(placed, key=lambda one: one.work)
    calls = {key: need.calls for key, need in needs.items()}
    sample = sampled({key: calls[key] for key in busiest.matches}, busiest.each, asked.most_turns)
    stage = _stage(asked, sample.scripts, sample.each)
    matches, mine = asked.workload.each * len(needs), sum(busiest.matches.values())
    live = asked.concurrency and max(1, -(-asked.concurrency * mine // matches))
    replayed = run_virtual(_simulated(stage, asked.where.engine, live))
    rate = steady(replayed)
    # Long replies by chance make calls more: what is not there to be simulated is not left over.
    all_calls = sum(calls[key] * n for key, n in busiest.matches.items())
    left = max(0, all_calls - stage.turns) if len(stage.offers) < mine else 0
    seconds = replayed.seconds + left / rate.turns_per_s
    return Forecast(
        matches=matches,
        turns_per_match=fmean(need.turns for need in needs.values()),
        cut_turns_per_match=fmean(need.cut for need in needs.values()),
        readings_per_match=fmean(need.readings for need in needs.values()),
        shared_tokens=round(fmean(need.demand.prefix_tokens for need in needs.values())),
        own_tokens=round(fmean(need.demand.peak for need in needs.values())),
        longest_prompt=longest,
        live_matches=rate.live,
        live_most=replayed.live_most,
        hit_rate=_hit_rate(replayed),
        turns_per_s=sum(need.turns for need in needs.values()) * asked.workload.each / seconds,
        matches_per_h=matches * _HOUR / seconds,
        hours=seconds / _HOUR,
        busy_replicas=len(placed),
        sample_matches=len(stage.offers),
        sample_turns=stage.turns,
        extrapolated=left > 0,
    )


def _stage(asked: Asked, scripts: Sequence[str], each: int) -> Stage:
    chosen = {key: asked.scripts[key] for key in scripts}
    pairs = asked.workload.swap and each % 2 == 0
    workload = replace(asked.workload, matches=each // 2 if pairs else each, swap=pairs)
    return staged(scripted_trace(chosen, workload), exact=True)


async def _simulated(stage: Stage, profile: EngineProfile, live: int | None) -> Replayed:
    wire = InProcess(stage.trace, profile)
    await wire.begin()
    setting = Setting(policy=AdmissionPolicy(max_live=live), keep_prompts=False)
    with one_fault():
        return await replay(stage, ARMS[OURS], wire, setting, ended=_nothing)


def _hit_rate(replayed: Replayed) -> float:
    answers = [sent.answer for sent in replayed.sent]
    cached = sum(answer.cached_tokens or 0 for answer in answers)
    return cached / sum(answer.prompt_tokens for answer in answers)


def _nothing() -> None:
    """Hear that a match is over."""
