"""Statistics of the audit: evenness of counts, and intervals of shares."""

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Evenness:
    """Counts that should be equal, with chi-square and its p-value."""

    counts: tuple[int, ...]
    square: float
    """Pearson's chi-square against equal shares."""
    p: float


def measure_evenness(counts: Sequence[int]) -> Evenness:
    """Return the evenness of two or more `counts`, not all 0 (Pearson 1900)."""
    expected = sum(counts) / len(counts)
    square = sum((count - expected) ** 2 / expected for count in counts)
    return Evenness(counts=tuple(counts), square=square, p=chi_square_tail(square, len(counts) - 1))


def chi_square_tail(square: float, free: int) -> float:
    """Return the probability that chi-square with `free` degrees of freedom is >= `square`.

    Q(free / 2, square / 2) from Q(1/2, x) = erfc(sqrt x) or Q(1, x) = exp(-x) by the recurrence
    Q(a + 1, x) = Q(a, x) + x^a exp(-x) / Gamma(a + 1) (Abramowitz and Stegun 6.5.21).
    """
    x = square / 2
    a = 0.5 if free % 2 else 1.0
    found = math.erfc(math.sqrt(x)) if free % 2 else math.exp(-x)
    while a < free / 2:
        found += math.exp(a * math.log(x) - x - math.lgamma(a + 1)) if x > 0 else 0.0
        a += 1
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Proportion:
    """A share with its interval."""

    hits: int
    of: int
    low: float
    high: float

    @property
    def value(self) -> float:
        """The share itself."""
        return self.hits / self.of

    def holds(self, value: float) -> bool:
        """Return whether the interval contains `value`."""
        return self.low <= value <= self.high


def wilson_interval(hits: int, of: int, z: float = 1.959964) -> Proportion:
    """Return a share with the interval of Wilson (1927) for the normal quantile `z`."""
    share, square = hits / of, z * z
    middle = (share + square / (2 * of)) / (1 + square / of)
    spread = share * (1 - share) / of + square / (4 * of * of)
    half = z / (1 + square / of) * math.sqrt(spread)
    return Proportion(hits=hits, of=of, low=middle - half, high=middle + half)
