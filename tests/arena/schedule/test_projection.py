"""Projected tokens follow what is seen; scheduling costs do not grow with the queue."""

import sys
import tracemalloc
from collections.abc import Callable, Mapping
from types import FrameType
from typing import Protocol

import pytest

from arena.schedule.admission import AdmissionController, AdmissionPolicy, TurnUsage
from arena.schedule.capacity import KvCapacity
from arena.schedule.context_growth import GrowthFactors
from arena.schedule.footprint import (
    Footprint,
    KvDemand,
    PlannedTokens,
    PlannedTurn,
    QueuedMatch,
    SharedPrefix,
)
from tests.arena.schedule.reference import policy_of

SEATS = tuple(f"seat {number}" for number in range(6))
HEADER = 1000
TURNS = 12
TEXT, PICTURE, SPEECH = 40, 500, 120
"""Planned tokens that each turn adds to its seat's log: counted text, a picture, a reply."""


def planned(speech: int = SPEECH) -> Mapping[str, tuple[PlannedTurn, ...]]:
    def turn(place: int, seat: str, number: int) -> PlannedTurn:
        tokens = PlannedTokens(
            text=TEXT * (number + 1),
            pictures=PICTURE * (number + 1),
            speech={"speak": speech * (number + 1)},
        )
        return PlannedTurn(
            number=number * len(SEATS) + place,
            request=f"{seat}/{number}",
            kind="speak",
            reply=speech,
            tokens=tokens,
        )

    return {
        seat: tuple(turn(place, seat, number) for number in range(TURNS))
        for place, seat in enumerate(SEATS)
    }


def footprint(*, is_exact: bool = True) -> Footprint:
    prefixes = {seat: SharedPrefix(key=f"script/{seat}", tokens=HEADER) for seat in SEATS}
    return Footprint(prefixes=prefixes, turns=planned(), is_exact=is_exact)


def new_controller(tokens: int, policy: AdmissionPolicy | None = None) -> AdmissionController:
    return AdmissionController(
        {"gpu": KvCapacity(endpoint="gpu", tokens=tokens, block_size=16)},
        policy=policy or policy_of(),
    )


def queue_of(count: int, *, is_exact: bool = True) -> list[QueuedMatch]:
    choice = (KvDemand(endpoint="gpu", footprint=footprint(is_exact=is_exact)),)
    return [
        QueuedMatch(match=f"match-{number:05d}", script="s", pair=("A", "B"), choices=(choice,))
        for number in range(count)
    ]


def play_turns(
    controller: AdmissionController,
    match: str,
    turns: range,
    *,
    reply: int,
    scale: float = 1.0,
    seats: tuple[str, ...] = SEATS,
) -> None:
    """Play turns of `seats` with replies of `reply` tokens; texts and pictures are `scale`d."""
    for number in turns:
        for seat in seats:
            counted = scale * (HEADER + (TEXT + PICTURE) * (number + 1))
            usage = TurnUsage(
                prompt=round(counted) + reply * number,
                output=reply,
                predicted=0,
                reported=None,
                request=f"{seat}/{number}",
            )
            controller.begin_call("gpu", now=0.0)
            controller.record_call(match, seat, "gpu", usage)


PEAK = len(SEATS) * TURNS * (TEXT + PICTURE + SPEECH)


@pytest.mark.parametrize("reply", [30, 120, 400])
def test_the_projection_follows_the_lengths_of_replies_within_a_match(reply: int) -> None:
    controller = new_controller(1_000_000)
    controller.enqueue(queue_of(1))
    controller.admit()
    assert controller.reserved("gpu") == 6 * HEADER + PEAK
    play_turns(controller, "match-00000", range(3), reply=reply)
    actual = len(SEATS) * TURNS * (TEXT + PICTURE + reply)
    assert controller.own_tokens("match-00000")[1] == pytest.approx(actual, rel=0.1)


@pytest.mark.parametrize("scale", [0.4, 1.0, 2.0])
def test_the_projection_follows_the_tokens_of_a_model_that_is_not_known(scale: float) -> None:
    controller = new_controller(10_000_000)
    controller.enqueue(queue_of(1, is_exact=False))
    controller.admit()
    play_turns(controller, "match-00000", range(3), reply=SPEECH, scale=scale)
    own = scale * (HEADER + TURNS * (TEXT + PICTURE)) + TURNS * SPEECH - HEADER
    assert controller.own_tokens("match-00000")[1] == pytest.approx(len(SEATS) * own, rel=0.1)


