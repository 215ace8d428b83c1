"""Fit cost terms to measurements: least squares of simulated against measured turns per second."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from importlib import import_module
from math import exp, log
from statistics import fmean
from typing import Any, Final

from serving.engine_sim.cost_model.closed_loop import ClosedLoopLoad, turns_per_second
from serving.engine_sim.cost_model.engine_profile import TERM_NAMES, CostTerms, EngineProfile
from serving.errors import ProfileError

_optimize: Any = import_module("scipy.optimize")
_MAX_EVALUATIONS: Final = 20
"""The largest number of evaluations, besides those for slopes."""
_STEP: Final = 0.002
"""Relative step of the logarithms for a slope: rates of a simulation are not smooth below it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredLoad:
    """A load and its measured turns per second."""

    load: ClosedLoopLoad
    turns_per_second: float


@dataclass(frozen=True, slots=True, kw_only=True)
class HalfFit:
    """A profile with fitted terms, and its relative errors: simulated / measured - 1."""

    profile: EngineProfile
    fitted_errors: tuple[float, ...]
    """Of the measurements that it was fitted to."""
    held_out_errors: tuple[float, ...]
    """Of the others."""
    held_out_mean: float
    """Of their sizes."""
    held_out_worst: float


def relative_errors(profile: EngineProfile, measured: Sequence[MeasuredLoad]) -> tuple[float, ...]:
    """Return simulated / measured turns per second - 1, for each measurement."""
    return tuple(exp(error) - 1 for error in _log_errors(profile, measured))


def fit_terms(
    profile: EngineProfile, measured: Sequence[MeasuredLoad], free: Sequence[str]
) -> EngineProfile:
    """Return the profile with the terms named `free` fitted; the others stay.

    Least squares on the logarithms of terms and rates: terms stay positive and errors are
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

    def errors(logs: Sequence[float]) -> list[float]:
        return _log_errors(_replace_terms(profile, free, logs), measured)

    found = _optimize.least_squares(
        errors,
        [log(now[name]) for name in free],
        diff_step=_STEP,
        max_nfev=_MAX_EVALUATIONS,
    )
    return _replace_terms(profile, free, found.x)


def fit_half(
    profile: EngineProfile, measured: Sequence[MeasuredLoad], free: Sequence[str]
) -> HalfFit:
    """Fit to every second measurement, and check on the others."""
    fitted = fit_terms(profile, measured[::2], free)
    checks = relative_errors(fitted, measured[1::2])
    return HalfFit(
        profile=fitted,
        fitted_errors=relative_errors(fitted, measured[::2]),
        held_out_errors=checks,
        held_out_mean=fmean(map(abs, checks)),
        held_out_worst=max(map(abs, checks)),
    )


def _replace_terms(
    profile: EngineProfile, free: Sequence[str], logs: Sequence[float]
) -> EngineProfile:
    named = {name: exp(value) for name, value in zip(free, logs, strict=True)}
    return replace(profile, terms=CostTerms(**{**asdict(profile.terms), **named}))


def _log_errors(profile: EngineProfile, measured: Sequence[MeasuredLoad]) -> list[float]:
    return [log(turns_per_second(profile, each.load) / each.turns_per_second) for each in measured]
