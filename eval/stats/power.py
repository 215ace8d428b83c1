"""How many matches a question needs."""

from collections.abc import Sequence
from importlib import import_module
from math import ceil
from statistics import NormalDist, fmean
from typing import Any, Final

import numpy as np

from eval.stats.bootstrap import LEVEL
from eval.stats.untyped import stats

power: Final[Any] = import_module("statsmodels.stats.power")
proportion: Final[Any] = import_module("statsmodels.stats.proportion")
MOST_PAIRS: Final = 2**12
"""Beyond, the sum over all outcomes of an exact test takes minutes."""


def matches_for_half_width(
    variance: float, half_width: float, level: float = LEVEL, *, effect: float = 1.0
) -> int:
    """Return how many matches give an interval of +- `half_width`: ceil(z^2 s^2/h^2 x effect).

    `variance` is that of one match, p(1 - p) for a rate; `effect` is the design effect.
    """
    z = NormalDist().inv_cdf((1 + level) / 2)
    return ceil(z**2 * variance / half_width**2 * effect)


def half_width_for_matches(
    variance: float, matches: float, clusters: int, correlation: float = 0.0, level: float = LEVEL
) -> float | None:
    """Return half of the interval to expect of a mean: t s sqrt(effect/n), t of G - 1 degrees.

    `matches` come in equal parts from G `clusters`. None for one cluster, whose interval is not
    known.
    """
    if clusters <= 1:
        return None
    t = float(stats.t.ppf((1 + level) / 2, clusters - 1))
    return t * (variance * design_effect(matches / clusters, correlation) / matches) ** 0.5


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
    for count in range(1, pairs + 1):
        hits = np.arange(count + 1)
        p = 2 * stats.binom.cdf(np.minimum(hits, count - hits), count, 0.5)
        share = float(stats.binom.pmf(hits[p <= 1 - level], count, only_first / discordant).sum())
        found += float(stats.binom.pmf(count, pairs, discordant)) * share
    return found


def pairs_for_power(
    only_first: float, only_second: float, wanted: float = 0.8, *, level: float = LEVEL
) -> int | None:
    """Return the fewest pairs in which McNemar's test finds the difference with chance `wanted`.

    None where more than `MOST_PAIRS` are needed. The power of an exact test steps down now and
    then as pairs are added: from this number on it may fall a little below `wanted` again.
    """
    few, many = 0, 8
    while power_of_pairs(only_first, only_second, many, level=level) < wanted:
        few, many = many, 2 * many
        if many > MOST_PAIRS:
            return None
    while many - few > 1:
        middle = (few + many) // 2
        if power_of_pairs(only_first, only_second, middle, level=level) < wanted:
            few = middle
        else:
            many = middle
    return many
