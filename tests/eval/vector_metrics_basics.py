"""Sums and means, as printed tables have them."""

from collections.abc import Callable, Mapping
from typing import Any

from eval.metrics.wellplay import run_deviation, weighted_mean
from eval.rounding import exact, exact_mean

METRICS: Mapping[str, Callable[[Any], Any]] = {
    "mean": exact_mean,
    "mean_ignoring_missing": lambda given: exact_mean(one for one in given if one is not None),
    "sum": lambda given: sum(map(exact, given)),
    "difference": lambda given: exact(given[0]) - exact(given[1]),
    "sd": lambda given: run_deviation(given["values"], ddof=given["ddof"]),
    "weighted_mean": lambda given: weighted_mean(given["values"], given["weights"]),
}
