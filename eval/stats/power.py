"""Power analysis: the number of matches for an interval or a test."""

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
"""Above this, the sum over all outcomes of an exact test takes minutes."""
_NEGLIGIBLE: Final = 1e-16
"""Probability of a number of discordant pairs that is left out; all of them are below 1e-12."""


def matches_for_half_width(
    variance: float, half_width: float, level: float = LEVEL, *, effect: float = 1.0
) -> int:
    """Return the matches for an interval of +- `half_width`: ceil(z^2 s^2/h^2 x effect).

    `variance` is of one match, p(1 - p) for a rate; `effect` is the design effect.
    """
    z = NormalDist().inv_cdf((1 + level) / 2)
    return ceil(z**2 * variance / half_width**2 * effect)


def half_width_for_matches(
    variance: float, matches: float, clusters: int, correlation: float = 0.0, level: float = LEVEL
) -> float | None:
    """Return the expected half-width of a mean's interval: t s sqrt(effect/n).

    t has G - 1 degrees of freedom; `matches` are divided equally over G `clusters`. None for one
    cluster, which has no interval.
    """
    if clusters <= 1:
        return None
    t = float(stats.t.ppf((1 + level) / 2, clusters - 1))
    return t * (variance * design_effect(matches / clusters, correlation) / matches) ** 0.5


def design_effect(matches_a_cluster: float, correlation: float) -> float:
    """Return 1 + (m - 1) ICC: the factor of matches relative to independent ones."""
    return 1 + (matches_a_cluster - 1) * correlation


def intraclass_correlation(clusters: Sequence[Sequence[float]]) -> float | None:
    """Return the intraclass correlation (ICC) by one-way analysis of variance.

    (MSB - MSW)/(MSB + (m0 - 1) MSW), where m0 is the mean cluster size, corrected for its spread.
    At most 1. None for one cluster, for clusters of single matches, and without variation.
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
    """Return the power of a two-sided test of two independent rates.

    `matches` are per side, divided by the design effect; normal test of arcsine-transformed rates.
    """
    size = float(proportion.proportion_effectsize(first, second))
    return float(power.NormalIndPower().power(size, matches / effect, 1 - level))


def matches_for_two_rates(
    first: float, second: float, wanted: float = 0.8, *, effect: float = 1.0, level: float = LEVEL
) -> int:
    """Return the matches per side that detect the difference of two rates with power `wanted`."""
    size = abs(float(proportion.proportion_effectsize(first, second)))
    if not size:
        raise ValueError(f"wanted two different rates, got {first} twice")
    solve = power.NormalIndPower().solve_power
    return ceil(float(solve(effect_size=size, alpha=1 - level, power=wanted)) * effect)


def power_of_pairs(
    only_first: float, only_second: float, pairs: int, *, level: float = LEVEL
) -> float:
    """Return the exact power of McNemar's test with `pairs` pairs.

    `only_first` and `only_second` are the probabilities that only one contestant of a pair wins.
    """
    discordant = only_first + only_second
    if not discordant:
        return 0.0
    found = 0.0
    weights: list[float] = stats.binom.pmf(np.arange(pairs + 1), pairs, discordant).tolist()
    for count, weight in enumerate(weights):
        if not count or weight < _NEGLIGIBLE:
            continue
        hits = np.arange(count + 1)
        p = 2 * stats.binom.cdf(np.minimum(hits, count - hits), count, 0.5)
        share = float(stats.binom.pmf(hits[p <= 1 - level], count, only_first / discordant).sum())
        found += weight * share
    return found


def pairs_for_power(
    only_first: float, only_second: float, wanted: float = 0.8, *, level: float = LEVEL
) -> int | None:
    """Return the fewest pairs with which McNemar's test has power `wanted`.

    None if more than `MOST_PAIRS` are needed. The power of an exact test is not monotone in the
    number of pairs: above this number it can fall slightly below `wanted` again.
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
