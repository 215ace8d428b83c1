"""Agreement of two lists of values: binary judgements, scores, rankings, several raters.

Every function takes values of the same items in the same order and returns None if its formula is
undefined: no items, a denominator of 0, or a constant side.
"""

from collections.abc import Callable, Sequence
from math import isclose
from typing import Final, Literal

import krippendorff
import numpy as np
from numpy.typing import NDArray

from eval.stats.bootstrap import SEED, ConfidenceInterval, bootstrap_items
from eval.stats.untyped import stats

Statistic = Callable[[Sequence[float], Sequence[float]], float | None]
KappaWeights = Literal["none", "quadratic"]
MeasurementLevel = Literal["nominal", "ordinal", "interval", "ratio"]

RESAMPLES: Final = 2_000
"""Fewer than elsewhere, because every resample recomputes a correlation."""
PERMUTATIONS: Final = 10_000
_PAIR: Final = 2


def accuracy(human: Sequence[float], judge: Sequence[float]) -> float | None:
    """Return the share of items with equal values."""
    pairs = _pairs(human, judge)
    return sum(a == b for a, b in pairs) / len(pairs) if pairs else None


def precision(human: Sequence[float], judge: Sequence[float]) -> float | None:
    """Return TP/(TP + FP): the share of the judge's yes (not 0) that are the human's yes."""
    said = [bool(a) for a, b in _pairs(human, judge) if b]
    return sum(said) / len(said) if said else None


def recall(human: Sequence[float], judge: Sequence[float]) -> float | None:
    """Return TP/(TP + FN), the sensitivity: the share of the human's yes that the judge finds."""
    return precision(judge, human)


def specificity(human: Sequence[float], judge: Sequence[float]) -> float | None:
    """Return TN/(TN + FP): the share of the human's no that the judge finds."""
    return recall([not a for a in human], [not b for b in judge])


def f1(human: Sequence[float], judge: Sequence[float]) -> float | None:
    """Return 2TP/(2TP + FP + FN) (ThinkThrice, App. E)."""
    pairs = _pairs(human, judge)
    either = sum(bool(a) + bool(b) for a, b in pairs)
    return 2 * sum(bool(a and b) for a, b in pairs) / either if either else None


def cohen_kappa(
    human: Sequence[float], judge: Sequence[float], weights: KappaWeights = "none"
) -> float | None:
    """Return (p_o - p_e)/(1 - p_e); `quadratic` weights a disagreement by its squared distance.

    Computed from disagreements as 1 - observed/expected, which is equal without weights.
    """
    if not _pairs(human, judge):
        return None
    first, second = np.array(human, dtype=float), np.array(judge, dtype=float)
    observed = float(_distance(first, second, weights).mean())
    expected = float(_distance(first[:, None], second[None, :], weights).mean())
    return 1 - observed / expected if expected else None


def pearson(x: Sequence[float], y: Sequence[float]) -> float | None:
    """Return Pearson's correlation, in [-1, 1]."""
    if not _both_vary(x, y):
        return None
    return _whole(float(np.corrcoef(x, y)[0, 1]))


def spearman(x: Sequence[float], y: Sequence[float]) -> float | None:
    """Return Spearman's correlation: Pearson's of ranks, with mean ranks for ties."""
    return pearson(stats.rankdata(x).tolist(), stats.rankdata(y).tolist())


def kendall_tau_b(x: Sequence[float], y: Sequence[float]) -> float | None:
    """Return (C - D)/sqrt((n0 - t_x)(n0 - t_y)) (MIRAGE, Table 7)."""
    return _whole(float(stats.kendalltau(x, y).statistic)) if _both_vary(x, y) else None


def krippendorff_alpha(
    ratings: Sequence[Sequence[float | None]], scale: MeasurementLevel = "nominal"
) -> float | None:
    """Return Krippendorff's alpha; `ratings` has a row per rater and a column per item.

    None is a missing rating; items with fewer than two ratings are ignored.
    """
    table = np.array(ratings, dtype=float)
    if table.size == 0:
        return None
    paired = table[:, (~np.isnan(table)).sum(axis=0) >= _PAIR]
    values = paired[~np.isnan(paired)]
    if values.size == 0 or (values == values[0]).all():
        return None
    return float(krippendorff.alpha(reliability_data=paired, level_of_measurement=scale))


def agreement_interval(
    statistic: Statistic,
    x: Sequence[float],
    y: Sequence[float],
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> ConfidenceInterval | None:
    """Return the bootstrap interval of `statistic` over items; None if undefined."""
    first, second = np.array(x, dtype=float), np.array(y, dtype=float)

    def of(items: NDArray[np.intp]) -> float | None:
        return statistic(first[items].tolist(), second[items].tolist())

    return bootstrap_items(of, len(_pairs(x, y)), resamples=resamples, seed=seed)


def permutation_p(
    statistic: Statistic,
    x: Sequence[float],
    y: Sequence[float],
    *,
    permutations: int = PERMUTATIONS,
    seed: int = SEED,
) -> float | None:
    """Return the two-sided p of `statistic` when one side is shuffled; exact for few items.

    None if the statistic is undefined.
    """
    if len(x) < _PAIR or statistic(x, y) is None:
        return None

    def of(shuffled: NDArray[np.float64]) -> float:
        return statistic(shuffled.tolist(), y) or 0.0

    result = stats.permutation_test(
        (np.array(x, dtype=float),),
        of,
        permutation_type="pairings",
        n_resamples=permutations - 1,
        rng=np.random.default_rng(seed),
    )
    return float(result.pvalue)


def _whole(value: float) -> float:
    """Return 1 or -1 for a correlation that differs from it by rounding only."""
    return round(value) if isclose(abs(value), 1) else value


def _both_vary(x: Sequence[float], y: Sequence[float]) -> bool:
    return bool(_pairs(x, y)) and all(len(set(side)) > 1 for side in (x, y))


def _distance(
    first: NDArray[np.float64], second: NDArray[np.float64], weights: KappaWeights
) -> NDArray[np.float64]:
    if weights == "quadratic":
        return (first - second) ** 2
    return (first != second).astype(float)


def _pairs(x: Sequence[float], y: Sequence[float]) -> list[tuple[float, float]]:
    if len(x) != len(y):
        raise ValueError(f"both sides must rate the same items, got {len(x)} and {len(y)}")
    return list(zip(x, y, strict=True))
