"""Rounding of printed figures: half up on the decimal value, never on the binary float."""

import math
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction

Number = int | float | Decimal | Fraction

_HALF = Fraction(1, 2)


def to_fraction(value: Number) -> Fraction:
    """Return the decimal value that `value` is printed as: 0.1 is one tenth."""
    return value if isinstance(value, Fraction) else Fraction(str(value))


def round_half_up(value: Number, places: int) -> float:
    """Return `value` with so many decimals; a half goes away from zero: 16.25 -> 16.3."""
    shifted = to_fraction(value) * 10**places
    whole = math.floor(abs(shifted) + _HALF)
    return float(Fraction(whole if shifted >= 0 else -whole, 10**places))


def exact_mean(values: Iterable[Number]) -> Fraction | None:
    """Return the mean of the decimal values, without a rounding error; None: there are none."""
    terms = [to_fraction(value) for value in values]
    return sum(terms, Fraction(0)) / len(terms) if terms else None
