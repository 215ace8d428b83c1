"""The published numbers, and the function that computes each kind of them.

A module `vector_metrics_SUBJECT.py` beside this one holds a mapping METRICS of names of metrics to
functions: they take the `input` of a vector and return what must equal `expect`.
"""

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any

from eval.rounding import round_half_up

HERE = Path(__file__).parent
ARENA = HERE.parent / "arena"
FOLDERS = (
    HERE / "vectors",
    ARENA / "core" / "vectors",
    ARENA / "games" / "mirage" / "vectors",
    ARENA / "players" / "questum" / "vectors",
    ARENA / "players" / "thinkthrice" / "vectors",
)
"""Vectors stand once in the tree, beside the tests that first needed them."""
FILES = sorted(path for folder in FOLDERS for path in folder.glob("*.json"))

Function = Callable[[Any], Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Vector:
    """One published number."""

    file: str
    id: str
    metric: str
    given: Any
    expect: Any
    tol: float
    places: int | None


def read_vectors(path: Path) -> tuple[Vector, ...]:
    """Return the vectors of a file."""
    return tuple(
        Vector(
            file=path.name,
            id=one["id"],
            metric=one["metric"],
            given=one["input"],
            expect=one["expect"],
            tol=one["tol"],
            places=one.get("places"),
        )
        for one in json.loads(path.read_text("utf-8"))["vectors"]
    )


def find_functions() -> Mapping[str, Function]:
    """Return the function of every metric; a metric may have one function only."""
    found: dict[str, Function] = {}
    for path in sorted(HERE.glob("vector_metrics_*.py")):
        metrics: Mapping[str, Function] = import_module(f"tests.eval.{path.stem}").METRICS
        twice = found.keys() & metrics.keys()
        assert not twice, f"{path.name} names {twice} a second time"
        found |= metrics
    return found


def fits(found: Any, wanted: Any, tol: float, places: int | None) -> bool:
    """Tell whether a result is the published one: of mappings and lists, every part."""
    if isinstance(wanted, dict):
        return all(
            name in found and fits(found[name], value, tol, places)
            for name, value in wanted.items()  # pyright: ignore[reportUnknownVariableType]
        )
    if isinstance(wanted, list):
        values: list[Any] = list(found)
        return len(values) == len(wanted) and all(  # pyright: ignore[reportUnknownArgumentType]
            fits(value, part, tol, places)
            for value, part in zip(values, wanted, strict=True)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
        )
    if isinstance(found, Fraction) and isinstance(wanted, str):
        return found == Fraction(wanted)
    if wanted is None or isinstance(wanted, str | bool):
        return found == wanted and (found is None) == (wanted is None)
    if found is None or isinstance(found, str):
        return False
    shown = found if places is None else round_half_up(found, places)
    return math.isclose(shown, wanted, rel_tol=0, abs_tol=tol)
