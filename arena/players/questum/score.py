"""Scores for the choice of the seat to ask. Pure.

Example: in round 1 Ada asked Bram, and her list of 5 suspects got 3 names: gain ln 5 - ln 3 =
0.511. In round 2 she asked Bram again, and 2 names were left: gain ln 3 - ln 2 = 0.405. In round 3
the last finished round is 2, the weights are e^-1 and 1, so the weighted gain of Bram is 0.434. If
further questions to him have a high promise, his score is 0.2 * 0.434 + 0.8 * 1 = 0.887.
"""

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

PROMISES: Final[Mapping[str, int]] = MappingProxyType({"high": 1, "medium": 0, "low": -1})
"""The chance that another question to a seat brings valuable information -> its weight."""
Gain = tuple[int, float]
"""A round, and the information gained in it."""


def entropy(suspects: int) -> float:
    """Return the entropy, in nats, of a list of equally likely suspects."""
    return -math.log(1 / suspects)


def information_gain(before: int, after: int) -> float:
    """Return the decrease of the entropy; negative if the list grew."""
    return entropy(before) - entropy(after)


def mean_gain(rounds: Sequence[Gain], now: int) -> float:
    """Return the mean of the gains with weights e^-(now - round); 0 without gains.

    `now` is the last finished round.
    """
    weights = [math.exp(number - now) for number, _ in rounds]
    if not weights:
        return 0.0
    gains = (weight * gain for weight, (_, gain) in zip(weights, rounds, strict=True))
    return sum(gains) / sum(weights)


def fill_rounds(rounds: Sequence[Gain], now: int) -> tuple[Gain, ...]:
    """Return `rounds` with gain 0 for every finished round without one."""
    known = {number for number, _ in rounds}
    missing = ((number, 0.0) for number in range(1, now + 1) if number not in known)
    return tuple(sorted((*rounds, *missing)))


def score(gain: float, promise: str, beta: float) -> float:
    """Return the score of a seat: beta * gain + (1 - beta) * weight of its promise."""
    return beta * gain + (1 - beta) * PROMISES[promise]
