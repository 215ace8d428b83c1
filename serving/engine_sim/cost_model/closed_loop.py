"""A closed loop on the simulated engine: callers that each have one request in flight."""

import asyncio
import random
from dataclasses import dataclass

from serving.engine_sim.caches.prompt_segments import PromptSegment, hash_segments
from serving.engine_sim.cost_model.engine_profile import EngineProfile
from serving.engine_sim.engine_loop.sim_engine import EngineRequest, SimEngine
from serving.engine_sim.engine_loop.virtual_time import run_virtual

TURNS = 8
"""Turns per caller while the time is measured."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosedLoopLoad:
    """The request that each of `concurrency` callers repeats; sizes in tokens.

    `cached` tokens of the `prompt` repeat the caller's previous turn; with `text_in` the server
    tokenises the prompt.
    """

    concurrency: int
    prompt: int
    cached: int
    output: int
    text_in: bool = True


def turns_per_second(profile: EngineProfile, load: ClosedLoopLoad) -> float:
    """Return the turns per second of a closed loop, in virtual time after one warm-up turn.

    Reply lengths vary by up to a fifth around `output`, so that callers do not synchronise. Do not
    call from a running event loop.
    """
    return run_virtual(_measure_rate(profile, load))


async def _measure_rate(profile: EngineProfile, load: ClosedLoopLoad) -> float:
    loop = asyncio.get_running_loop()
    engine = SimEngine(profile)
    numbers = range(load.concurrency)
    await _run_callers(engine, load, numbers, range(1))
    began = loop.time()
    await _run_callers(engine, load, numbers, range(1, TURNS + 1))
    seconds = loop.time() - began
    return load.concurrency * TURNS / seconds if seconds > 0 else float("inf")


async def _run_callers(
    engine: SimEngine, load: ClosedLoopLoad, numbers: range, turns: range
) -> None:
    async with asyncio.TaskGroup() as group:
        for number in numbers:
            group.create_task(_run_caller(engine, load, number, turns))


async def _run_caller(engine: SimEngine, load: ClosedLoopLoad, number: int, turns: range) -> None:
    rng = random.Random(number)
    kept = PromptSegment(f"{number}", load.cached)
    for turn in turns:
        new = PromptSegment(f"{number}/{turn}", load.prompt - load.cached)
        output = max(1, round(load.output * rng.uniform(0.8, 1.2)))
        reply = PromptSegment(f"{number}/{turn}/reply", output)
        request = EngineRequest(
            blocks=hash_segments((kept, new, reply), engine.profile.block),
            tokens=load.prompt,
            output=output,
            text_in=load.text_in,
        )
        await engine.generate(request)
