"""Stopping a pairing early without deceiving oneself.

The plan is made before the first match: how many matches are looked at when. Each of K looks has
the level 1 - .05/K, so that all together err no more often than one look at 95 %.
"""

from dataclasses import dataclass
from typing import Literal

from eval.stats.bootstrap import LEVEL, ConfidenceInterval

StoppingDecision = Literal["go on", "precise", "different", "plan ends"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoppingPlan:
    """When a pairing is looked at, and what ends it."""

    looks: tuple[int, ...]
    """Numbers of matches, ascending."""
    width: float | None = None
    """An interval that is narrower ends the pairing; None: only a difference or the plan does."""
    level: float = LEVEL

    def __post_init__(self) -> None:
        ascending = sorted(set(self.looks))
        if not self.looks or list(self.looks) != ascending or ascending[0] < 1:
            raise ValueError(f"looks must ascend from 1 match, got {self.looks}")

    @property
    def level_of_look(self) -> float:
        """The level of the interval at each look."""
        return 1 - (1 - self.level) / len(self.looks)


def decide(
    plan: StoppingPlan, matches: int, interval: ConfidenceInterval | None
) -> StoppingDecision:
    """Return whether the pairing ends after `matches`, whose difference lies in `interval`.

    The interval must have the plan's `level_of_look`. Between looks nothing is decided.
    """
    if matches not in plan.looks:
        return "go on"
    if interval is not None and not interval.low <= 0 <= interval.high:
        return "different"
    if interval is not None and plan.width is not None:
        width = interval.high - interval.low
        if width < plan.width:
            return "precise"
    return "plan ends" if matches == plan.looks[-1] else "go on"
