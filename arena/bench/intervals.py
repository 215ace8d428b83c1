"""Means over repetitions and ratios of arms, each with its 95 % interval."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log, sqrt
from statistics import NormalDist, fmean, stdev
from typing import Final

_T_TABLE: Final = (
    *(12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228),
    *(2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086),
    *(2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042),
)
"""Two-sided 95 % points of Student's t for 1 to 30 degrees of freedom."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A figure over `count` repetitions; one repetition has no interval (None)."""

    mean: float
    low: float | None
    high: float | None
    count: int


def student_t(freedom: int) -> float:
    """Return the two-sided 95 % point of Student's t: a table, above 30 a series in 1/freedom.

    The series is Abramowitz and Stegun 26.7.5, to its second term. `ValueError` below 1.
    """
    if freedom < 1:
        raise ValueError(f"degrees of freedom must be >= 1, got {freedom}")
    if freedom <= len(_T_TABLE):
        return _T_TABLE[freedom - 1]
    z = NormalDist().inv_cdf(0.975)
    first, second = (z**3 + z) / 4, (5 * z**5 + 16 * z**3 + 3 * z) / 96
    return z + first / freedom + second / freedom**2


def interval(values: Sequence[float]) -> Interval:
    """Return the mean of `values` and its 95 % interval (Student's t); `ValueError` for none."""
    if not values:
        raise ValueError("an interval needs one value at least, got none")
    mean, count = fmean(values), len(values)
    if count == 1:
        return Interval(mean=mean, low=None, high=None, count=1)
    half = student_t(count - 1) * stdev(values) / sqrt(count)
    return Interval(mean=mean, low=mean - half, high=mean + half, count=count)


def ratio(above: Sequence[float], below: Sequence[float]) -> Interval:
    """Return how many times `above` is `below`, paired by repetition.

    The mean is geometric and the interval that of the logarithms, so that the ratio of the arms
    the other way round is its exact inverse. `ValueError` for lengths that differ, for none and for
    values that are not positive.
    """
    if len(above) != len(below):
        raise ValueError(f"pairs are wanted, got {len(above)} and {len(below)} repetitions")
    if any(value <= 0 for value in (*above, *below)):
        raise ValueError("a ratio needs positive values")
    logs = interval([log(a / b) for a, b in zip(above, below, strict=True)])
    return Interval(
        mean=exp(logs.mean),
        low=None if logs.low is None else exp(logs.low),
        high=None if logs.high is None else exp(logs.high),
        count=logs.count,
    )
