"""Overcommit falls fast on misses, rises slowly in clean windows, and stays within its bounds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.schedule.overcommit import OvercommitController
from tests.arena.schedule.reference import START, UNHURRIED

TURN = st.tuples(st.integers(0, 20_000), st.integers(0, 20_000), st.integers(0, 300))


def run_turns(
    controller: OvercommitController, turns: int, *, missed: float = 0.0, seats: int = 0
) -> OvercommitController:
    for _ in range(turns):
        controller = controller.update(1000, round(1000 * (1 - missed)), seats=seats)
    return controller


@UNHURRIED
@given(
    turns=st.lists(TURN, max_size=400),
    start=st.floats(0.5, 1.1),
    window=st.integers(1, 20),
)
def test_the_value_stays_within_its_bounds(
    turns: list[tuple[int, int, int]], start: float, window: int
) -> None:
    controller = OvercommitController(value=start, min_window=window)
    for predicted, reported, seats in turns:
        moved = controller.update(predicted, reported, seats=seats)
        assert 0.5 <= moved.value <= 1.1
        assert moved.value <= controller.value + controller.increase + 1e-12
        assert moved.value >= controller.value * controller.decrease - 1e-12
        controller = moved


def test_a_clean_window_increases_once_at_its_end() -> None:
    assert run_turns(START, 31).value == 0.8
    assert run_turns(START, 32).value == pytest.approx(0.82)
    assert run_turns(START, 63).value == pytest.approx(0.82)
    assert run_turns(START, 64).value == pytest.approx(0.84)
    assert run_turns(START, 32 * 50).value == 1.1


def test_a_window_has_at_least_one_turn_per_seat() -> None:
    assert run_turns(START, 99, seats=100).value == 0.8
    assert run_turns(START, 100, seats=100).value == pytest.approx(0.82)


def test_more_than_three_percent_misses_decrease_and_only_a_clean_window_increases() -> None:
    assert run_turns(START, 32, missed=0.031).value == pytest.approx(0.68)
    assert run_turns(START, 32, missed=0.029).value == 0.8
    assert run_turns(START, 32, missed=0.006).value == 0.8
    assert run_turns(START, 32, missed=0.005).value == pytest.approx(0.82)


def test_the_decrease_comes_as_soon_as_the_window_is_lost() -> None:
    assert run_turns(START, 1, missed=1.0).value == pytest.approx(0.68)
    assert run_turns(START, 1, missed=1.0, seats=100).value == 0.8
    assert run_turns(START, 4, missed=1.0, seats=100).value == pytest.approx(0.68)


def test_after_a_decrease_one_turn_per_seat_is_ignored() -> None:
    cut = run_turns(START, 4, missed=1.0, seats=100)
    assert run_turns(cut, 100, missed=1.0, seats=100).value == cut.value
    assert run_turns(cut, 104, missed=1.0, seats=100).value == pytest.approx(0.8 * 0.85**2)
    assert run_turns(cut, 1000, missed=1.0, seats=100).value == 0.5


def test_the_value_does_not_rise_without_waiting_matches() -> None:
    controller = START
    for _ in range(200):
        controller = controller.update(1000, 1000, seats=0, pressed=False)
    assert controller.value == 0.8


def test_a_window_without_a_prediction_proves_nothing() -> None:
    controller = START
    for _ in range(200):
        controller = controller.update(0, 500, seats=0)
    assert controller.value == 0.8


def test_hits_beyond_the_prediction_do_not_offset_misses() -> None:
    controller = START
    for number in range(32):
        controller = controller.update(1000, 2000 if number % 2 else 900, seats=0)
    assert controller.value == pytest.approx(0.68)


def test_a_value_outside_its_bounds_is_rejected() -> None:
    with pytest.raises(
        ValueError, match=r"overcommit must be within 0 < 0\.5 <= overcommit <= 1\.1, got 2"
    ):
        OvercommitController(value=2.0)
