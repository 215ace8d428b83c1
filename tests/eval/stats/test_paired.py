"""Tests of pairs, and what several tests and looks cost."""

from itertools import product

import numpy as np
import pytest

from eval.stats.bootstrap import ConfidenceInterval
from eval.stats.multiple_testing import holm
from eval.stats.paired import ScorePair, compare_pairs, mcnemar_exact, sign_flip, two_sample_t
from eval.stats.sequential import StoppingPlan, decide


def test_the_exact_flips_are_all_patterns_of_signs() -> None:
    values = [0.5, -0.1, 0.3, 0.2, 0.4]
    sums = [
        abs(sum(s * v for s, v in zip(signs, values, strict=True)))
        for signs in product((1, -1), repeat=5)
    ]
    wanted = sum(one >= abs(sum(values)) - 1e-12 for one in sums) / 32
    assert sign_flip(values) == pytest.approx(wanted)


def test_flips_of_20_clusters_are_exact_and_those_of_21_are_drawn() -> None:
    assert sign_flip([1.0] * 20) == 2 / 2**20
    assert sign_flip([1.0] * 21, flips=999) == 1 / 1000


def test_drawn_flips_come_near_the_exact_p() -> None:
    values = list(np.random.default_rng(2).normal(0.3, 1, size=20))
    exact = sign_flip(values)
    assert sign_flip([*values, 0.0], flips=50_000) == pytest.approx(exact, abs=0.01)


def test_no_difference_at_all_has_p_1() -> None:
    assert sign_flip([]) == 1
    assert sign_flip([0.0, 0.0]) == 1
    assert mcnemar_exact(0, 0) == 1


def test_the_t_test_of_runs_is_students_and_welch_is_an_option() -> None:
    first, second = [0.8, 0.9, 1.0], [0.2, 0.5, 0.6]
    assert two_sample_t(first, second) == pytest.approx(0.0249, abs=1e-4)
    welch = two_sample_t(first, second, equal_variances=False)
    assert welch is not None
    assert welch > 0.03


def test_the_t_test_of_too_few_or_unvaried_runs_is_undefined() -> None:
    assert two_sample_t([0.5], [0.1, 0.2]) is None
    assert two_sample_t([0.5, 0.5], [0.1, 0.1]) is None
    assert two_sample_t([0.5, 0.5], [0.1, 0.2]) is not None


def test_pairs_with_an_error_are_dropped_and_counted() -> None:
    pairs = [
        ScorePair(cluster="a", first=1, second=0),
        ScorePair(cluster="a", first=None, second=0),
        ScorePair(cluster="b", first=1, second=1),
        ScorePair(cluster="b", first=0, second=None),
    ]
    found = compare_pairs(pairs)
    assert (found.pairs, found.dropped, found.clusters) == (2, 2, 2)
    assert (found.only_first, found.only_second) == (1, 0)
    assert found.difference == 0.5
    assert found.mcnemar_p == 1
    assert found.interval is None


def test_the_effect_weighs_matches_and_the_flips_weigh_clusters() -> None:
    pairs = [ScorePair(cluster="a", first=1, second=0)] * 3 + [
        ScorePair(cluster=name, first=0, second=1) for name in "bcdef"
    ]
    found = compare_pairs(pairs)
    assert found.difference == pytest.approx((3 - 5) / 8)
    assert found.sign_flip_p == sign_flip([1, -1, -1, -1, -1, -1])
    assert found.mcnemar_p == mcnemar_exact(3, 5)
    assert found.interval is not None
    assert found.interval.low < -0.25 < found.interval.high


def test_draws_as_halves_leave_mcnemar_undefined() -> None:
    found = compare_pairs([ScorePair(cluster="a", first=0.5, second=0)])
    assert found.mcnemar_p is None
    assert found.difference == 0.5


def test_no_pairs_have_no_figures() -> None:
    found = compare_pairs([ScorePair(cluster="a", first=None, second=None)])
    assert (found.difference, found.interval, found.sign_flip_p) == (None, None, None)
    assert (found.pairs, found.dropped) == (0, 1)


def test_holm_never_makes_a_later_p_smaller_and_stops_at_1() -> None:
    assert holm([0.5, 0.6]) == (1, 1)
    assert holm([]) == ()
    assert holm([0.02]) == (0.02,)


def test_a_look_has_its_share_of_the_error() -> None:
    assert StoppingPlan(looks=(20, 40, 60)).level_of_look == pytest.approx(1 - 0.05 / 3)
    for looks in ((), (20, 20), (40, 20), (0, 5)):
        with pytest.raises(ValueError, match="ascend"):
            StoppingPlan(looks=looks)


@pytest.mark.parametrize(
    ("matches", "bounds", "verdict"),
    [
        (30, (0.1, 0.3), "go on"),
        (20, (0.1, 0.9), "different"),
        (20, (-0.9, -0.1), "different"),
        (20, (-0.3, 0.3), "go on"),
        (20, (-0.05, 0.04), "precise"),
        (40, (-0.3, 0.3), "plan ends"),
        (20, None, "go on"),
        (40, None, "plan ends"),
    ],
)
def test_a_pairing_ends_only_at_a_planned_look(
    matches: int, bounds: tuple[float, float] | None, verdict: str
) -> None:
    plan = StoppingPlan(looks=(20, 40), width=0.1)
    interval = bounds and ConfidenceInterval(low=bounds[0], high=bounds[1], method="")
    assert decide(plan, matches, interval or None) == verdict
