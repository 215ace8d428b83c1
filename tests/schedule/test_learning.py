"""Projections follow the matches that end; and a parked match costs next to nothing."""

import sys
import tracemalloc
from collections.abc import Callable
from types import FrameType
from typing import Protocol

import pytest

from arena.schedule.book import Book, Policy, Turn
from arena.schedule.capacity import Capacity
from arena.schedule.footprint import Demand, Offer, Share, demands
from tests.schedule.making import policy_of

SEATS = tuple(f"seat {number}" for number in range(6))
SHARES = tuple(Share(key=f"script/{seat}", tokens=8000) for seat in SEATS)
PEAK = 6 * 4000
TURNS = 12


def demand(endpoint: str = "gpu") -> tuple[Demand, ...]:
    return (Demand(endpoint=endpoint, shares=SHARES, peak=PEAK),)


def book(tokens: int, policy: Policy | None = None) -> Book:
    return Book(
        {"gpu": Capacity(endpoint="gpu", tokens=tokens, block=16)}, policy=policy or policy_of()
    )


def offered(count: int) -> list[Offer]:
    needs = demand()
    return [
        Offer(match=f"match-{number:05d}", script="s", pair=("A", "B"), demands=needs)
        for number in range(count)
    ]


def turn(size: float) -> Turn:
    return Turn(prompt=int(size) - 100, output=100, predicted=0, reported=None)


def play(kept: Book, factor: float, ends: int) -> list[int]:
    """Play matches that get `factor` as long as predicted; return the real load of each moment."""
    done: dict[str, int] = {}
    loads: list[int] = []
    kept.admit()
    while ends > 0:
        going = [match for match in kept.live if kept.may_go_on(match)]
        for match in going:
            done[match] = done.get(match, 0) + 1
            for seat in SEATS:
                kept.learn(match, seat, "gpu", turn(8000 + 4000 * factor * done[match] / TURNS))
        real = sum(6 * 4000 * factor * done[match] / TURNS for match in going)
        loads.append(int(6 * 8000 + real))
        for match in going:
            if done[match] == TURNS:
                kept.end(match)
                ends -= 1
        kept.admit()
    return loads


@pytest.mark.parametrize("factor", [0.5, 0.75, 1.0, 1.5])
def test_matches_half_as_long_or_half_as_long_again_are_soon_projected_right(factor: float) -> None:
    kept = book(1_000_000, policy_of(adapt=False))
    kept.offer(offered(400))
    loads = play(kept, factor, 150)
    assert len(kept.paused) == 0
    share, many = sum(one.tokens for one in SHARES), len(kept.live)
    projected = (kept.used("gpu") - share) / many / PEAK
    assert projected == pytest.approx(factor, rel=0.05)
    assert many == pytest.approx((800_000 - share) / (PEAK * factor), rel=0.1)
    assert max(loads[-TURNS:]) <= 1_000_000


def test_a_match_that_broke_off_teaches_nothing() -> None:
    kept = book(1_000_000)
    kept.offer(offered(62))
    first = kept.admit()
    for match in first:
        for seat in SEATS:
            kept.learn(match, seat, "gpu", turn(8100))
    for match in first:
        kept.end(match, whole=False)
    assert len(kept.admit()) == len(first) == 31


def test_an_end_corrects_the_projections_of_all_that_run() -> None:
    kept = book(1_000_000)
    kept.offer(offered(40))
    first, *others = kept.admit()
    for seat in SEATS:
        kept.learn(first, seat, "gpu", turn(8000 + 2000))
    kept.end(first)
    learnt = (0.95 + 0.5) / 1.95
    assert kept.used("gpu") == 48_000 + len(others) * int(PEAK * learnt)
    assert len(kept.admit()) == 40 - 31


def test_a_live_match_counts_as_it_is_where_it_outgrew_its_projection() -> None:
    kept = book(1_000_000)
    kept.offer(offered(1))
    kept.admit()
    assert kept.used("gpu") == 48_000 + PEAK
    for seat in SEATS:
        kept.learn("match-00000", seat, "gpu", turn(16_000))
    assert kept.used("gpu") == 48_000 + 48_000


def test_a_parked_match_takes_less_than_two_kilobytes() -> None:
    kept, count = book(1_000_000), 10_000
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        kept.offer(offered(count))
        each = (tracemalloc.get_traced_memory()[0] - before) / count
    finally:
        tracemalloc.stop()
    assert each < 2000
    assert each < 500, "a parked match is its id, an offer, and two places in a queue"


class TraceFunction(Protocol):
    def __call__(self, frame: FrameType, event: str, arg: object, /) -> "TraceFunction": ...


def lines_run(work: Callable[[], object]) -> int:
    """Return how many lines of Python run in `work`: a clock that is never late."""
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


def work_of_a_turn(parked: int, live: int) -> int:
    kept = book(10**9, policy_of(most_live=live))
    kept.offer(offered(parked + live))
    assert len(kept.admit()) == live
    seen = Turn(prompt=12_000, output=150, predicted=11_000, reported=11_000)

    def one() -> None:
        kept.learn("match-00003", SEATS[2], "gpu", seen)
        kept.admit()
        kept.may_go_on("match-00003")
        kept.rank("match-00003")

    return lines_run(one)


def test_a_turn_costs_the_same_with_many_parked_and_many_live() -> None:
    assert work_of_a_turn(10_000, 100) == work_of_a_turn(10, 100) == work_of_a_turn(10, 5)


def work_of_an_end(parked: int) -> int:
    kept = book(1_000_000)
    kept.offer(offered(parked + 31))
    assert len(kept.admit()) == 31

    def one() -> None:
        kept.end("match-00003", whole=False)
        assert kept.admit() == ("match-00031",)

    return lines_run(one)


def test_an_end_costs_the_same_with_many_parked() -> None:
    assert work_of_an_end(10_000) == work_of_an_end(10)


def test_seats_of_an_endpoint_are_summed_in_its_demand() -> None:
    where = {"p": "b", "q": "a", "r": "b"}
    shares = {seat: Share(key=seat, tokens=10) for seat in where}
    assert demands(where, shares, {"p": 1, "q": 2, "r": 4}) == (
        Demand(endpoint="a", shares=(shares["q"],), peak=2),
        Demand(endpoint="b", shares=(shares["p"], shares["r"]), peak=5),
    )


def test_values_that_mean_nothing_are_refused() -> None:
    with pytest.raises(ValueError, match="capacity of 'a' must have tokens >= 1"):
        Capacity(endpoint="a", tokens=0, block=16)
    twice = (*demand(), *demand())
    with pytest.raises(
        ValueError, match="match 'm' must have one demand an endpoint, got gpu, gpu"
    ):
        Offer(match="m", script="s", pair=("A", "B"), demands=twice)
