"""The options of the generator and their defaults."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import get_args

from scripts_mm.generate.plots import PLOTS, max_seats
from scripts_mm.generate.world import Difficulty, GeneratorOptions, PlotId
from scripts_mm.script import ScriptError

ROLES = range(4, 9)
HOPS = range(2, 9)
PICTURES = range(1, 11)
_MAX_SEED = 10**9
"""Seeds are part of folder names; the splits use the first 100,000."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionDefaults:
    """The defaults of a difficulty.

    A difficulty also sets what has no option: one, two or three red herrings; no alibi, 25 % or
    60 % of the alibis that depend on travel time; dissimilar or similar suspects; and, in hard
    cases, a first reading that fits another suspect.
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
    """Raise ScriptError for a seed outside 0 to `_MAX_SEED`."""
    if not 0 <= seed <= _MAX_SEED:
        raise ScriptError(f"wanted a seed of 0 to {_MAX_SEED}, got {seed}")


def make_options(
    difficulty: str,
    roles: int,
    hops: int | None = None,
    pictures: int | None = None,
    seats: int | None = None,
    *,
    plot: str | None = None,
) -> GeneratorOptions:
    """Return checked options. Raises ScriptError for one out of range."""
    known: dict[str, Difficulty] = {name: name for name in get_args(Difficulty)}
    if difficulty not in known:
        raise ScriptError(f"no difficulty {difficulty!r}; known: {', '.join(known)}")
    plots: dict[str | None, PlotId | None] = {None: None, **{name: name for name in PLOTS}}
    if plot not in plots:
        raise ScriptError(f"no plot {plot!r}; known: {', '.join(PLOTS)}")
    most = max_seats(roles, plots[plot])
    usual = DEFAULTS[known[difficulty]]
    found = GeneratorOptions(
        roles=roles,
        hops=usual.hops if hops is None else hops,
        pictures=usual.pictures if pictures is None else pictures,
        difficulty=known[difficulty],
        seats=min(usual.seats, most) if seats is None else seats,
        plot=plots[plot],
    )
    _check_range("roles", found.roles, ROLES)
    _check_range("hops", found.hops, HOPS)
    _check_range("pictures", found.pictures, PICTURES)
    needed = f"seats with {roles} roles" + (f" and the plot {plot!r}" if plot else "")
    _check_range(needed, found.seats, range(1, most + 1))
    return found


def _check_range(what: str, value: int, allowed: range) -> None:
    if value not in allowed:
        raise ScriptError(f"wanted {allowed[0]} to {allowed[-1]} {what}, got {value}")
