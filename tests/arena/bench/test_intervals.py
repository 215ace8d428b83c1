"""Means and ratios with their intervals."""

from math import exp, log, sqrt
from random import Random

import pytest

from arena.bench.intervals import MeanInterval, mean_interval, paired_ratio


def test_five_repetitions_give_the_interval_of_a_textbook() -> None:
    found = mean_interval([10.0, 12.0, 11.0, 13.0, 9.0])
    half = 2.776445 * sqrt(2.5) / sqrt(5)
    assert found.mean == 11.0
    assert (found.low, found.high) == (pytest.approx(11 - half), pytest.approx(11 + half))


def test_the_interval_holds_the_truth_in_95_of_100_cases() -> None:
    chance = Random(3)
    held = 0
    for _ in range(2000):
        found = mean_interval([chance.gauss(7, 2) for _ in range(5)])
        assert found.low is not None
        assert found.high is not None
        held += found.low <= 7 <= found.high
    assert 0.935 < held / 2000 < 0.965


def test_one_repetition_has_a_mean_and_no_interval() -> None:
    assert mean_interval([4.0]) == MeanInterval(mean=4.0, low=None, high=None)
    found = paired_ratio([4.0], [2.0])
    assert (found.low, found.high) == (None, None)
    assert found.mean == pytest.approx(2.0)


def test_a_ratio_is_paired_by_repetition() -> None:
    found = paired_ratio([2.0, 20.0, 200.0], [1.0, 10.0, 100.0])
    assert found.mean == found.low == found.high == pytest.approx(2.0)


def test_a_ratio_the_other_way_round_is_its_inverse() -> None:
    a, b = [3.0, 4.0, 5.5, 4.2], [1.0, 2.1, 2.0, 1.7]
    there, back = paired_ratio(a, b), paired_ratio(b, a)
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
        paired_ratio(above, below)
