"""Use only idle engine time: a judge waits while its server has other requests."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final

from arena.models.http.server_metrics import parse_counters

_POLL_SECONDS: Final = 0.25

ReadMetrics = Callable[[], Awaitable[str | None]]
"""Returns a server's metrics text; None: it has none."""


class IdleGate:
    """Gate of one server, which counts this process's requests in flight.

    Counters lag by a request or two, so a judge can start next to a match's request, which costs
    that request a place in one batch; with priority scheduling not even that.
    """

    def __init__(
        self,
        read_metrics: ReadMetrics,
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._read_metrics, self._sleep = read_metrics, sleep
        self._own = 0
        self._looking = asyncio.Lock()
        self.pauses = 0
        """The number of polls that found other requests."""

    @asynccontextmanager
    async def enter(self) -> AsyncGenerator[None]:
        """Wait until the server has no other requests, and count one of ours."""
        async with self._looking:
            while await self._is_busy():
                self.pauses += 1
                await self._sleep(_POLL_SECONDS)
            self._own += 1
        try:
            yield
        finally:
            self._own -= 1

    async def _is_busy(self) -> bool:
        text = await self._read_metrics()
        if text is None:
            return False
        counters = parse_counters(text)
        return counters.running + counters.waiting > self._own
