"""Intervals by formula."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.stats.confidence_intervals import (
    clustered_mean,
    clustered_ratio,
    log_odds_interval,
    t_interval,
    wilson,
)


@given(n=st.integers(1, 200), share=st.floats(0, 1))
def test_the_interval_of_wilson_holds_the_rate_and_stays_within_0_and_1(
    n: int, share: float
) -> None:
    k = round(share * n)
    interval = wilson(k, n)
    assert 0 <= interval.low <= k / n <= interval.high <= 1


def test_no_trials_say_nothing_of_a_rate() -> None:
    interval = wilson(0, 0)
    assert (interval.low, interval.high) == (0, 1)


def test_a_higher_level_makes_a_wider_interval() -> None:
    narrow, wide = wilson(12, 48, 0.9), wilson(12, 48, 0.99)
    assert wide.low < narrow.low < narrow.high < wide.high


def test_one_cluster_has_no_error_and_no_interval() -> None:
    found = clustered_mean([[1.0, 0.0, 1.0]])
    assert found.mean == pytest.approx(2 / 3)
    assert found.error is None
    assert t_interval(found) is None
    assert log_odds_interval(found) is None


def test_clusters_of_one_match_have_the_common_standard_error_of_a_mean() -> None:
    values = [0.0, 1.0, 1.0, 0.0, 1.0, 3.0]
    found = clustered_mean([[value] for value in values])
    assert found.mean == 1
    assert found.error == pytest.approx((6 / 5 / 6) ** 0.5)
    interval = t_interval(found)
    assert interval is not None
    assert interval.high - 1 == pytest.approx(2.570582 * (1 / 5) ** 0.5, rel=1e-6)


def test_matches_that_are_alike_in_a_cluster_make_the_error_larger() -> None:
    alike = clustered_mean([[1, 1], [0, 0], [1, 1], [0, 0]])
    mixed = clustered_mean([[1, 0], [0, 1], [1, 0], [0, 1]])
    assert alike.error is not None
    assert alike.error > 0
    assert mixed.error == 0


def test_the_error_of_a_ratio_takes_the_denominator_into_account() -> None:
    found = clustered_ratio([1, 2, 3], [2, 4, 6])
    assert (found.mean, found.error) == (0.5, 0)


def test_a_ratio_without_denominator_is_refused() -> None:
    with pytest.raises(ValueError, match="above 0"):
        clustered_ratio([0], [0])


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(5, 9)), min_size=5, max_size=12))
def test_the_interval_of_log_odds_stays_within_0_and_1_and_holds_the_rate(
    cells: list[tuple[int, int]],
) -> None:
    found = clustered_ratio([k for k, _ in cells], [n for _, n in cells])
    interval = log_odds_interval(found)
    if interval is not None:
        assert 0 <= interval.low <= found.mean <= interval.high <= 1


def test_the_interval_of_log_odds_needs_5_clusters_that_differ() -> None:
    assert log_odds_interval(clustered_ratio([1, 0, 1, 0], [2, 2, 2, 2])) is None
    assert log_odds_interval(clustered_ratio([1] * 6, [3] * 6)) is None
    assert log_odds_interval(clustered_ratio([0] * 6, [3] * 6)) is None
    assert log_odds_interval(clustered_ratio([1, 0, 1, 0, 2], [2] * 5)) is not None


def test_the_interval_of_log_odds_is_that_of_the_delta_method() -> None:
    """Mean .4, error sqrt(3.5)/10, t(4) = 2.776445: -.405465 +- 2.164255 on log-odds."""
    interval = log_odds_interval(clustered_ratio([1, 0, 1, 0, 2], [2] * 5))
    assert interval is not None
    assert interval.low == pytest.approx(0.071107, abs=1e-5)
    assert interval.high == pytest.approx(0.853057, abs=1e-4)
