"""Steps of the GPU check that play matches: start, arms, sweep, Yi-VL; and the list of all."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

from arena.bench.arms import ARMS, Arm, fix_live
from arena.bench.gpu.gpu_engine import (
    OURS_CAPPED,
    QWEN,
    CallRecorder,
    StepEngine,
    cap_replies,
    serve_step_engine,
)
from arena.bench.gpu.step_runner import CheckStep, StepContext
from arena.bench.gpu.token_id_steps import run_offload_step, run_replay_step, run_simulator_step
from arena.bench.servers.bench_engines import find_yi_problem
from arena.bench.servers.engine_rates import find_roofline_costs, measure_engine
from arena.errors import ModelError

PROFILE: Final = "h200-qwen2.5-vl-7b"
"""The engine profile that knows the shape of Qwen2.5-VL-7B."""
_REHEARSED: Final = {8: 2, 16: 4, 64: 6}
"""Number of matches in a rehearsal, by number of matches on a GPU."""
_OPEN: Final = "open_bound"
_ARMS: Final = {"ours": 3, _OPEN: 2, "gather_32": 2, "gather_128": 2, "sequential": 1}
"""Plays in order, and their shares of the time."""
_HALVINGS: Final = (3, 2, 1, 0)
"""Halvings of the number of matches that give the levels of a sweep."""
_FULL: Final = 64
"""Number of matches from which the KV cache is limited: a load of minutes does not fill that of a
large GPU.
"""
_POOL_TOKENS: Final = {"cuda": 400_000, "cpu": 30_720}
_KEPT_SECONDS: Final = 10.0
"""Seconds of a step that are reserved for the end of its last play."""


async def run_start_step(work: StepContext) -> None:
    """Load Yi-VL's plugin into vLLM, start the engine, and play one match."""
    work.say("loading the plugins of vLLM")
    fault = await find_yi_problem()
    work.add_results(plugins=work.hardware.plugins, yi_vl_plugin=fault or "loaded")
    async with serve_step_engine(work, QWEN, 1) as serving:
        started = serving.started
        found = await _measure(work, serving, OURS_CAPPED, work.seconds_left - _KEPT_SECONDS)
        work.add_results(match=found)
        work.set_headline(
            f"up after {started.seconds:.0f} s, KV cache of {serving.kv_tokens} tokens; plugin of "
            f"Yi-VL: {fault or 'loaded'}"
        )
    if fault:
        raise ModelError(f"vLLM does not load the plugin of Yi-VL: {fault}")


async def run_arms_step(matches: int, work: StepContext) -> None:
    """Play ours, both gathers and one match at a time, and send all requests simultaneously."""
    async with serve_step_engine(
        work, QWEN, _match_count(work, matches), pool=_pool_tokens(work, matches)
    ) as serving:
        recorder, found = CallRecorder(), dict[str, Any]()
        await _warm_up(work, serving)
        left = sum(_ARMS.values())
        for name, parts in _ARMS.items():
            seconds = _time_share(work, left / parts)
            left -= parts
            if name == _OPEN:
                found[name] = await _measure_open_bound(work, serving, recorder, found, seconds)
            else:
                observer = recorder if name == OURS_CAPPED.name else None
                found[name] = await _measure(
                    work, serving, cap_replies(ARMS[name]), seconds, observer
                )
            work.add_results(arms=found)
        work.set_headline(_comparison_line(found))


async def run_sweep_step(matches: int, work: StepContext) -> None:
    """Play with several fixed numbers of live matches."""
    count = _match_count(work, matches)
    async with serve_step_engine(work, QWEN, count, pool=_pool_tokens(work, matches)) as serving:
        levels = list(dict.fromkeys(max(1, count >> halvings) for halvings in _HALVINGS))
        found = dict[str, Any]()
        await _warm_up(work, serving)
        for place, level in enumerate(levels):
            arm = replace(cap_replies(fix_live(level)), name=f"live_{level}")
            seconds = _time_share(work, len(levels) - place)
            found[str(level)] = await _measure(work, serving, arm, seconds)
            work.add_results(sweep=found)
        best = max(found, key=lambda level: found[level]["engine"]["requests_per_s"] or 0)
        rate = found[best]["engine"]["requests_per_s"]
        work.set_headline(f"best of {', '.join(found)} live: {best}, {rate} turns/s")


