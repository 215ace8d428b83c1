"""Rounding of printed figures: half up on the decimal value, not on the binary float."""

import math
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction

Number = int | float | Decimal | Fraction

_HALF = Fraction(1, 2)


def to_fraction(value: Number) -> Fraction:
    """Return the exact decimal value of `value` as printed: 0.1 is one tenth."""
    return value if isinstance(value, Fraction) else Fraction(str(value))


def round_half_up(value: Number, places: int) -> float:
    """Return `value` with `places` decimals; halves round away from zero: 16.25 -> 16.3."""
    shifted = to_fraction(value) * 10**places
    whole = math.floor(abs(shifted) + _HALF)
    return float(Fraction(whole if shifted >= 0 else -whole, 10**places))


def exact_mean(values: Iterable[Number]) -> Fraction | None:
    """Return the exact mean of the decimal values; None without values."""
    terms = [to_fraction(value) for value in values]
    return sum(terms, Fraction(0)) / len(terms) if terms else None
