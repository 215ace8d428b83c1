"""Delay of the event loop, measured while it works."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

_TICK = 0.01
"""Seconds between two measurements."""


@asynccontextmanager
async def measure_loop_lag() -> AsyncGenerator[list[float]]:
    """Yield a list to which the seconds by which the loop is late are added in the block."""
    lags: list[float] = []
    async with asyncio.TaskGroup() as group:
        ticking = group.create_task(_record_lag(lags))
        yield lags
        ticking.cancel()


async def _record_lag(lags: list[float]) -> None:
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + _TICK
        await asyncio.sleep(_TICK)
        lags.append(loop.time() - due)
