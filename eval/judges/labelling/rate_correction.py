"""Correct a judge's rate for its sensitivity and specificity.

Rogan and Gladen (1978): rate = (p + Sp - 1)/(Se + Sp - 1). The interval of Lang and Reiczigel
(2014) accounts for the uncertainty of all three: adjusted counts, then a normal interval with a
shift. Both are clamped to 0..1.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

from eval.stats.bootstrap import LEVEL


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """A judge's hits on items with known truth."""

    true_positives: int
    positives: int
    true_negatives: int
    negatives: int

    @property
    def sensitivity(self) -> float | None:
        """Share of true items that the judge calls true; None: there are none."""
        return self.true_positives / self.positives if self.positives else None

    @property
    def specificity(self) -> float | None:
        """Share of false items that the judge calls false; None: there are none."""
        return self.true_negatives / self.negatives if self.negatives else None


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectedRate:
    """A rate as measured by the judge, and corrected. Range 0..1."""

    measured: float
    corrected: float | None
    """None: the judge is no better than chance, so the rate is not identifiable."""
    low: float
    high: float
    """`low` is 0 and `high` is 1 if nothing is known."""


def calibrate(human: Sequence[float], judge: Sequence[float]) -> Calibration:
    """Return the judge's hits; people are the truth."""
    pairs = [(bool(a), bool(b)) for a, b in zip(human, judge, strict=True)]
    return Calibration(
        true_positives=sum(a and b for a, b in pairs),
        positives=sum(a for a, _ in pairs),
        true_negatives=sum(not a and not b for a, b in pairs),
        negatives=sum(not a for a, _ in pairs),
    )


def correct_rate(
    successes: int, items: int, calibration: Calibration, level: float = LEVEL
) -> CorrectedRate:
    """Return the corrected rate of `items` of which the judge called `successes` true.

    Raises `ValueError` for impossible counts.
    """
    if not 0 <= successes <= items or not items:
        raise ValueError(f"a rate needs 0 <= successes <= items, got {successes} of {items}")
    measured = successes / items
    low, high = _interval(successes, items, calibration, NormalDist().inv_cdf((1 + level) / 2))
    known = (calibration.sensitivity, calibration.specificity)
    if None in known or _youden(calibration) <= 0:
        return CorrectedRate(measured=measured, corrected=None, low=0.0, high=1.0)
    specificity = calibration.specificity or 0.0
    rate = _clamp((measured + specificity - 1) / _youden(calibration))
    return CorrectedRate(
        measured=measured, corrected=rate, low=min(low, rate), high=max(high, rate)
    )


def _interval(successes: int, items: int, found: Calibration, z: float) -> tuple[float, float]:
    total = items + z * z
    p = (successes + z * z / 2) / total
    positives, negatives = found.positives + 2, found.negatives + 2
    se = (found.true_positives + 1) / positives
    sp = (found.true_negatives + 1) / negatives
    youden = se + sp - 1
    if youden <= 0:
        return 0.0, 1.0
    rate = (p + sp - 1) / youden
    of_se, of_sp = se * (1 - se) / positives, sp * (1 - sp) / negatives
    shift = 2 * z * z * (rate * of_se - (1 - rate) * of_sp)
    spread = p * (1 - p) / total + rate**2 * of_se + (1 - rate) ** 2 * of_sp
    half = z * sqrt(spread) / youden
    return _clamp(rate + shift - half), _clamp(rate + shift + half)


def _youden(found: Calibration) -> float:
    return (found.sensitivity or 0.0) + (found.specificity or 0.0) - 1


def _clamp(value: float) -> float:
    return min(1.0, max(0.0, value))
