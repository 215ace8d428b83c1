"""Early stopping of a pairing with a controlled error rate.

The plan fixes, before the first match, the numbers of matches of all looks. Each of K looks has
level 1 - .05/K (Bonferroni), so that all together err no more often than one look at 95 %.
"""

from dataclasses import dataclass
from typing import Literal

from eval.stats.bootstrap import LEVEL, ConfidenceInterval

StoppingDecision = Literal["go on", "precise", "different", "plan ends"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoppingPlan:
    """The looks of a pairing, and its stopping criteria."""

    looks: tuple[int, ...]
    """Numbers of matches, ascending."""
    width: float | None = None
    """A narrower interval ends the pairing; None: only a difference or the plan's end does."""
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
    """Return whether the pairing ends after `matches`, given the interval of its difference.

    The interval must have the plan's `level_of_look`. Between looks the answer is "go on".
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
