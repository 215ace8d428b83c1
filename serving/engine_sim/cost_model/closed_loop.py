"""A closed loop: callers that each have one request in flight, on any server or simulated."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from itertools import count
from typing import Final

from serving.engine_sim.caches.prompt_segments import PromptSegment, hash_segments
from serving.engine_sim.cost_model.engine_profile import EngineProfile
from serving.engine_sim.engine_loop.sim_engine import EngineRequest, SimEngine
from serving.engine_sim.engine_loop.virtual_time import run_virtual

_TURNS: Final = 8
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


SendTurn = Callable[[int, int], Awaitable[object]]
"""Sends a request of the caller with this number, for a reply of so many tokens, and waits for it.
"""


async def measure_rate(load: ClosedLoopLoad, send: SendTurn) -> float:
    """Return the turns per second of a closed loop, by the event loop's clock, after a warm-up.

    Reply lengths vary by up to a fifth around `output`, so that callers do not synchronise.
    """
    loop = asyncio.get_running_loop()
    await _run_callers(load, send, 1)
    began = loop.time()
    await _run_callers(load, send, _TURNS)
    seconds = loop.time() - began
    return load.concurrency * _TURNS / seconds if seconds > 0 else float("inf")


def turns_per_second(profile: EngineProfile, load: ClosedLoopLoad) -> float:
    """Return the turns per second of a closed loop on a simulated engine, in virtual time.

    Do not call from a running event loop.
    """

    async def measure() -> float:
        engine, numbers = SimEngine(profile), count()

        async def send(caller: int, output: int) -> None:
            cached = PromptSegment(f"cached/{caller}", load.cached)
            new = PromptSegment(f"new/{next(numbers)}", load.prompt - load.cached + output)
            request = EngineRequest(
                blocks=hash_segments((cached, new), profile.block),
                tokens=load.prompt,
                output=output,
                text_in=load.text_in,
            )
            await engine.generate(request)

        return await measure_rate(load, send)

    return run_virtual(measure())


async def _run_callers(load: ClosedLoopLoad, send: SendTurn, turns: int) -> None:
    async def run_caller(caller: int) -> None:
        chance = random.Random(caller)
        for _ in range(turns):
            await send(caller, max(1, round(load.output * chance.uniform(0.8, 1.2))))

    async with asyncio.TaskGroup() as group:
        for caller in range(load.concurrency):
            group.create_task(run_caller(caller))
