"""Correction for multiple tests."""

from collections.abc import Sequence
from importlib import import_module
from typing import Any, Final

multitest: Final[Any] = import_module("statsmodels.stats.multitest")


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Return the p values adjusted by Holm's step-down method, in input order."""
    if not p_values:
        return ()
    return tuple(float(p) for p in multitest.multipletests(p_values, method="holm")[1])
