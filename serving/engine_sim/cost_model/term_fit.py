"""Fit cost terms to measurements: least squares of simulated against measured turns per second."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from math import exp, log

import numpy as np
from numpy.typing import NDArray

from serving.engine_sim.cost_model.closed_loop import ClosedLoopLoad, turns_per_second
from serving.engine_sim.cost_model.engine_profile import TERM_NAMES, CostTerms, EngineProfile
from serving.errors import ProfileError

MAX_ROUNDS = 20
"""The largest number of iterations."""

MIN_GAIN = 1e-9
"""The smallest relative improvement of the sum of squares that continues the fit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredLoad:
    """A load and its measured turns per second."""

    load: ClosedLoopLoad
    turns_per_second: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TermFit:
    """A profile with fitted terms, and its relative errors: simulated / measured - 1."""

    profile: EngineProfile
    errors: tuple[float, ...]

    @property
    def worst(self) -> float:
        """Return the largest absolute error."""
        return max(map(abs, self.errors))


def relative_errors(profile: EngineProfile, measured: Sequence[MeasuredLoad]) -> tuple[float, ...]:
    """Return simulated / measured turns per second - 1, for each measurement."""
    return tuple(exp(error) - 1 for error in _log_errors(profile, measured))


def fit_terms(
    profile: EngineProfile, measured: Sequence[MeasuredLoad], free: Sequence[str]
) -> TermFit:
    """Return the profile with the terms named `free` fitted; the others stay.

    Levenberg-Marquardt on the logarithms of terms and rates: terms stay positive and errors are
    relative. It starts from the profile's terms, which must not be 0. Raises `ProfileError` for a
    term that is unknown or 0, and for fewer measurements than free terms.
    """
    now = asdict(profile.terms)
    for name in free:
        if name not in TERM_NAMES or now[name] <= 0:
            raise ProfileError(
                f"cannot fit term {name!r}: wanted one of {TERM_NAMES} above 0 to start"
            )
    if len(measured) < len(free) or not free:
        raise ProfileError(f"cannot fit {len(free)} terms to {len(measured)} measurements")
    best = tuple(log(now[name]) for name in free)
    errors = _log_errors(_replace_terms(profile, free, best), measured)
    damping = 1e-2
    for _ in range(MAX_ROUNDS):
        slopes = _slopes(profile, measured, free, best, errors)
        for _ in range(6):
            moved = tuple(
                value + min(1.5, max(-1.5, step))
                for value, step in zip(best, _solve_step(slopes, errors, damping), strict=True)
            )
            tried = _log_errors(_replace_terms(profile, free, moved), measured)
            if _sum_of_squares(tried) < _sum_of_squares(errors):
                break
            damping *= 5
        else:
            break
        gain = _sum_of_squares(errors) - _sum_of_squares(tried)
        best, errors, damping = moved, tried, damping / 5
        if gain < MIN_GAIN:
            break
    fitted = _replace_terms(profile, free, best)
    return TermFit(profile=fitted, errors=relative_errors(fitted, measured))


def _replace_terms(
    profile: EngineProfile, free: Sequence[str], logs: Sequence[float]
) -> EngineProfile:
    named = {name: exp(value) for name, value in zip(free, logs, strict=True)}
    return replace(profile, terms=CostTerms(**{**asdict(profile.terms), **named}))


def _log_errors(profile: EngineProfile, measured: Sequence[MeasuredLoad]) -> list[float]:
    return [log(turns_per_second(profile, each.load) / each.turns_per_second) for each in measured]


def _slopes(
    profile: EngineProfile,
    measured: Sequence[MeasuredLoad],
    free: Sequence[str],
    logs: Sequence[float],
    errors: Sequence[float],
) -> NDArray[np.float64]:
    """Return the Jacobian by finite differences: errors are rows, terms columns."""
    small = 0.02
    columns: list[list[float]] = []
    for number in range(len(free)):
        moved = [value + small * (at == number) for at, value in enumerate(logs)]
        tried = _log_errors(_replace_terms(profile, free, moved), measured)
        columns.append([(new - old) / small for new, old in zip(tried, errors, strict=True)])
    return np.array(columns).T


def _solve_step(
    slopes: NDArray[np.float64], errors: Sequence[float], damping: float
) -> list[float]:
    """Solve (S'S + damping I) x = -S'e; return the step x."""
    damped = slopes.T @ slopes + damping * np.eye(slopes.shape[1])
    return np.linalg.solve(damped, -slopes.T @ np.array(errors)).tolist()


def _sum_of_squares(errors: Sequence[float]) -> float:
    return sum(error * error for error in errors)
