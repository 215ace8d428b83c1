"""Alpha falls fast on misses, rises slowly on clean windows, and keeps within its bounds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.schedule.alpha import Alpha
from tests.schedule.making import START, UNHURRIED

TURN = st.tuples(st.integers(0, 20_000), st.integers(0, 20_000), st.integers(0, 300))


def after(alpha: Alpha, turns: int, *, missed: float = 0.0, seats: int = 0) -> Alpha:
    for _ in range(turns):
        alpha = alpha.after(1000, round(1000 * (1 - missed)), seats=seats)
    return alpha


@UNHURRIED
@given(
    turns=st.lists(TURN, max_size=400),
    start=st.floats(0.5, 1.1),
    window=st.integers(1, 20),
)
def test_alpha_stays_within_its_bounds(
    turns: list[tuple[int, int, int]], start: float, window: int
) -> None:
    alpha = Alpha(value=start, least_window=window)
    for predicted, reported, seats in turns:
        moved = alpha.after(predicted, reported, seats=seats)
        assert 0.5 <= moved.value <= 1.1
        assert moved.value <= alpha.value + alpha.step + 1e-12
        assert moved.value >= alpha.value * alpha.cut - 1e-12
        alpha = moved


def test_a_clean_window_adds_a_step_and_only_at_its_end() -> None:
    assert after(START, 31).value == 0.8
    assert after(START, 32).value == pytest.approx(0.82)
    assert after(START, 63).value == pytest.approx(0.82)
    assert after(START, 64).value == pytest.approx(0.84)
    assert after(START, 32 * 50).value == 1.1


def test_a_window_is_at_least_one_turn_of_each_seat() -> None:
    assert after(START, 99, seats=100).value == 0.8
    assert after(START, 100, seats=100).value == pytest.approx(0.82)


def test_more_than_three_percent_cuts_less_does_not_and_only_clean_rises() -> None:
    assert after(START, 32, missed=0.031).value == pytest.approx(0.68)
    assert after(START, 32, missed=0.029).value == 0.8
    assert after(START, 32, missed=0.006).value == 0.8
    assert after(START, 32, missed=0.005).value == pytest.approx(0.82)


def test_a_cut_comes_as_soon_as_the_window_is_lost() -> None:
    assert after(START, 1, missed=1.0).value == pytest.approx(0.68)
    assert after(START, 1, missed=1.0, seats=100).value == 0.8
    assert after(START, 4, missed=1.0, seats=100).value == pytest.approx(0.68)


def test_after_a_cut_one_turn_of_each_seat_is_not_counted() -> None:
    cut = after(START, 4, missed=1.0, seats=100)
    assert after(cut, 100, missed=1.0, seats=100).value == cut.value
    assert after(cut, 104, missed=1.0, seats=100).value == pytest.approx(0.8 * 0.85**2)
    assert after(cut, 1000, missed=1.0, seats=100).value == 0.5


def test_nothing_rises_while_nobody_waits() -> None:
    alpha = START
    for _ in range(200):
        alpha = alpha.after(1000, 1000, seats=0, pressed=False)
    assert alpha.value == 0.8


def test_a_window_without_a_prediction_proves_nothing() -> None:
    alpha = START
    for _ in range(200):
        alpha = alpha.after(0, 500, seats=0)
    assert alpha.value == 0.8


def test_what_is_cached_beyond_the_prediction_makes_up_for_no_miss() -> None:
    alpha = START
    for number in range(32):
        alpha = alpha.after(1000, 2000 if number % 2 else 900, seats=0)
    assert alpha.value == pytest.approx(0.68)


def test_a_value_outside_its_bounds_is_refused() -> None:
    with pytest.raises(ValueError, match=r"alpha must be within 0 < 0\.5 <= alpha <= 1\.1, got 2"):
        Alpha(value=2.0)
