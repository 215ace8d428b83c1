"""Length correction follows finished matches; scheduling costs do not grow with the queue."""

import sys
import tracemalloc
from collections.abc import Callable
from types import FrameType
from typing import Protocol

import pytest

from arena.schedule.admission import AdmissionController, AdmissionPolicy, TurnUsage
from arena.schedule.capacity import KvCapacity
from arena.schedule.footprint import KvDemand, QueuedMatch, SharedPrefix, kv_demands
from tests.schedule.reference import policy_of

SEATS = tuple(f"seat {number}" for number in range(6))
PREFIXES = tuple(SharedPrefix(key=f"script/{seat}", tokens=8000) for seat in SEATS)
PEAK = 6 * 4000
TURNS = 12


def demand(endpoint: str = "gpu") -> tuple[KvDemand, ...]:
    return (KvDemand(endpoint=endpoint, prefixes=PREFIXES, peak=PEAK),)


def new_controller(tokens: int, policy: AdmissionPolicy | None = None) -> AdmissionController:
    return AdmissionController(
        {"gpu": KvCapacity(endpoint="gpu", tokens=tokens, block_size=16)},
        policy=policy or policy_of(),
    )


def queue_of(count: int) -> list[QueuedMatch]:
    needs = demand()
    return [
        QueuedMatch(match=f"match-{number:05d}", script="s", pair=("A", "B"), demands=needs)
        for number in range(count)
    ]


def turn(size: float) -> TurnUsage:
    return TurnUsage(prompt=int(size) - 100, output=100, predicted=0, reported=None)


def play(controller: AdmissionController, factor: float, ends: int) -> list[int]:
    """Play matches of `factor` x the predicted length; return the actual tokens per round."""
    done: dict[str, int] = {}
    loads: list[int] = []
    controller.admit()
    while ends > 0:
        going = [match for match in controller.live if controller.is_runnable(match)]
        for match in going:
            done[match] = done.get(match, 0) + 1
            for seat in SEATS:
                controller.record_turn(
                    match, seat, "gpu", turn(8000 + 4000 * factor * done[match] / TURNS)
                )
        real = sum(6 * 4000 * factor * done[match] / TURNS for match in going)
        loads.append(int(6 * 8000 + real))
        for match in going:
            if done[match] == TURNS:
                controller.finish(match)
                ends -= 1
        controller.admit()
    return loads


@pytest.mark.parametrize("factor", [0.5, 0.75, 1.0, 1.5])
def test_projections_converge_to_the_actual_length(factor: float) -> None:
    controller = new_controller(1_000_000, policy_of(adapt=False))
    controller.enqueue(queue_of(400))
    loads = play(controller, factor, 150)
    assert len(controller.paused) == 0
    share, many = sum(one.tokens for one in PREFIXES), len(controller.live)
    projected = (controller.reserved("gpu") - share) / many / PEAK
    assert projected == pytest.approx(factor, rel=0.05)
    assert many == pytest.approx((800_000 - share) / (PEAK * factor), rel=0.1)
    assert max(loads[-TURNS:]) <= 1_000_000


def test_an_incomplete_match_does_not_change_the_correction() -> None:
    controller = new_controller(1_000_000)
    controller.enqueue(queue_of(62))
    first = controller.admit()
    for match in first:
        for seat in SEATS:
            controller.record_turn(match, seat, "gpu", turn(8100))
    for match in first:
        controller.finish(match, complete=False)
    assert len(controller.admit()) == len(first) == 31


def test_a_finished_match_corrects_all_projections() -> None:
    controller = new_controller(1_000_000)
    controller.enqueue(queue_of(40))
    first, *others = controller.admit()
    for seat in SEATS:
        controller.record_turn(first, seat, "gpu", turn(8000 + 2000))
    controller.finish(first)
    learnt = (0.95 + 0.5) / 1.95
    assert controller.reserved("gpu") == 48_000 + len(others) * int(PEAK * learnt)
    assert len(controller.admit()) == 40 - 31


def test_a_match_larger_than_its_projection_reserves_its_size() -> None:
    controller = new_controller(1_000_000)
    controller.enqueue(queue_of(1))
    controller.admit()
    assert controller.reserved("gpu") == 48_000 + PEAK
    for seat in SEATS:
        controller.record_turn("match-00000", seat, "gpu", turn(16_000))
    assert controller.reserved("gpu") == 48_000 + 48_000


def test_a_queued_match_takes_less_than_two_kilobytes() -> None:
    controller, count = new_controller(1_000_000), 10_000
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        controller.enqueue(queue_of(count))
        each = (tracemalloc.get_traced_memory()[0] - before) / count
    finally:
        tracemalloc.stop()
    assert each < 2000
    assert each < 500, "a queued match is its id, a QueuedMatch and two queue entries"


class TraceFunction(Protocol):
    def __call__(self, frame: FrameType, event: str, arg: object, /) -> "TraceFunction": ...


def lines_run(work: Callable[[], object]) -> int:
    """Return how many lines of Python `work` executes: a clock without noise."""
    count = 0

    def trace(frame: FrameType, event: str, arg: object) -> TraceFunction:
        nonlocal count
        count += event == "line"
        return trace

    old = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(old)
    return count


def work_of_a_turn(queued: int, live: int) -> int:
    controller = new_controller(10**9, policy_of(max_live=live))
    controller.enqueue(queue_of(queued + live))
    assert len(controller.admit()) == live
    seen = TurnUsage(prompt=12_000, output=150, predicted=11_000, reported=11_000)

    def one() -> None:
        controller.record_turn("match-00003", SEATS[2], "gpu", seen)
        controller.admit()
        controller.is_runnable("match-00003")
        controller.arrival_index("match-00003")

    return lines_run(one)


def test_the_cost_of_a_turn_does_not_depend_on_queued_and_live_matches() -> None:
    assert work_of_a_turn(10_000, 100) == work_of_a_turn(10, 100) == work_of_a_turn(10, 5)


def work_of_a_finish(queued: int) -> int:
    controller = new_controller(1_000_000)
    controller.enqueue(queue_of(queued + 31))
    assert len(controller.admit()) == 31

    def one() -> None:
        controller.finish("match-00003", complete=False)
        assert controller.admit() == ("match-00031",)

    return lines_run(one)


def test_the_cost_of_a_finish_does_not_depend_on_queued_matches() -> None:
    assert work_of_a_finish(10_000) == work_of_a_finish(10)


def test_a_demand_sums_the_seats_of_its_endpoint() -> None:
    where = {"p": "b", "q": "a", "r": "b"}
    prefixes = {seat: SharedPrefix(key=seat, tokens=10) for seat in where}
    assert kv_demands(where, prefixes, {"p": 1, "q": 2, "r": 4}) == (
        KvDemand(endpoint="a", prefixes=(prefixes["q"],), peak=2),
        KvDemand(endpoint="b", prefixes=(prefixes["p"], prefixes["r"]), peak=5),
    )


def test_invalid_values_are_rejected() -> None:
    with pytest.raises(ValueError, match="capacity of 'a' must have tokens >= 1"):
        KvCapacity(endpoint="a", tokens=0, block_size=16)
    twice = (*demand(), *demand())
    with pytest.raises(
        ValueError, match="match 'm' must have one demand per endpoint, got gpu, gpu"
    ):
        QueuedMatch(match="m", script="s", pair=("A", "B"), demands=twice)
