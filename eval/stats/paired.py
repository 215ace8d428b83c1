"""Paired tests of two contestants on the same matches: same script, seed, seats and opponent.

The two-sample t-test is Questum's, as published.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import Final

import numpy as np
from numpy.typing import NDArray

from eval.stats.bootstrap import LEVEL, SEED, ConfidenceInterval, bootstrap_ratio
from eval.stats.untyped import stats

EXACT_CLUSTERS: Final = 20
"""Up to this many clusters all sign patterns are enumerated: 2^20."""
FLIPS: Final = 100_000
_CHUNK: Final = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ScorePair:
    """Scores of the same match by two contestants; None: an error, or not played."""

    cluster: str
    first: float | None
    second: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedComparison:
    """First - second over pairs of matches."""

    difference: float | None
    """Mean over all pairs; None without any."""
    interval: ConfidenceInterval | None
    sign_flip_p: float | None
    mcnemar_p: float | None
    """None if a score is neither 0 nor 1."""
    only_first: int
    """Pairs that only the first won."""
    only_second: int
    pairs: int
    dropped: int
    """Pairs with an undefined score, excluded from all figures."""
    clusters: int


def mcnemar_exact(only_first: int, only_second: int) -> float:
    """Return the exact two-sided p of McNemar's test on discordant pairs; 1 without any."""
    discordant = only_first + only_second
    return float(stats.binomtest(only_first, discordant).pvalue) if discordant else 1.0


def sign_flip(differences: Sequence[float], *, flips: int = FLIPS, seed: int = SEED) -> float:
    """Return the two-sided p of the mean of cluster means under random sign flips.

    Exact up to `EXACT_CLUSTERS` clusters; else (1 + hits)/(1 + flips) over random patterns. 1
    without any difference.
    """
    values = np.array(differences, dtype=float)
    seen = abs(float(values.sum())) - 1e-12 * float(np.abs(values).sum())
    if len(values) <= EXACT_CLUSTERS:
        return float(np.mean(np.abs(_all_sums(values)) >= seen))
    generator = np.random.default_rng(seed)
    hits = 0
    for start in range(0, flips, _CHUNK):
        size = min(_CHUNK, flips - start)
        signs = generator.integers(0, 2, size=(size, len(values))) * 2 - 1
        hits += int((np.abs(signs @ values) >= seen).sum())
    return (1 + hits) / (1 + flips)


def two_sample_t(
    first: Sequence[float], second: Sequence[float], *, equal_variances: bool = True
) -> float | None:
    """Return the two-sided p of the t-test over runs that Questum's Table 2 uses (n = 3 a side).

    It treats runs as the only source of variation and ignores scripts, unlike `compare_pairs`. With
    `equal_variances` it is Student's, else Welch's. None if a side has fewer than 2 values or
    neither varies.
    """
    if min(len(first), len(second)) <= 1 or len({*first}) == len({*second}) == 1:
        return None
    summary = [part for one in (first, second) for part in (fmean(one), stdev(one), len(one))]
    return float(stats.ttest_ind_from_stats(*summary, equal_var=equal_variances).pvalue)


def compare_pairs(
    pairs: Iterable[ScorePair], *, seed: int = SEED, level: float = LEVEL
) -> PairedComparison:
    """Return the mean difference of `pairs` with its interval over clusters and both tests."""
    every = list(pairs)
    scores = [
        (pair.cluster, pair.first, pair.second)
        for pair in every
        if pair.first is not None and pair.second is not None
    ]
    clusters: dict[str, list[float]] = defaultdict(list)
    for cluster, first, second in scores:
        clusters[cluster].append(first - second)
    sums, sizes = [sum(one) for one in clusters.values()], [len(one) for one in clusters.values()]
    means = [fmean(one) for one in clusters.values()]
    only_first = sum(first > second for _, first, second in scores)
    only_second = sum(first < second for _, first, second in scores)
    binary = all(score in {0, 1} for _, *both in scores for score in both)
    return PairedComparison(
        difference=sum(sums) / sum(sizes) if scores else None,
        interval=bootstrap_ratio(sums, sizes, seed=seed, level=level) if scores else None,
        sign_flip_p=sign_flip(means, seed=seed) if scores else None,
        mcnemar_p=mcnemar_exact(only_first, only_second) if scores and binary else None,
        only_first=only_first,
        only_second=only_second,
        pairs=len(scores),
        dropped=len(every) - len(scores),
        clusters=len(clusters),
    )


def _all_sums(values: NDArray[np.float64]) -> NDArray[np.float64]:
    sums = np.zeros(1)
    for value in values:
        sums = np.concatenate((sums + value, sums - value))
    return sums
