"""Agreement of judges."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score  # pyright: ignore[reportMissingTypeStubs, reportUnknownVariableType]

from eval.stats import agreement
from eval.stats.agreement import (
    KappaWeights,
    agreement_interval,
    cohen_kappa,
    kendall_tau_b,
    krippendorff_alpha,
    pearson,
    permutation_p,
    spearman,
)
from eval.stats.correlation import correlate
from eval.stats.untyped import stats

HUMAN = [1, 1, 1, 0, 0, 0, 1, 0]
JUDGE = [1, 1, 0, 0, 0, 1, 1, 0]


def test_rates_of_a_judge_count_its_hits_and_misses() -> None:
    assert agreement.accuracy(HUMAN, JUDGE) == 6 / 8
    assert agreement.precision(HUMAN, JUDGE) == 3 / 4
    assert agreement.recall([1, 1, 0, 0], [1, 0, 0, 0]) == 1 / 2
    assert agreement.precision([1, 1, 0, 0], [1, 0, 0, 0]) == 1
    assert agreement.specificity([1, 0, 0, 0], [1, 1, 0, 0]) == 2 / 3
    assert agreement.f1([1, 1, 0, 0], [1, 0, 0, 0]) == pytest.approx(2 / 3)


def test_rates_without_a_denominator_are_undefined() -> None:
    assert agreement.accuracy([], []) is None
    assert agreement.precision([1, 1], [0, 0]) is None
    assert agreement.recall([0, 0], [1, 1]) is None
    assert agreement.specificity([1, 1], [0, 0]) is None
    assert agreement.f1([0, 0], [0, 0]) is None
    assert agreement.f1([1, 0], [0, 0]) == 0
    assert cohen_kappa([], []) is None


def test_lists_of_unequal_length_are_refused() -> None:
    with pytest.raises(ValueError, match="same items"):
        agreement.accuracy([1], [1, 0])


@pytest.mark.slow
@given(st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), min_size=2, max_size=30))
def test_kappa_is_that_of_scikit_learn(pairs: list[tuple[int, int]]) -> None:
    human, judge = [a for a, _ in pairs], [b for _, b in pairs]
    kinds: list[tuple[KappaWeights, str | None]] = [("none", None), ("quadratic", "quadratic")]
    for weights, theirs in kinds:
        ours = cohen_kappa(human, judge, weights)
        if ours is not None:
            wanted = cohen_kappa_score(human, judge, weights=theirs, labels=[1, 2, 3, 4, 5])
            assert ours == pytest.approx(float(wanted), abs=1e-9)
        else:
            assert len({*human, *judge}) == 1


def test_quadratic_kappa_forgives_a_near_miss_more_than_a_far_one() -> None:
    human = [1, 2, 3, 4, 5]
    near, far = (
        cohen_kappa(human, [2, 2, 3, 4, 5], "quadratic"),
        cohen_kappa(human, [5, 2, 3, 4, 5], "quadratic"),
    )
    assert near is not None
    assert far is not None
    assert near > far


def test_correlations_of_a_constant_side_or_one_item_are_undefined() -> None:
    for statistic in (pearson, spearman, kendall_tau_b):
        assert statistic([1, 1, 1], [1, 2, 3]) is None
        assert statistic([1, 2, 3], [2, 2, 2]) is None
        assert statistic([1], [2]) is None
        assert statistic([], []) is None


def test_spearman_shares_the_rank_of_ties() -> None:
    assert spearman([1, 2, 2, 3], [1, 2, 3, 4]) == pytest.approx(0.9486832980505138)


def test_correlations_are_those_of_scipy() -> None:
    x, y = [0.3, 1.7, 1.7, 2.9, 0.1, 5.5], [1.0, 3.0, 2.0, 2.0, 0.5, 4.0]
    for ours, theirs in (
        (pearson, stats.pearsonr),
        (spearman, stats.spearmanr),
        (kendall_tau_b, stats.kendalltau),
    ):
        assert ours(x, y) == pytest.approx(float(theirs(x, y).statistic))


def test_kendall_of_rankings_is_whole_fifteenths_for_six_roles() -> None:
    assert kendall_tau_b([1, 2, 3, 4, 5, 6], [6, 5, 4, 3, 2, 1]) == -1
    assert kendall_tau_b([1, 2, 3, 4, 5, 6], [1, 2, 3, 6, 5, 4]) == pytest.approx(9 / 15)


def test_alpha_is_that_of_the_known_example() -> None:
    """Four coders, twelve units, with missing values (Krippendorff 2011, nominal: .743)."""
    empty = None
    ratings = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, empty, empty, empty],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, empty, 3],
        [empty, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, empty],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, empty],
    ]
    assert krippendorff_alpha(ratings) == pytest.approx(0.743, abs=5e-4)
    assert krippendorff_alpha(ratings, "interval") == pytest.approx(0.849, abs=5e-4)


def test_alpha_without_pairs_or_variation_is_undefined() -> None:
    assert krippendorff_alpha([]) is None
    assert krippendorff_alpha([[1, None], [None, 2]]) is None
    assert krippendorff_alpha([[1, 1], [1, 1]]) is None
    assert krippendorff_alpha([[1, 2, None], [1, 2, 3]]) == pytest.approx(1)


def test_the_interval_of_agreement_resamples_items_and_holds_the_value() -> None:
    human, judge = HUMAN * 10, JUDGE * 10
    interval = agreement_interval(agreement.accuracy, human, judge)
    assert interval is not None
    assert 0.6 < interval.low < 0.75 < interval.high < 0.9
    assert "clusters: 80" in interval.method


def test_resamples_in_which_one_side_is_constant_are_counted() -> None:
    interval = agreement_interval(pearson, [0, 0, 0, 0, 1, 1], [0, 1, 0, 0, 1, 1])
    assert interval is not None
    assert interval.dropped > 0


def test_the_p_of_few_items_is_exact() -> None:
    assert permutation_p(spearman, [1, 2, 3, 4], [1, 2, 3, 4]) == pytest.approx(2 / 24)
    assert permutation_p(spearman, [1, 1, 1], [1, 2, 3]) is None
    assert permutation_p(spearman, [1], [1]) is None


def test_the_p_of_many_items_is_never_0() -> None:
    ascending = list(range(30))
    p = permutation_p(spearman, ascending, ascending, permutations=200)
    assert p is not None
    assert 0 < p <= 0.02


@pytest.mark.slow
def test_fewer_than_8_contestants_have_no_correlation_but_a_count() -> None:
    few = correlate([1, 2, 3, 4, 5, 6, 7, None], [2, 1, 3, 4, 5, 7, 6, 8])
    assert (few.value, few.interval, few.p, few.count) == (None, None, None, 7)
    enough = correlate([1, 2, 3, 4, 5, 6, 7, 8], [2, 1, 3, 4, 5, 7, 6, 8])
    assert enough.value == pytest.approx(0.952, abs=1e-3)
    assert enough.interval is not None
    assert enough.p is not None
    assert enough.p < 0.01
