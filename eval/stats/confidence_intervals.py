"""Closed-form intervals: Wilson's, and Student's t with a cluster-robust error.

A rate of matches that share scripts varies more than Wilson's formula assumes, and its bootstrap
undercovers for small rates or few clusters. The log-odds interval keeps its level there
(tests/eval/coverage_study.py), so it is the default for rates.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log, sqrt
from statistics import NormalDist
from typing import Final

import numpy as np
from numpy.typing import NDArray

from eval.stats.bootstrap import FEWEST_CLUSTERS, LEVEL, ConfidenceInterval
from eval.stats.untyped import stats

_FLOAT_NOISE: Final = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusteredMean:
    """A ratio of sums over clusters, and its standard error."""

    mean: float
    error: float | None
    """None for one cluster."""
    clusters: int


def wilson(successes: float, trials: int, level: float = LEVEL) -> ConfidenceInterval:
    """Return Wilson's interval of a rate, in [0, 1]; [0, 1] without trials.

    `successes` can be a sum of shares: then the interval is conservative.
    """
    method = f"Wilson, n = {trials}"
    if not trials:
        return ConfidenceInterval(low=0.0, high=1.0, method=method)
    z, rate = NormalDist().inv_cdf((1 + level) / 2), successes / trials
    shrink = 1 + z**2 / trials
    middle = (rate + z**2 / (2 * trials)) / shrink
    half = z * sqrt(rate * (1 - rate) / trials + (z / (2 * trials)) ** 2) / shrink
    # At 0 and 1 that end is exact, without float noise.
    low = 0.0 if not successes else max(0.0, middle - half)
    high = 1.0 if successes == trials else min(1.0, middle + half)
    return ConfidenceInterval(low=low, high=high, method=method)


def clustered_ratio(numerators: Sequence[float], denominators: Sequence[float]) -> ClusteredMean:
    """Return sum(numerators)/sum(denominators) with its cluster-robust standard error.

    sqrt(G/(G - 1) x sum over clusters of (sum of residuals)^2)/n, where the residual of a cluster
    is numerator - ratio x denominator, and n the sum of denominators. Raises `ValueError` if n is
    0.
    """
    above, below = np.array(numerators, dtype=float), np.array(denominators, dtype=float)
    clusters, total = len(above), float(below.sum())
    if not total:
        raise ValueError("a ratio needs a denominator above 0")
    mean = float(above.sum()) / total
    if clusters == 1:
        return ClusteredMean(mean=mean, error=None, clusters=1)
    residuals: NDArray[np.float64] = above - mean * below
    error = sqrt(clusters / (clusters - 1) * float(residuals @ residuals)) / total
    return ClusteredMean(mean=mean, error=error, clusters=clusters)


def clustered_mean(clusters: Sequence[Sequence[float]]) -> ClusteredMean:
    """Return the mean of all values with its cluster-robust standard error."""
    return clustered_ratio([sum(one) for one in clusters], [len(one) for one in clusters])


def t_interval(mean: ClusteredMean, level: float = LEVEL) -> ConfidenceInterval | None:
    """Return mean +- t x standard error, with G - 1 degrees of freedom; None for one cluster."""
    if mean.error is None:
        return None
    half = student_quantile(mean.clusters, level) * mean.error
    note = ", all equal" if mean.error < _FLOAT_NOISE else ""
    method = f"cluster-robust t, clusters: {mean.clusters}{note}"
    return ConfidenceInterval(low=mean.mean - half, high=mean.mean + half, method=method)


def log_odds_interval(mean: ClusteredMean, level: float = LEVEL) -> ConfidenceInterval | None:
    """Return the interval of a rate whose log-odds are +- t x error/(p(1 - p)), within (0, 1).

    None for fewer than `FEWEST_CLUSTERS` clusters, and if all clusters are equal.
    """
    spread = mean.mean * (1 - mean.mean)
    if mean.clusters < FEWEST_CLUSTERS or min(spread, mean.error or 0.0) < _FLOAT_NOISE:
        return None
    half = student_quantile(mean.clusters, level) * (mean.error or 0.0) / spread
    middle = log(mean.mean / (1 - mean.mean))
    low, high = (1 / (1 + exp(-(middle + step))) for step in (-half, half))
    return ConfidenceInterval(
        low=low, high=high, method=f"cluster-robust t of log-odds, clusters: {mean.clusters}"
    )


def student_quantile(clusters: int, level: float = LEVEL) -> float:
    """Return the two-sided quantile of Student's t with `clusters` - 1 degrees of freedom."""
    return float(stats.t.ppf((1 + level) / 2, clusters - 1))
