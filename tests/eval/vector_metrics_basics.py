"""Sums and means, as printed tables have them."""

from collections.abc import Callable, Mapping
from typing import Any

from eval.metrics.papers.wellplay import run_deviation, weighted_mean
from eval.rounding import exact_mean, to_fraction

METRICS: Mapping[str, Callable[[Any], Any]] = {
    "mean": exact_mean,
    "mean_ignoring_missing": lambda given: exact_mean(one for one in given if one is not None),
    "sum": lambda given: sum(map(to_fraction, given)),
    "difference": lambda given: to_fraction(given[0]) - to_fraction(given[1]),
    "sd": lambda given: run_deviation(given["values"], ddof=given["ddof"]),
    "weighted_mean": lambda given: weighted_mean(given["values"], given["weights"]),
}
