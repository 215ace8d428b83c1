"""Bootstrap over clusters."""

from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from eval.stats.bootstrap import (
    bootstrap_clusters,
    bootstrap_ratio,
    draw_clusters,
    error_interval,
    percentile_interval,
    tail_share,
)
from eval.stats.confidence_intervals import clustered_ratio, t_interval


def test_every_resample_has_as_many_clusters_as_there_are() -> None:
    drawn = draw_clusters(7, resamples=100, seed=1)
    assert drawn.shape == (100, 7)
    assert (drawn.sum(axis=1) == 7).all()


def test_the_same_seed_draws_the_same_clusters() -> None:
    first, again = (draw_clusters(7, resamples=50, seed=3) for _ in range(2))
    assert (first == again).all()
    assert (first != draw_clusters(7, resamples=50, seed=4)).any()


def test_the_bootstrap_of_five_clusters_has_the_percentiles_of_all_its_resamples() -> None:
    numerators, denominators = [1.0, 2.0, 0.0, 3.0, 2.0], [4.0, 4.0, 5.0, 4.0, 3.0]
    every = [
        sum(numerators[i] for i in drawn) / sum(denominators[i] for i in drawn)
        for drawn in product(range(5), repeat=5)
    ]
    interval = bootstrap_ratio(numerators, denominators, percentiles="percentile")
    assert interval is not None
    low, high = np.quantile(every, [0.025, 0.975])
    assert interval.low == pytest.approx(low, abs=0.02)
    assert interval.high == pytest.approx(high, abs=0.02)


def test_a_ratio_and_the_same_as_a_general_statistic_have_one_interval() -> None:
    above, below = np.array([1.0, 2, 0, 3, 2, 1]), np.array([4.0, 4, 5, 4, 3, 6])

    def ratio(drawn: NDArray[np.intp]) -> float:
        return float(above[drawn].sum() / below[drawn].sum())

    fast = bootstrap_ratio(list(above), list(below), resamples=500)
    slow = bootstrap_clusters(ratio, 6, resamples=500)
    assert fast is not None
    assert slow is not None
    assert (fast.low, fast.high) == pytest.approx((slow.low, slow.high))


def test_the_interval_of_the_bootstrap_error_of_a_mean_is_nearly_students() -> None:
    values = [0.1, 0.7, 0.2, 0.9, 0.4, 0.4]
    drawn = draw_clusters(6, resamples=20_000)
    known: NDArray[np.float64] = drawn @ np.array(values) / 6
    interval = error_interval(0.45, np.append(known, np.nan), 6, seed=1)
    wanted = t_interval(clustered_ratio(values, [1.0] * 6))
    assert interval is not None
    assert wanted is not None
    assert interval.dropped == 1
    assert (interval.low, interval.high) == pytest.approx((wanted.low, wanted.high), abs=0.01)
    assert error_interval(0.45, known, 4, seed=1) is None


def test_fewer_than_5_clusters_have_no_interval() -> None:
    assert bootstrap_ratio([1, 0, 1, 1], [1, 1, 1, 1]) is None
    assert bootstrap_ratio([1, 0, 1, 1, 0], [1, 1, 1, 1, 1]) is not None


def test_equal_clusters_give_a_point_that_says_so() -> None:
    interval = bootstrap_ratio([1] * 6, [2] * 6, resamples=50)
    assert interval is not None
    assert (interval.low, interval.high) == (0.5, 0.5)
    assert "all resamples equal" in interval.method


def test_undefined_resamples_are_left_out_and_counted() -> None:
    interval = bootstrap_ratio([1, 2, 0, 0, 0], [1, 4, 0, 0, 0], resamples=1000)
    assert interval is not None
    share = interval.dropped / 1000
    assert share == pytest.approx(0.6**5, abs=0.03)
    assert f"{interval.dropped} undefined" in interval.method
    assert interval.low >= 0.5


def test_a_statistic_that_is_never_defined_has_no_interval() -> None:
    assert percentile_interval(np.full(10, np.nan), 8, seed=1) is None


def test_the_interval_names_clusters_resamples_and_seed() -> None:
    interval = bootstrap_ratio([1, 0, 1, 1, 0], [1] * 5, resamples=20, seed=9)
    assert interval is not None
    assert interval.method == "expanded cluster bootstrap, clusters: 5, B = 20, seed 9"


def test_expanded_percentiles_lie_further_out_for_few_clusters_and_meet_the_plain_ones() -> None:
    assert tail_share(5) == pytest.approx(0.00096, abs=2e-5)
    assert tail_share(20) == pytest.approx(0.0159, abs=2e-4)
    assert tail_share(100_000) == pytest.approx(0.025, abs=1e-5)
