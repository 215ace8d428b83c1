"""How many matches a question needs (METRICS, section 8.11)."""

from collections.abc import Sequence
from importlib import import_module
from math import ceil
from statistics import NormalDist, fmean
from typing import Any, Final

import numpy as np

from eval.stats.bootstrap import LEVEL
from eval.stats.paired import mcnemar_exact
from eval.stats.untyped import stats

power: Final[Any] = import_module("statsmodels.stats.power")
proportion: Final[Any] = import_module("statsmodels.stats.proportion")


def matches_for_half_width(
    rate: float, half_width: float, level: float = LEVEL, *, effect: float = 1.0
) -> int:
    """Return how many matches give an interval of +- `half_width` at `rate`.

    ceil(z^2 p(1 - p)/h^2 x design effect).
    """
    z = NormalDist().inv_cdf((1 + level) / 2)
    return ceil(z**2 * rate * (1 - rate) / half_width**2 * effect)


def design_effect(matches_a_cluster: float, correlation: float) -> float:
    """Return 1 + (m - 1) ICC: how many times more matches clusters need than independent ones."""
    return 1 + (matches_a_cluster - 1) * correlation


def intraclass_correlation(clusters: Sequence[Sequence[float]]) -> float | None:
    """Return the ICC by one-way analysis of variance: how alike matches of a cluster are.

    (MSB - MSW)/(MSB + (m0 - 1) MSW), where m0 is the size of clusters corrected for their spread.
    At most 1. None for one cluster, for clusters of one match only, and without any variation.
    """
    sizes = np.array([len(one) for one in clusters], dtype=float)
    total, groups = float(sizes.sum()), len(clusters)
    if groups <= 1 or total <= groups:
        return None
    means = np.array([fmean(one) for one in clusters])
    grand = float(sizes @ means) / total
    between = float(sizes @ (means - grand) ** 2) / (groups - 1)
    squares = sum((x - mean) ** 2 for one, mean in zip(clusters, means, strict=True) for x in one)
    within = float(squares) / (total - groups)
    size = (total - float(sizes @ sizes) / total) / (groups - 1)
    below = between + (size - 1) * within
    return (between - within) / below if below else None


def power_of_two_rates(
    first: float, second: float, matches: float, *, effect: float = 1.0, level: float = LEVEL
) -> float:
    """Return the chance that a two-sided test finds the difference of two independent rates.

    `matches` a side, divided by the design effect; normal test of arcsine-transformed rates.
    """
    size = float(proportion.proportion_effectsize(first, second))
    return float(power.NormalIndPower().power(size, matches / effect, 1 - level))


def matches_for_two_rates(
    first: float, second: float, wanted: float = 0.8, *, effect: float = 1.0, level: float = LEVEL
) -> int:
    """Return how many matches a side find the difference of two rates with chance `wanted`."""
    size = abs(float(proportion.proportion_effectsize(first, second)))
    if not size:
        raise ValueError(f"two different rates are wanted, got {first} twice")
    solve = power.NormalIndPower().solve_power
    return ceil(float(solve(effect_size=size, alpha=1 - level, power=wanted)) * effect)


def power_of_pairs(
    only_first: float, only_second: float, pairs: int, *, level: float = LEVEL
) -> float:
    """Return the exact chance that McNemar's test finds a difference in so many pairs.

    `only_first` and `only_second` are the probabilities that only one of a pair wins.
    """
    discordant = only_first + only_second
    if not discordant:
        return 0.0
    found = 0.0
    for count in range(pairs + 1):
        hits = [k for k in range(count + 1) if mcnemar_exact(k, count - k) <= 1 - level]
        share = float(stats.binom.pmf(hits, count, only_first / discordant).sum()) if hits else 0.0
        found += float(stats.binom.pmf(count, pairs, discordant)) * share
    return found
