"""Virtual time."""

import asyncio
import time

import pytest

from serving.engine_sim.engine_loop.virtual_time import run_virtual


async def wake(order: list[tuple[str, float]], name: str, seconds: float) -> None:
    await asyncio.sleep(seconds)
    order.append((name, asyncio.get_running_loop().time()))


async def three() -> list[tuple[str, float]]:
    order: list[tuple[str, float]] = []
    async with asyncio.TaskGroup() as group:
        group.create_task(wake(order, "late", 7_200))
        group.create_task(wake(order, "soon", 0.25))
        group.create_task(wake(order, "day", 86_400 * 3))
    return order


def test_hours_pass_at_once_and_in_order() -> None:
    began = time.perf_counter()
    order = run_virtual(three())
    assert time.perf_counter() - began < 1
    assert [name for name, _ in order] == ["soon", "late", "day"]
    assert [now for _, now in order] == pytest.approx([0.25, 7_200, 259_200])


def test_two_runs_are_the_same() -> None:
    assert run_virtual(three()) == run_virtual(three())


def test_a_deadline_falls_in_virtual_time() -> None:
    async def late() -> float:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(60):
                await asyncio.sleep(3_600)
        return asyncio.get_running_loop().time()

    assert run_virtual(late()) == pytest.approx(60)


def test_waiting_for_what_never_comes_is_an_error_and_no_hang() -> None:
    async def never() -> None:
        await asyncio.get_running_loop().create_future()

    with pytest.raises(RuntimeError, match="cannot advance"):
        run_virtual(never())
