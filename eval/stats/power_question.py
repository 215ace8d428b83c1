"""A power question and its answer, for `arena power`."""

from dataclasses import dataclass
from math import ceil, isfinite
from typing import Final

from arena.errors import ConfigError
from eval.stats.power import (
    MOST_PAIRS,
    matches_for_half_width,
    matches_for_two_rates,
    pairs_for_power,
    power_of_pairs,
    power_of_two_rates,
)

MOST_MATCHES: Final = 10**9


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerQuestion:
    """Expected rates and the requested precision; `rate` with `half_width`, or with `other`."""

    rate: float | None
    other: float | None = None
    paired: bool = False
    """Whether `rate` and `other` are the shares of pairs that only the first, or only the second,
    wins."""
    half_width: float | None = None
    matches: int | None = None
    """Matches per side, or pairs, whose power is requested; None: the matches for `power` are
    requested."""
    power: float = 0.8
    effect: float = 1.0
    """The design effect."""


def answer_question(asked: PowerQuestion) -> dict[str, object]:
    """Return the question and its answer by name; raises `ConfigError` if it has no answer."""
    rate, other = _check(asked)
    base: dict[str, object] = {"rate": rate, "design_effect": asked.effect}
    if other is None:
        assert asked.half_width is not None
        count = matches_for_half_width(rate * (1 - rate), asked.half_width, effect=asked.effect)
        return {**base, "half_width": asked.half_width, "matches": count}
    base = {**base, "other": other, "paired": asked.paired}
    if asked.matches is not None:
        if asked.paired:
            found = power_of_pairs(rate, other, int(asked.matches / asked.effect))
        else:
            found = power_of_two_rates(rate, other, asked.matches, effect=asked.effect)
        return {**base, "matches": asked.matches, "power": found}
    if asked.paired:
        pairs = pairs_for_power(rate, other, asked.power)
        if pairs is None:
            raise ConfigError(
                f"more than {MOST_PAIRS} pairs are needed to distinguish {rate} from {other}"
            )
        count = ceil(pairs * asked.effect)
    else:
        count = matches_for_two_rates(rate, other, asked.power, effect=asked.effect)
    return {**base, "power": asked.power, "matches": count}


def _check(asked: PowerQuestion) -> tuple[float, float | None]:
    """Return the rates; raises `ConfigError`."""
    rate, other = asked.rate, asked.other
    if rate is None or (other is None) == (asked.half_width is None):
        raise ConfigError("wanted: runs and --half-width, or --rate with --half-width or --other")
    shares = {"rate": rate, "other": other, "power": asked.power, "half-width": asked.half_width}
    for name, value in shares.items():
        if value is not None and not 0 < value < 1:
            raise ConfigError(f"--{name} must be between 0 and 1, got {value}")
    if rate == other:
        raise ConfigError(f"--rate and --other must differ, both are {rate}")
    if asked.paired:
        _check_pairs(rate, other)
    _check_counts(asked)
    return rate, other


def _check_pairs(rate: float, other: float | None) -> None:
    if other is None:
        raise ConfigError("--paired compares --rate with --other, which is missing")
    if rate + other > 1:
        raise ConfigError("with --paired, --rate and --other are shares of the same pairs")


def _check_counts(asked: PowerQuestion) -> None:
    if not (isfinite(asked.effect) and asked.effect >= 1):
        raise ConfigError(f"--design-effect must be at least 1, got {asked.effect}")
    most = MOST_PAIRS if asked.paired else MOST_MATCHES
    if asked.matches is not None and not 0 < asked.matches <= most:
        raise ConfigError(f"--matches must be from 1 to {most}, got {asked.matches}")
