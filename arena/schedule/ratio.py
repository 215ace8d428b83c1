"""How much longer or shorter matches get than was predicted, learnt from those that ended."""

from dataclasses import dataclass

_KEPT = 0.95
"""What an older match weighs beside the one after it: about twenty matches count."""
_LEAST, _MOST = 0.25, 4.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Ratio:
    """Tokens seen and predicted, the older the lighter."""

    seen: float = 0.0
    predicted: float = 0.0

    @property
    def value(self) -> float:
        """By what a predicted peak is to be multiplied."""
        if not self.predicted:
            return 1.0
        return min(_MOST, max(_LEAST, self.seen / self.predicted))

    def after(self, *, seen: int, predicted: int) -> "Ratio":
        """Return the ratio after a match ended; the first counts beside one as predicted."""
        if not predicted:
            return self
        old = self if self.predicted else Ratio(seen=predicted, predicted=predicted)
        return Ratio(seen=old.seen * _KEPT + seen, predicted=old.predicted * _KEPT + predicted)
