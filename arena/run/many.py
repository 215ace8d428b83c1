"""Play many matches at once. A match that fails is a result, not a crash."""

import asyncio
import traceback
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

Spec = TypeVar("Spec")
Done = TypeVar("Done")


@dataclass(frozen=True, slots=True, kw_only=True)
class Crashed:
    """A match that died of our own fault: the error and where it came from."""

    error: str
    trace: str


async def play_many(
    specs: Sequence[Spec],
    play_one: Callable[[Spec], Awaitable[Done]],
    *,
    at_once: int,
) -> list[Done | Crashed]:
    """Play each of `specs`, never more than `at_once` together; results in the order of `specs`."""
    gate = asyncio.Semaphore(at_once)

    async def guarded(spec: Spec) -> Done | Crashed:
        async with gate:
            try:
                return await play_one(spec)
            except Exception as error:  # noqa: BLE001 - the one place where a match may die alone
                return Crashed(error=repr(error), trace=traceback.format_exc())

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(guarded(spec)) for spec in specs]
    return [task.result() for task in tasks]
