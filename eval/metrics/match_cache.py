"""Work that several metrics share is done once for a match."""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

S = TypeVar("S")
T = TypeVar("T")


def cache_last_match(measure: Callable[[S], T]) -> Callable[[S], T]:
    """Return `measure`, of a match or its case, with its last result kept.

    Metrics are asked one after the other.
    """
    kept: list[tuple[S, T]] = []

    @wraps(measure)
    def measure_once(match: S) -> T:
        if not kept or kept[0][0] is not match:
            kept[:] = [(match, measure(match))]
        return kept[0][1]

    return measure_once