def test_what_one_match_teaches_holds_for_the_others() -> None:
    controller = new_controller(1_000_000)
    controller.enqueue(queue_of(2))
    controller.admit()
    play_turns(controller, "match-00000", range(6), reply=SPEECH // 4)
    assert controller.own_tokens("match-00001")[1] < 0.9 * PEAK


def test_matches_that_began_at_other_times_need_less_than_their_peaks_together() -> None:
    controller = new_controller(10_000_000)
    controller.enqueue(queue_of(2))
    controller.admit()
    play_turns(controller, "match-00000", range(11), reply=SPEECH)
    reserved = controller.reserved("gpu") - 6 * HEADER
    assert PEAK < reserved < 1.5 * PEAK


def test_many_matches_at_different_requests_are_projected_between_one_and_all_of_their_peaks() -> (
    None
):
    controller = new_controller(100_000_000)
    controller.enqueue(queue_of(TURNS * len(SEATS)))
    for number, match in enumerate(controller.admit()):
        turns, seats = divmod(number, len(SEATS))
        play_turns(controller, match, range(turns), reply=SPEECH)
        play_turns(controller, match, range(turns, turns + 1), reply=SPEECH, seats=SEATS[:seats])
    reserved = controller.reserved("gpu") - 6 * HEADER
    now = sum(controller.own_tokens(match)[0] for match in controller.live)
    assert now <= reserved <= 0.75 * PEAK * len(controller.live)


def test_a_match_without_pictures_teaches_nothing_of_pictures() -> None:
    growth = GrowthFactors(is_exact=False)
    turn = PlannedTurn(number=0, request="r", kind="k", reply=0, tokens=PlannedTokens(text=1_000))
    growth.update(turn, context=2_000, output=0, header=0)
    text, pictures = growth.of(())
    assert text > 1.5
    assert pictures == 1.0


def test_the_blocks_of_a_match_that_is_over_are_free_only_after_the_others_went_on() -> None:
    controller = new_controller(6 * HEADER + 2 * PEAK, policy_of(adapt=False))
    controller.enqueue(queue_of(3))
    assert len(controller.admit()) == 1, "0.8 of the capacity is reserved at most"
    play_turns(controller, "match-00000", range(TURNS), reply=SPEECH)
    controller.finish("match-00000")
    assert controller.admit() == ("match-00001",), "an idle endpoint takes any match"
    play_turns(controller, "match-00001", range(1), reply=SPEECH)
    assert controller.reserved("gpu") == pytest.approx(6 * HEADER + PEAK, rel=0.05)


def test_a_resumed_match_is_taken_to_be_where_its_requests_say() -> None:
    controller = new_controller(1_000_000)
    controller.enqueue(queue_of(1))
    controller.admit()
    play_turns(controller, "match-00000", range(TURNS - 1, TURNS), reply=SPEECH)
    now, most, seats = controller.own_tokens("match-00000")
    assert now == pytest.approx(PEAK, rel=0.05)
    assert most == pytest.approx(PEAK, rel=0.1)
    assert seats == len(SEATS)


@pytest.mark.slow
def test_a_queued_match_takes_less_than_a_kilobyte() -> None:
    controller, count = new_controller(1_000_000), 10_000
    matches = queue_of(count)
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        controller.enqueue(matches)
        each = (tracemalloc.get_traced_memory()[0] - before) / count
    finally:
        tracemalloc.stop()
    assert each < 600, "its place in the queue"


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


def work_of_turns(queued: int, live: int) -> float:
    """Return the lines that a turn costs on average, over as many turns as matches are live."""
    controller = new_controller(10**12, policy_of(max_live=live))
    controller.enqueue(queue_of(queued + live))
    assert len(controller.admit()) == live
    seen = TurnUsage(prompt=12_000, output=150, predicted=11_000, reported=11_000)

    def some() -> None:
        for _ in range(live):
            controller.begin_call("gpu", now=0.0)
            controller.record_call("match-00003", SEATS[2], "gpu", seen)
            controller.admit()
            controller.arrival_index("match-00003")

    return lines_run(some) / live


def test_the_cost_of_a_turn_does_not_depend_on_the_queue_and_hardly_on_live_matches() -> None:
    assert work_of_turns(10_000, 100) == work_of_turns(10, 100)
    assert work_of_turns(10, 200) < 1.5 * work_of_turns(10, 20)


def work_of_a_finish(queued: int) -> int:
    controller = new_controller(6 * HEADER + 31 * PEAK, policy_of(limit_kv=False, max_live=31))
    controller.enqueue(queue_of(queued + 31))
    assert len(controller.admit()) == 31

    def one() -> None:
        controller.finish("match-00003")
        assert controller.admit() == ("match-00031",)

    return lines_run(one)


def test_the_cost_of_a_finish_does_not_depend_on_queued_matches() -> None:
    assert work_of_a_finish(10_000) == work_of_a_finish(10)


def test_invalid_values_are_rejected() -> None:
    with pytest.raises(ValueError, match="capacity of 'a' must have tokens >= 1"):
        KvCapacity(endpoint="a", tokens=0, block_size=16)
    twice = (KvDemand(endpoint="gpu", footprint=footprint()),) * 2
    with pytest.raises(
        ValueError, match="match 'm' must have one demand per endpoint, got gpu, gpu"
    ):
        QueuedMatch(match="m", script="s", pair=("A", "B"), choices=(twice,))
