"""Means over repetitions and ratios of arms, each with its 95 % interval."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from math import exp, log, sqrt
from statistics import fmean, stdev
from typing import Any, Final

_special: Any = import_module("scipy.special")
_LEVEL: Final = 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanInterval:
    """Mean of a figure over repetitions; one repetition has no interval (None)."""

    mean: float
    low: float | None
    high: float | None


def mean_interval(values: Sequence[float]) -> MeanInterval:
    """Return the mean of `values` and its 95 % interval (Student's t); `ValueError` if empty."""
    if not values:
        raise ValueError("an interval needs at least one value, got none")
    mean, count = fmean(values), len(values)
    if count == 1:
        return MeanInterval(mean=mean, low=None, high=None)
    quantile = float(_special.stdtrit(count - 1, (1 + _LEVEL) / 2))
    half = quantile * stdev(values) / sqrt(count)
    return MeanInterval(mean=mean, low=mean - half, high=mean + half)


def paired_ratio(above: Sequence[float], below: Sequence[float]) -> MeanInterval:
    """Return the ratio of `above` to `below`, paired by repetition.

    The mean is geometric and the interval is that of the logarithms, so the ratio of the swapped
    arms is its exact inverse. `ValueError` for lengths that differ, for none and for values that
    are not positive.
    """
    if len(above) != len(below):
        raise ValueError(f"wanted pairs, got {len(above)} and {len(below)} repetitions")
    if any(value <= 0 for value in (*above, *below)):
        raise ValueError("a ratio needs positive values")
    logs = mean_interval([log(a / b) for a, b in zip(above, below, strict=True)])
    return MeanInterval(
        mean=exp(logs.mean),
        low=None if logs.low is None else exp(logs.low),
        high=None if logs.high is None else exp(logs.high),
    )
