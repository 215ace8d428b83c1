"""Correction of predicted match lengths, estimated from finished matches."""

from dataclasses import dataclass

_DECAY = 0.95
"""Weight of a match relative to the next one: the average spans about 1 / (1 - 0.95) matches."""
_MIN_FACTOR, _MAX_FACTOR = 0.25, 4.0


@dataclass(frozen=True, slots=True, kw_only=True)
class LengthCorrection:
    """Exponentially weighted ratio of actual to predicted peak tokens."""

    actual: float = 0.0
    """Weighted sum of actual peaks, in tokens."""
    predicted: float = 0.0
    """Weighted sum of predicted peaks, in tokens."""

    @property
    def factor(self) -> float:
        """Factor to multiply a predicted peak by; 1 before the first match finishes."""
        if not self.predicted:
            return 1.0
        return min(_MAX_FACTOR, max(_MIN_FACTOR, self.actual / self.predicted))

    def update(self, *, actual: int, predicted: int) -> "LengthCorrection":
        """Return the correction after a match finished; both arguments are peaks in tokens."""
        if not predicted:
            return self
        # A virtual match of exactly the predicted length precedes the first real one, so that a
        # single match does not decide the factor.
        old = self if self.predicted else LengthCorrection(actual=predicted, predicted=predicted)
        return LengthCorrection(
            actual=old.actual * _DECAY + actual, predicted=old.predicted * _DECAY + predicted
        )
