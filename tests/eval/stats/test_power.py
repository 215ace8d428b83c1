"""Sample sizes."""

import numpy as np
import pytest

from eval.stats.paired import mcnemar_exact
from eval.stats.power import (
    design_effect,
    intraclass_correlation,
    matches_for_half_width,
    matches_for_two_rates,
    power_of_pairs,
    power_of_two_rates,
)


def test_matches_of_a_cluster_multiply_the_number_by_the_design_effect() -> None:
    assert design_effect(1, 0.5) == 1
    assert design_effect(6, 0.2) == 2
    assert matches_for_half_width(0.25 * 0.75, 0.05, effect=2) == 577


def test_the_icc_is_1_for_clusters_that_agree_and_below_0_for_clusters_that_mix() -> None:
    assert intraclass_correlation([[1, 1, 1], [0, 0, 0], [1, 1, 1]]) == pytest.approx(1)
    mixed = intraclass_correlation([[1, 0], [1, 0], [0, 1]])
    assert mixed == pytest.approx(-1)


def test_the_icc_is_found_again_in_simulated_clusters_of_unequal_size() -> None:
    generator = np.random.default_rng(5)
    rates = generator.beta(1, 3, size=3000)
    clusters = [list(generator.binomial(1, p, size=generator.integers(2, 9))) for p in rates]
    assert intraclass_correlation(clusters) == pytest.approx(0.2, abs=0.02)


def test_the_icc_without_clusters_or_variation_is_undefined() -> None:
    assert intraclass_correlation([]) is None
    assert intraclass_correlation([[1, 0]]) is None
    assert intraclass_correlation([[1], [0]]) is None
    assert intraclass_correlation([[1, 1], [1, 1]]) is None


def test_the_matches_for_a_power_have_that_power() -> None:
    count = matches_for_two_rates(0.2, 0.35)
    assert power_of_two_rates(0.2, 0.35, count) >= 0.8
    assert power_of_two_rates(0.2, 0.35, count - 1) < 0.8
    assert matches_for_two_rates(0.2, 0.35, effect=2) == pytest.approx(2 * count, abs=1)
    assert power_of_two_rates(0.2, 0.35, 2 * count, effect=2) == power_of_two_rates(
        0.2, 0.35, count
    )


def test_equal_rates_are_refused() -> None:
    with pytest.raises(ValueError, match="different rates"):
        matches_for_two_rates(0.2, 0.2)


@pytest.mark.slow
def test_the_power_of_pairs_is_that_of_simulated_pairs() -> None:
    generator = np.random.default_rng(3)
    drawn = generator.multinomial(40, [0.3, 0.1, 0.6], size=3000)
    found = sum(mcnemar_exact(int(a), int(b)) <= 0.05 for a, b, _ in drawn) / 3000
    assert power_of_pairs(0.3, 0.1, 40) == pytest.approx(found, abs=0.03)
    assert power_of_pairs(0, 0, 40) == 0
