"""Correlation of two metrics over contestants, with limits for few contestants."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from eval.stats.agreement import Statistic, agreement_interval, permutation_p, spearman
from eval.stats.bootstrap import SEED, ConfidenceInterval

FEWEST_CONTESTANTS: Final = 8
"""With fewer, only the points and their number are reported."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Correlation:
    """A correlation over `count` contestants; no value if too few or a side is constant."""

    value: float | None
    interval: ConfidenceInterval | None
    p: float | None
    count: int


def correlate(
    x: Sequence[float | None],
    y: Sequence[float | None],
    statistic: Statistic = spearman,
    *,
    seed: int = SEED,
) -> Correlation:
    """Return the correlation of two metrics over the contestants with both."""
    both = [(a, b) for a, b in zip(x, y, strict=True) if a is not None and b is not None]
    first, second = [a for a, _ in both], [b for _, b in both]
    value = statistic(first, second) if len(both) >= FEWEST_CONTESTANTS else None
    if value is None:
        return Correlation(value=None, interval=None, p=None, count=len(both))
    return Correlation(
        value=value,
        interval=agreement_interval(statistic, first, second, seed=seed),
        p=permutation_p(statistic, first, second, seed=seed),
        count=len(both),
    )
