"""Retry of calls to an unavailable endpoint, with exponential backoff."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace

from arena.errors import EndpointUnavailableError
from arena.models.chat import ChatModel, Completion, Request
from arena.models.http.http_errors import ServerBusyError

Backoff = Callable[[int, float | None], Awaitable[None]]
"""Waits after a number of failures; the server may have requested a number of seconds."""


class RetryingModel:
    """Chat model that repeats a call after an `EndpointUnavailableError`, up to `max_attempts`.

    It repeats no other errors: a request that the server rejects would be rejected again.
    """

    def __init__(
        self,
        model: ChatModel,
        *,
        max_attempts: int,
        backoff: Backoff,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._model = model
        self._max_attempts = max_attempts
        self._backoff = backoff
        self._clock = clock

    async def complete(self, request: Request) -> Completion:
        """Return the first completion, with the number of retries and the total time."""
        began = self._clock()
        failed = 0
        while True:
            try:
                completion = await self._model.complete(request)
            except EndpointUnavailableError as error:
                failed += 1
                if failed >= self._max_attempts:
                    raise
                await self._backoff(failed, retry_after_seconds(error))
            else:
                return _with_retries(completion, failed, self._clock() - began)


def exponential_backoff(
    *,
    initial: float = 0.5,
    maximum: float = 30.0,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> Backoff:
    """Create a backoff of `initial` seconds that doubles up to `maximum` seconds.

    A longer delay that the server requests (Retry-After) is respected, up to `maximum` too.
    """

    async def pause(failed: int, requested: float | None) -> None:
        await sleep(min(maximum, max(initial * 2.0 ** min(failed - 1, 30), requested or 0.0)))

    return pause


def retry_after_seconds(error: EndpointUnavailableError) -> float | None:
    """Return the pause that a busy server requests, in seconds; None: it requests none."""
    return error.retry_after if isinstance(error, ServerBusyError) else None


def _with_retries(completion: Completion, failed: int, seconds: float) -> Completion:
    if not failed:
        return completion
    return replace(completion, retries=completion.retries + failed, seconds=seconds)
