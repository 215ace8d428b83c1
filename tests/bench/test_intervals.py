"""Means and ratios with their intervals."""

from math import exp, gamma, log, pi, sqrt
from random import Random

import pytest

from arena.bench.intervals import Interval, interval, ratio, student_t


def probability_within(t: float, freedom: int) -> float:
    """Return how much of Student's density lies in [-t, t], by Simpson's rule."""
    scale = gamma((freedom + 1) / 2) / (sqrt(freedom * pi) * gamma(freedom / 2))
    steps = 20_000

    def density(x: float) -> float:
        return scale * (1 + x * x / freedom) ** (-(freedom + 1) / 2)

    inner = sum(density(t * n / steps) * (4 if n % 2 else 2) for n in range(1, steps))
    return 2 * (density(0) + density(t) + inner) * t / steps / 3


@pytest.mark.parametrize("freedom", [*range(1, 36), 60, 200])
def test_the_points_of_student_hold_95_percent(freedom: int) -> None:
    assert probability_within(student_t(freedom), freedom) == pytest.approx(0.95, abs=5e-5)


def test_five_repetitions_give_the_interval_of_a_textbook() -> None:
    found = interval([10.0, 12.0, 11.0, 13.0, 9.0])
    half = 2.776 * sqrt(2.5) / sqrt(5)
    assert found.mean == 11.0
    assert (found.low, found.high) == (pytest.approx(11 - half), pytest.approx(11 + half))
    assert found.count == 5


def test_the_interval_holds_the_truth_in_95_of_100_cases() -> None:
    chance = Random(3)
    held = 0
    for _ in range(2000):
        found = interval([chance.gauss(7, 2) for _ in range(5)])
        assert found.low is not None
        assert found.high is not None
        held += found.low <= 7 <= found.high
    assert 0.935 < held / 2000 < 0.965


def test_one_repetition_has_a_mean_and_no_interval() -> None:
    assert interval([4.0]) == Interval(mean=4.0, low=None, high=None, count=1)
    found = ratio([4.0], [2.0])
    assert (found.low, found.high, found.count) == (None, None, 1)
    assert found.mean == pytest.approx(2.0)


def test_a_ratio_is_paired_by_repetition() -> None:
    found = ratio([2.0, 20.0, 200.0], [1.0, 10.0, 100.0])
    assert found.mean == found.low == found.high == pytest.approx(2.0)


def test_a_ratio_the_other_way_round_is_its_inverse() -> None:
    a, b = [3.0, 4.0, 5.5, 4.2], [1.0, 2.1, 2.0, 1.7]
    there, back = ratio(a, b), ratio(b, a)
    assert there.low is not None
    assert there.mean * back.mean == pytest.approx(1)
    assert there.low * (back.high or 0) == pytest.approx(1)
    mean = sum(log(x / y) for x, y in zip(a, b, strict=True)) / 4
    assert there.mean == pytest.approx(exp(mean))


@pytest.mark.parametrize(
    ("above", "below"), [([], []), ([1.0], [1.0, 2.0]), ([1.0, 0.0], [1.0, 1.0]), ([1.0], [-1.0])]
)
def test_what_has_no_ratio_is_refused(above: list[float], below: list[float]) -> None:
    with pytest.raises(ValueError, match=r"wanted|needs"):
        ratio(above, below)


def test_degrees_of_freedom_begin_at_one() -> None:
    with pytest.raises(ValueError, match="freedom must be >= 1, got 0"):
        student_t(0)
