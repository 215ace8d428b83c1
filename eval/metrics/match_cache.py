"""Cache of intermediate results that several metrics of a match share."""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

S = TypeVar("S")
T = TypeVar("T")


def cache_last_match(measure: Callable[[S], T]) -> Callable[[S], T]:
    """Return `measure`, a function of a match or its case, with its last result cached.

    One entry is enough, because all metrics of a match are measured before the next match.
    """
    kept: list[tuple[S, T]] = []

    @wraps(measure)
    def measure_once(match: S) -> T:
        if not kept or kept[0][0] is not match:
            kept[:] = [(match, measure(match))]
        return kept[0][1]

    return measure_once
