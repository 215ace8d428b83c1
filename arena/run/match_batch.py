"""Batch runner: plays many matches concurrently. A failed match is a result, not a crash."""

import asyncio
import traceback
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from arena.run.admission_gate import AdmissionGate
from arena.schedule.footprint import QueuedMatch

Spec = TypeVar("Spec")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchCrash:
    """Crash of a match because of a bug in the arena: the error and its traceback."""

    error: str
    trace: str


async def run_all(
    specs: Mapping[str, Spec],
    run_one: Callable[[Spec], Awaitable[Result]],
    gate: AdmissionGate,
    *,
    move: Callable[[Result], QueuedMatch | None],
) -> list[Result | MatchCrash]:
    """Run each of `specs` (by match id) when the gate admits it; return results in that order.

    `move` returns where an interrupted match queues to be continued; None: its result is final.

    Matches wait for each other only at the gate. A queued match has no task, so it costs no more
    memory than its spec.
    """
    results: dict[str, Result | MatchCrash] = {}

    async def run(match: str) -> None:
        moved = None
        try:
            results[match] = result = await run_one(specs[match])
            moved = move(result)
        except Exception as error:  # noqa: BLE001 - the only place that isolates a match's crash
            results[match] = MatchCrash(error=repr(error), trace=traceback.format_exc())
        if moved is None:
            gate.release(match)
        else:
            gate.requeue(moved)

    async with asyncio.TaskGroup() as group:

        def start_admitted() -> None:
            for match in gate.admit():
                group.create_task(run(match), name=match)

        gate.on_capacity(start_admitted)
        start_admitted()
    return [results[match] for match in specs]