async def run_yi_step(name: str, work: StepContext) -> None:
    """Start a Yi-VL shape and play some matches."""
    async with serve_step_engine(work, name, _match_count(work, 8)) as serving:
        found = await _measure(work, serving, OURS_CAPPED, work.seconds_left - _KEPT_SECONDS)
        work.add_results(play=found)
        rate, seconds = found["engine"]["requests_per_s"], serving.started.seconds
        work.set_headline(f"up after {seconds:.0f} s, {rate} turns/s")


async def _measure(
    work: StepContext,
    serving: StepEngine,
    arm: Arm,
    seconds: float,
    observer: CallRecorder | None = None,
) -> dict[str, Any]:
    work.say(f"{arm.name}, at most {seconds:.0f} s")
    found = await serving.measure(arm, seconds, observer)
    model = work.document["results"]["model"]
    peak = (
        find_roofline_costs(PROFILE, work.hardware, serving.vocabulary) if model == QWEN else None
    )
    return found | {
        "roofline": None if peak is None else peak.roofline_fraction(found["engine"]),
        "roofline_basis": "no published figures of this shape on this host"
        if peak is None
        else peak.basis,
    }


async def _warm_up(work: StepContext, serving: StepEngine) -> None:
    """Play a little, so that the first arm does not pay for compilation at first use."""
    await _measure(work, serving, OURS_CAPPED, min(30.0, _time_share(work, 8)))


async def _measure_open_bound(
    work: StepContext,
    serving: StepEngine,
    recorder: CallRecorder,
    found: Mapping[str, Any],
    seconds: float,
) -> dict[str, Any]:
    requests = [
        replace(request, max_tokens=max(1, min(request.max_tokens, completion.output_tokens)))
        for calls in recorder.by_seat().values()
        for request, completion in calls
    ]
    work.say(f"open bound: {len(requests)} concurrent requests, at most {seconds:.0f} s")
    sending = serving.served.send_all(serving.load, requests)
    took, rates = await measure_engine(
        serving.started.address, sending, limit=seconds, seconds_of=float
    )
    is_whole = took is not None and not found["ours"]["cut"]
    return {
        "about": "the requests of `ours` all together, seat by seat, without waits; "
        "replies are drawn again, not repeated, and have at most the same length",
        "requests": len(requests),
        "cut": "" if is_whole else f"it or `ours` did not finish within {seconds:.0f} s",
        "engine": rates,
        "seconds_over_ours": round(took / found["ours"]["engine"]["seconds"], 4)
        if took is not None and is_whole
        else None,
    }


def _match_count(work: StepContext, matches: int) -> int:
    return _REHEARSED[matches] if work.rehearsal else matches


def _time_share(work: StepContext, parts: float) -> float:
    return max(1.0, (work.seconds_left - _KEPT_SECONDS) / parts)


def _pool_tokens(work: StepContext, matches: int) -> int | None:
    return None if matches < _FULL else _POOL_TOKENS[work.hardware.engine or "cpu"]


def _comparison_line(found: Mapping[str, Any]) -> str:
    rates = {name: arm["engine"]["requests_per_s"] for name, arm in found.items()}
    line = "turns/s: " + ", ".join(f"{name} {rate}" for name, rate in rates.items())
    hit, share = found["ours"]["engine"]["hit_rate"], found["ours"]["roofline"]
    return f"{line}; ours: hit rate {hit}, roofline {'unknown' if share is None else share}"


STEPS: Final[Sequence[CheckStep]] = (
    CheckStep(
        "start", "engine start with the shape of Qwen2.5-VL-7B, plugin, KV capacity", run_start_step
    ),
    *(
        CheckStep(
            f"arms-{count}",
            f"{count} matches: ours, open bound, gather, sequential",
            partial(run_arms_step, count),
        )
        for count in (16, 64)
    ),
    *(
        CheckStep(
            f"sweep-{count}",
            f"{count} matches with fixed numbers of live matches",
            partial(run_sweep_step, count),
        )
        for count in (16, 64)
    ),
    CheckStep("replay", "trace replay of a recorded run, token for token", run_replay_step),
    *(
        CheckStep(
            f"yi-{size}",
            f"the shape of Yi-VL-{size.upper()}: load time and turns/s",
            partial(run_yi_step, f"yi-vl-{size}"),
        )
        for size in ("6b", "34b")
    ),
    CheckStep(
        "simulator", "simulated engine fitted to half of the closed loops", run_simulator_step
    ),
    CheckStep(
        "offload", "KV cache offloaded to host memory: equal replies, and speed", run_offload_step
    ),
)
"""All steps of the check, in order."""
