"""What can be asked of the generator, and what stands in for what was not said."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import get_args

from scripts_mm.generate.world import Difficulty, GeneratorOptions
from scripts_mm.script import ScriptError

ROLES = range(4, 9)
HOPS = range(2, 9)
PICTURES = range(1, 11)
_MAX_SEED = 10**9
"""A seed names its case's folder; the splits use the first 100,000."""
_ENOUGH_FOR_FOUR = 7
"""Roles from which four seats' knowledge can be made necessary."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionDefaults:
    """What a difficulty stands for where nothing else is said.

    It also sets what cannot be said: one, two or three red herrings; no alibi, a quarter or more
    than half of them that hold only by the minutes of a way; suspects far from each other or near;
    and, in hard cases, a clock that stands where another suspect would fit.
    """

    hops: int
    pictures: int
    seats: int


DEFAULTS: Mapping[Difficulty, OptionDefaults] = MappingProxyType(
    {
        "easy": OptionDefaults(hops=4, pictures=6, seats=2),
        "medium": OptionDefaults(hops=5, pictures=7, seats=2),
        "hard": OptionDefaults(hops=6, pictures=8, seats=3),
    }
)


def check_seed(seed: int) -> None:
    """Raise ScriptError for a seed that names no case."""
    if not 0 <= seed <= _MAX_SEED:
        raise ScriptError(f"wanted a seed of 0 to {_MAX_SEED}, came {seed}")


def max_seats(roles: int) -> int:
    """Return the most seats that cases of so many roles are made to need."""
    return 4 if roles >= _ENOUGH_FOR_FOUR else 3


def make_options(
    difficulty: str,
    roles: int,
    hops: int | None = None,
    pictures: int | None = None,
    seats: int | None = None,
) -> GeneratorOptions:
    """Return checked options. Raises ScriptError where one is outside what can be made."""
    known: dict[str, Difficulty] = {name: name for name in get_args(Difficulty)}
    if difficulty not in known:
        raise ScriptError(f"no difficulty {difficulty!r}; there are {', '.join(known)}")
    usual = DEFAULTS[known[difficulty]]
    found = GeneratorOptions(
        roles=roles,
        hops=usual.hops if hops is None else hops,
        pictures=usual.pictures if pictures is None else pictures,
        difficulty=known[difficulty],
        seats=min(usual.seats, max_seats(roles)) if seats is None else seats,
    )
    _check_range("roles", found.roles, ROLES)
    _check_range("hops", found.hops, HOPS)
    _check_range("pictures", found.pictures, PICTURES)
    _check_range(f"seats with {roles} roles", found.seats, range(1, max_seats(roles) + 1))
    return found


def _check_range(what: str, value: int, allowed: range) -> None:
    if value not in allowed:
        raise ScriptError(f"wanted {allowed[0]} to {allowed[-1]} {what}, came {value}")
