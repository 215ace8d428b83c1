"""A model that is asked again when its endpoint does not answer."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace

from arena.errors import DownError
from arena.models.chat import ChatModel, Completion, Request
from arena.models.outcomes import BusyError

Pause = Callable[[int, float | None], Awaitable[None]]
"""Waits after so many failed tries; the server may have asked for so many seconds."""


class Retrying:
    """Asks again after a `DownError`, up to `tries` times in all, then raises the last one.

    Nothing else is asked again: a request that the server refuses will be refused again.
    """

    def __init__(
        self,
        model: ChatModel,
        *,
        tries: int,
        pause: Pause,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._model = model
        self._tries = tries
        self._pause = pause
        self._clock = clock

    async def complete(self, request: Request) -> Completion:
        """Return the first completion, with the retries and all the time that it took."""
        began = self._clock()
        failed = 0
        while True:
            try:
                completion = await self._model.complete(request)
            except DownError as error:
                failed += 1
                if failed >= self._tries:
                    raise
                await self._pause(failed, _asked(error))
            else:
                return _counted(completion, failed, self._clock() - began)


def back_off(
    *,
    first: float = 0.5,
    most: float = 30.0,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> Pause:
    """Return a pause of `first` seconds that doubles, and is never longer than `most`.

    A server that asks for more (Retry-After) is given more, up to `most` too.
    """

    async def pause(failed: int, asked: float | None) -> None:
        await sleep(min(most, max(first * 2.0 ** min(failed - 1, 30), asked or 0.0)))

    return pause


def _asked(error: DownError) -> float | None:
    return error.retry_after if isinstance(error, BusyError) else None


def _counted(completion: Completion, failed: int, seconds: float) -> Completion:
    if not failed:
        return completion
    return replace(completion, retries=completion.retries + failed, seconds=seconds)
