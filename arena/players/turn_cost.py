"""What the turns of a player cost: calls by purpose, and how they depend on one another."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

ONE_CALL: Mapping[str, str] = MappingProxyType({"any": "1"})


def _no_steps(seats: int) -> int:
    del seats
    return 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnCost:
    """Model calls of one turn, without corrections."""

    calls: Mapping[str, str] = field(default_factory=lambda: ONE_CALL)
    """Formula by purpose; `any`: all other purposes. N seats, S suspects, V victims, D sub-
    questions, O objectives, A attempts."""
    depth: int = 1
    """How many calls of a turn wait for one another, at most. A turn has so many deadlines."""
    width: Callable[[int], int] = _no_steps
    """How many steps are asked at the same time, at most, in a match of so many seats."""


ONE = TurnCost()
"""One call a turn."""
