"""Play many matches at once. A match that fails is a result, not a crash."""

import asyncio
import traceback
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from arena.run.gate import Gate

Spec = TypeVar("Spec")
Done = TypeVar("Done")


@dataclass(frozen=True, slots=True, kw_only=True)
class Crashed:
    """A match that died of our own fault: the error and where it came from."""

    error: str
    trace: str


async def play_many(
    specs: Mapping[str, Spec],
    play_one: Callable[[Spec], Awaitable[Done]],
    gate: Gate,
    *,
    broke_off: Callable[[Done], bool],
) -> list[Done | Crashed]:
    """Play each of `specs` (by match) as the gate lets them in; results in their order.

    `broke_off` tells of a result that its match was not played to the end.

    No match waits for another but at the gate, and one that is not let in yet is no task: it
    costs what its spec costs.
    """
    results: dict[str, Done | Crashed] = {}

    async def played(match: str) -> None:
        whole = False
        try:
            results[match] = done = await play_one(specs[match])
            whole = not broke_off(done)
        except Exception as error:  # noqa: BLE001 - the one place where a match may die alone
            results[match] = Crashed(error=repr(error), trace=traceback.format_exc())
        gate.leave(match, whole=whole)

    async with asyncio.TaskGroup() as group:

        def let_in() -> None:
            for match in gate.admit():
                group.create_task(played(match), name=match)

        gate.on_room(let_in)
        let_in()
    return [results[match] for match in specs]
