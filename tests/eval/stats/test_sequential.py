"""Stopping a pairing early."""

import numpy as np
import pytest

from eval.stats.bootstrap import ConfidenceInterval, bootstrap_ratio
from eval.stats.sequential import StoppingPlan, decide

PLAN = StoppingPlan(looks=(20, 40, 80), width=0.2)


def between(low: float, high: float) -> ConfidenceInterval:
    return ConfidenceInterval(low=low, high=high, method="")


def test_the_looks_share_the_error_of_one() -> None:
    assert PLAN.level_of_look == pytest.approx(1 - 0.05 / 3)
    assert StoppingPlan(looks=(50,)).level_of_look == pytest.approx(0.95)


@pytest.mark.parametrize("looks", [(), (0, 5), (20, 10), (10, 10)])
def test_looks_that_do_not_ascend_from_1_are_refused(looks: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="ascend"):
        StoppingPlan(looks=looks)


def test_a_difference_ends_a_pairing_at_a_look_and_not_between_looks() -> None:
    assert decide(PLAN, 39, between(0.1, 0.3)) == "go on"
    assert decide(PLAN, 40, between(0.1, 0.3)) == "different"
    assert decide(PLAN, 40, between(-0.3, -0.1)) == "different"


def test_an_interval_that_is_narrow_enough_ends_a_pairing_without_a_difference() -> None:
    assert decide(PLAN, 20, between(-0.05, 0.1)) == "precise"
    assert decide(PLAN, 20, between(-0.1, 0.1)) == "go on"
    assert decide(StoppingPlan(looks=(20, 40)), 20, between(-0.01, 0.01)) == "go on"


def test_the_last_look_ends_the_plan() -> None:
    assert decide(PLAN, 80, between(-0.2, 0.2)) == "plan ends"
    assert decide(PLAN, 80, None) == "plan ends"
    assert decide(PLAN, 40, None) == "go on"


@pytest.mark.slow
def test_three_looks_at_equal_contestants_find_a_difference_in_about_5_percent() -> None:
    """400 pairings of 60 works; three looks of 95 % each err in about 12 %."""
    plan, generator = StoppingPlan(looks=(20, 40, 60)), np.random.default_rng(7)
    wrong = dict.fromkeys((plan.level_of_look, plan.level), 0)
    for _ in range(400):
        wins = (generator.random((60, 2)) < 0.3).astype(float)
        differences = (wins[:, 0] - wins[:, 1]).tolist()
        for level in wrong:
            looks = (
                bootstrap_ratio(differences[:look], [1] * look, resamples=800, level=level)
                for look in plan.looks
            )
            verdicts = [decide(plan, *one) for one in zip(plan.looks, looks, strict=True)]
            wrong[level] += "different" in verdicts
    assert wrong[plan.level_of_look] <= 0.08 * 400
    assert wrong[plan.level] > 0.08 * 400
