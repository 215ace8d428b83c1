"""Terms fitted to measurements: the least squares of simulated against measured turns a second."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from math import exp, log

from serving.engine_sim.closed import Load, turns_per_second
from serving.engine_sim.profile import TERMS, EngineProfile, Terms
from serving.errors import ProfileError

ROUNDS = 20
"""The most improvements that are tried."""

ENOUGH = 1e-9
"""An improvement of the squares that is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A load and the turns a second that it was served with."""

    load: Load
    turns_per_second: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """A profile with fitted terms, and how far it is off: simulated over measured less 1, each."""

    profile: EngineProfile
    errors: tuple[float, ...]

    @property
    def worst(self) -> float:
        """Return the greatest error, without sign."""
        return max(map(abs, self.errors))


def off(profile: EngineProfile, measured: Sequence[Measured]) -> tuple[float, ...]:
    """Return simulated over measured turns a second, less 1, of each measurement."""
    return tuple(exp(error) - 1 for error in _errors(profile, measured))


def fit(profile: EngineProfile, measured: Sequence[Measured], free: Sequence[str]) -> Fit:
    """Return the profile with the terms named `free` fitted; the others stay.

    Levenberg and Marquardt's way on the logarithms of terms and rates, so that terms stay positive
    and errors are relative. It begins with the terms as they are, which must not be 0. Raises
    `ProfileError` for a term that is unknown or 0, and for fewer measurements than free terms.
    """
    now = asdict(profile.terms)
    for name in free:
        if name not in TERMS or now[name] <= 0:
            raise ProfileError(f"cannot fit term {name!r}: wanted one of {TERMS} above 0 to start")
    if len(measured) < len(free) or not free:
        raise ProfileError(f"cannot fit {len(free)} terms to {len(measured)} measurements")
    best = tuple(log(now[name]) for name in free)
    errors = _errors(_with(profile, free, best), measured)
    damping = 1e-2
    for _ in range(ROUNDS):
        slopes = _slopes(profile, measured, free, best, errors)
        for _ in range(6):
            moved = tuple(
                value + min(1.5, max(-1.5, step))
                for value, step in zip(best, _solved(slopes, errors, damping), strict=True)
            )
            tried = _errors(_with(profile, free, moved), measured)
            if _square(tried) < _square(errors):
                break
            damping *= 5
        else:
            break
        gain = _square(errors) - _square(tried)
        best, errors, damping = moved, tried, damping / 5
        if gain < ENOUGH:
            break
    fitted = _with(profile, free, best)
    return Fit(profile=fitted, errors=off(fitted, measured))


def _with(profile: EngineProfile, free: Sequence[str], logs: Sequence[float]) -> EngineProfile:
    named = {name: exp(value) for name, value in zip(free, logs, strict=True)}
    return replace(profile, terms=Terms(**{**asdict(profile.terms), **named}))


def _errors(profile: EngineProfile, measured: Sequence[Measured]) -> list[float]:
    return [log(turns_per_second(profile, each.load) / each.turns_per_second) for each in measured]


def _slopes(
    profile: EngineProfile,
    measured: Sequence[Measured],
    free: Sequence[str],
    logs: Sequence[float],
    errors: Sequence[float],
) -> list[list[float]]:
    """Return how each error (row) moves with each term (column), by small steps."""
    small = 0.02
    columns: list[list[float]] = []
    for number in range(len(free)):
        moved = [value + small * (at == number) for at, value in enumerate(logs)]
        tried = _errors(_with(profile, free, moved), measured)
        columns.append([(new - old) / small for new, old in zip(tried, errors, strict=True)])
    return [list(row) for row in zip(*columns, strict=True)]


def _solved(slopes: list[list[float]], errors: Sequence[float], damping: float) -> list[float]:
    """Return the step that lessens the errors: (S'S + damping I) x = -S'e, by elimination."""
    size = len(slopes[0])
    rows = [
        [sum(row[one] * row[two] for row in slopes) + damping * (one == two) for two in range(size)]
        + [-sum(row[one] * error for row, error in zip(slopes, errors, strict=True))]
        for one in range(size)
    ]
    for at in range(size):
        for below in range(at + 1, size):
            share = rows[below][at] / rows[at][at]
            rows[below] = [x - share * y for x, y in zip(rows[below], rows[at], strict=True)]
    step = [0.0] * size
    for at in reversed(range(size)):
        rest = sum(rows[at][after] * step[after] for after in range(at + 1, size))
        step[at] = (rows[at][size] - rest) / rows[at][at]
    return step


def _square(errors: Sequence[float]) -> float:
    return sum(error * error for error in errors)
