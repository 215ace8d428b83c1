"""Bootstrap over clusters: the variation of a statistic over scripts.

All matches of a cluster are drawn together. Percentiles of the resampled values are too narrow for
few clusters: resamples of G clusters have (G - 1)/G of the variance, and their tails are normal
instead of Student's. The default `expanded` interval uses wider percentiles, following Hesterberg
(2015, "What teachers should know about the bootstrap"); `percentile` is the plain one.
`error_interval` uses the deviation of the resampled values as standard error, with the same two
corrections. tests/eval/coverage_study.py measures all three.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from eval.stats.untyped import stats

Percentiles = Literal["expanded", "percentile"]
RESAMPLES: Final = 10_000
SEED: Final = 20_261_123
LEVEL: Final = 0.95
FEWEST_CLUSTERS: Final = 5
"""With fewer there are under 70 distinct resamples, too few for an interval."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfidenceInterval:
    """An interval and its method."""

    low: float
    high: float
    method: str
    """Formula, clusters, resamples and seed, as printed in reports."""
    dropped: int = 0
    """Number of resamples with an undefined statistic, excluded from the interval."""


def draw_clusters(
    clusters: int, *, resamples: int = RESAMPLES, seed: int = SEED
) -> NDArray[np.int64]:
    """Return the counts of drawn clusters: one row per resample, with sum `clusters`."""
    generator = np.random.default_rng(seed)
    return generator.multinomial(clusters, np.full(clusters, 1 / clusters), size=resamples)


def bootstrap_ratio(
    numerators: Sequence[float],
    denominators: Sequence[float],
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    percentiles: Percentiles = "expanded",
    level: float = LEVEL,
) -> ConfidenceInterval | None:
    """Return the interval of sum(numerators)/sum(denominators), with one of each per cluster.

    A mean over scripts has this form: sums of script means / counts of scripts. None if
    `percentile_interval` returns None.
    """
    drawn = draw_clusters(len(numerators), resamples=resamples, seed=seed)
    below = drawn @ np.array(denominators, dtype=float)
    above = drawn @ np.array(numerators, dtype=float)
    values = np.divide(above, below, out=np.full(resamples, np.nan), where=below != 0)
    clusters = len(numerators)
    return percentile_interval(values, clusters, percentiles=percentiles, seed=seed, level=level)


def bootstrap_clusters(
    statistic: Callable[[NDArray[np.intp]], float | None],
    clusters: int,
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    percentiles: Percentiles = "expanded",
) -> ConfidenceInterval | None:
    """Return the interval of a statistic, a function of the drawn clusters' indices."""
    drawn = draw_clusters(clusters, resamples=resamples, seed=seed)
    values = (statistic(items) for items in _indices(drawn))
    known = np.array([np.nan if value is None else value for value in values])
    return percentile_interval(known, clusters, percentiles=percentiles, seed=seed)


def bootstrap_items(
    statistic: Callable[[NDArray[np.intp]], float | None],
    items: int,
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> ConfidenceInterval | None:
    """Return the interval of a statistic of independent items: every item is a cluster."""
    return bootstrap_clusters(statistic, items, resamples=resamples, seed=seed)


def percentile_interval(
    values: NDArray[np.float64],
    clusters: int,
    *,
    seed: int,
    percentiles: Percentiles = "expanded",
    level: float = LEVEL,
) -> ConfidenceInterval | None:
    """Return the interval between two percentiles of the resampled `values`; nan is undefined.

    None for fewer than `FEWEST_CLUSTERS` clusters, and if no value is defined. If all are equal,
    the interval is that point, with a note.
    """
    known = values[~np.isnan(values)]
    if clusters < FEWEST_CLUSTERS or known.size == 0:
        return None
    tail = tail_share(clusters, level) if percentiles == "expanded" else (1 - level) / 2
    low, high = (float(point) for point in np.quantile(known, (tail, 1 - tail)))
    kind = f"{percentiles} cluster bootstrap" if percentiles == "expanded" else "cluster bootstrap"
    return _name_interval(low, high, kind, values, clusters, seed)


def error_interval(
    value: float,
    values: NDArray[np.float64],
    clusters: int,
    *,
    seed: int,
    level: float = LEVEL,
) -> ConfidenceInterval | None:
    """Return `value` +- t x sqrt(G/(G - 1)) x the deviation of the resampled `values`.

    t has G - 1 degrees of freedom for G clusters. None and nan as in `percentile_interval`.
    """
    known = values[~np.isnan(values)]
    if clusters < FEWEST_CLUSTERS or known.size == 0:
        return None
    t = float(stats.t.ppf((1 + level) / 2, clusters - 1))
    half = t * sqrt(clusters / (clusters - 1)) * float(known.std())
    kind = "t with the error of a cluster bootstrap"
    return _name_interval(value - half, value + half, kind, values, clusters, seed)


def tail_share(clusters: int, level: float = LEVEL) -> float:
    """Return the tail probability of the expanded percentile interval.

    Phi(-sqrt(G/(G - 1)) t), with t the quantile of Student's t with G - 1 degrees of freedom.
    """
    t = float(stats.t.ppf((1 + level) / 2, clusters - 1))
    return float(stats.norm.cdf(-sqrt(clusters / (clusters - 1)) * t))


def _name_interval(
    low: float, high: float, kind: str, values: NDArray[np.float64], clusters: int, seed: int
) -> ConfidenceInterval:
    known = values[~np.isnan(values)]
    dropped = int(values.size - known.size)
    note = ", all resamples equal" if known.min() == known.max() else ""
    lost = f", {dropped} undefined" if dropped else ""
    method = f"{kind}, clusters: {clusters}, B = {values.size}, seed {seed}{lost}{note}"
    return ConfidenceInterval(low=low, high=high, method=method, dropped=dropped)


def _indices(drawn: NDArray[np.int64]) -> Iterator[NDArray[np.intp]]:
    every: NDArray[np.intp] = np.array(range(drawn.shape[1]), dtype=np.intp)
    return (np.repeat(every, row) for row in drawn)
