"""Work that several metrics share is done once for a match."""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from eval.played import PlayedMatch

T = TypeVar("T")


def once_a_match(measure: Callable[[PlayedMatch], T]) -> Callable[[PlayedMatch], T]:
    """Return `measure` with its last result kept: metrics are asked one after the other."""
    kept: list[tuple[PlayedMatch, T]] = []

    @wraps(measure)
    def measure_once(match: PlayedMatch) -> T:
        if not kept or kept[0][0] is not match:
            kept[:] = [(match, measure(match))]
        return kept[0][1]

    return measure_once
