"""Clock of a deadline: it counts only the time in which a model could have answered."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from types import TracebackType
from typing import NoReturn

from arena.errors import EndpointUnavailableError

_INTERVAL = 1.0
"""Maximum seconds between two checks of the server. One check counts at most this interval."""
_MIN_INTERVAL = 0.001
_LOOKS_PER_DEADLINE = 4
_MAX_SILENCE = 15.0
"""Maximum seconds that one check takes and counts as silence. If this process stops during a check,
the stop adds no more.
"""

HealthCheck = Callable[[], Awaitable[bool]]
"""Function that returns whether the server answers now; it must not raise."""


@dataclass(slots=True, eq=False)
class _Waiter:
    scope: asyncio.Timeout
    seconds: float
    end: float
    is_lost: bool = False
    """The wait ends because the server gave no sign of life."""


class AnswerClock:
    """Clock of the deadlines at one server.

    While an answer is awaited, it checks the server about once a second. Each check advances the
    clock by at most that interval, and only if the server responds. So a stopped process, a
    suspended machine, a stopped server or a jump of the system clock costs an answer at most one
    interval. None of them disturbs a request in flight.
    """

    def __init__(self, is_up: HealthCheck, *, clock: Callable[[], float] = time.monotonic) -> None:
        """Check a server with `is_up` while `run` runs."""
        self._is_up, self._clock = is_up, clock
        self._waiters: set[_Waiter] = set()
        self._has_waiters = asyncio.Event()
        self._elapsed = 0.0
        """Counted seconds since the clock was created."""
        self._silence = 0.0
        """Seconds since the last sign of life."""
        self._last = 0.0
        """When `_elapsed` was computed."""

    async def run(self) -> NoReturn:
        """Check the server while an answer is awaited; the owner of the clock cancels this task."""
        while True:
            await self._has_waiters.wait()
            interval = self._interval()
            await asyncio.sleep(interval)
            if self._waiters:
                await self._poll(interval)
            else:
                self._has_waiters.clear()

    def limit(self, seconds: float) -> "AnswerLimit":
        """Return a context that ends after `seconds` of this clock with `TimeoutError`.

        It ends with `EndpointUnavailableError` if the server gives no sign of life for `seconds`.
        """
        return AnswerLimit(self, seconds)

    def add(self, scope: asyncio.Timeout, seconds: float) -> _Waiter:
        """Start a wait for an answer; `scope` expires at its deadline."""
        if not self._waiters:
            self._last, self._silence = self._clock(), 0.0
        counted = min(self._clock() - self._last, _INTERVAL)
        waiter = _Waiter(scope, seconds, self._elapsed + counted + seconds)
        self._waiters.add(waiter)
        self._has_waiters.set()
        return waiter

    def remove(self, waiter: _Waiter) -> None:
        """End a wait. Checks stop later: restarting them for each answer would cost more."""
        self._waiters.discard(waiter)

    def _interval(self) -> float:
        shortest = min((waiter.seconds for waiter in self._waiters), default=_INTERVAL)
        return max(_MIN_INTERVAL, min(_INTERVAL, shortest / _LOOKS_PER_DEADLINE))

    async def _poll(self, interval: float) -> None:
        is_up = await self._poll_server()
        now = self._clock()
        passed, self._last = max(0.0, now - self._last), now
        if is_up:
            self._elapsed += min(passed, interval)
            self._silence = 0.0
        else:
            self._silence += min(passed, _MAX_SILENCE)
        for waiter in tuple(self._waiters):
            waiter.is_lost = not is_up and self._silence >= waiter.seconds
            if waiter.is_lost or self._elapsed >= waiter.end:
                self._waiters.discard(waiter)
                waiter.scope.reschedule(asyncio.get_running_loop().time())

    async def _poll_server(self) -> bool:
        try:
            async with asyncio.timeout(_MAX_SILENCE):
                return await self._is_up()
        except TimeoutError:
            return False


class AnswerLimit:
    """Context of one awaited answer, created by `AnswerClock.limit`."""

    def __init__(self, clock: AnswerClock, seconds: float) -> None:
        self._clock, self._seconds = clock, seconds
        self._scope = asyncio.timeout(None)
        self._waiter: _Waiter | None = None

    async def __aenter__(self) -> None:
        """Start the deadline."""
        await self._scope.__aenter__()
        self._waiter = self._clock.add(self._scope, self._seconds)

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Raise `TimeoutError` or `EndpointUnavailableError` if the answer came too late."""
        assert self._waiter is not None, "the context was entered"
        self._clock.remove(self._waiter)
        try:
            await self._scope.__aexit__(kind, error, trace)
        except TimeoutError:
            if self._waiter.is_lost:
                raise EndpointUnavailableError(
                    f"the server gave no sign of life for {self._seconds:g} s"
                ) from None
            raise
