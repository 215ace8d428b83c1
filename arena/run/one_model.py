"""One model by its name, for questions outside of a match: the engine and clients of a run."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from arena.run.model_handle import ModelHandle
from arena.run.model_pool import ClientLimits, PictureStore, open_model_pool
from serving.hardware import detect

_RECOVERY_SECONDS: Final = 240.0
"""So long may a server be down that this program did not start: as in a run."""


@asynccontextmanager
async def open_one_model(
    name: str,
    folder: Path,
    *,
    max_requests: int,
    pictures: PictureStore,
    log: Callable[[str], None],
) -> AsyncGenerator[ModelHandle]:
    """Connect the model called `name`; an engine that this call starts stops at the end.

    `folder`: where results go. Raises `ServingError` or `ConfigError` as `open_model_pool`.
    """
    limits = ClientLimits(max_requests=max_requests, recovery_seconds=_RECOVERY_SECONDS)
    async with open_model_pool(
        [name], detect(folder), client=limits, pictures=pictures, log=log
    ) as pool:
        yield pool.models[name]
