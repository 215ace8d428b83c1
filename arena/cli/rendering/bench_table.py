"""Table of a benchmark: one row per arm, and a legend."""

from collections.abc import Callable, Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from arena.bench.arm_comparison import ComparisonResult
from arena.bench.arms import ARMS, Arm
from arena.bench.comparison_report import as_objects
from arena.cli.rendering.formatting import UNKNOWN
from arena.view.sanitize import sanitize_line

_Arm = Mapping[str, Any]
_LEGEND = (
    "ours: ratio of the matches/h of the arm ours to this arm's, with half of its 95 % "
    "interval; belady: maximum hit rate of any cache on the arm's requests; turn: from sending "
    "to completion"
)


def bench_table(
    compared: ComparisonResult, width: int, arms: Mapping[str, Arm] = ARMS
) -> RenderableType:
    """Return the table of `arms` within `width` cells, and below it the skipped arms and why."""
    columns = [name for name in _COLUMNS if width >= _WIDE or name not in _ASIDE]
    table = Table(box=None, pad_edge=False, padding=(0, 1))
    for name in columns:
        table.add_column(name, justify="left" if name == "arm" else "right", no_wrap=True)
    objects = as_objects(compared, arms)
    for arm in objects:
        if arm["repeats"]:
            table.add_row(*(_COLUMNS[name](arm) for name in columns))
    server = ", ".join(f"{key} {value}" for key, value in compared.server.items() if value)
    static = compared.static
    notes = [server, *([f"static_best has {static} live"] if static else []), _LEGEND]
    notes += [f"not played: {arm['arm']}: {arm['skipped']}" for arm in objects if arm["skipped"]]
    return Group(table, *(Text(sanitize_line(note), style="dim") for note in notes))


def _number(key: str, form: str) -> Callable[[_Arm], str]:
    return lambda arm: UNKNOWN if arm[key] is None else format(arm[key], form)


def _half(key: str, form: str) -> Callable[[_Arm], str]:
    def cell(arm: _Arm) -> str:
        ends = arm[f"{key}_95"]
        return UNKNOWN if ends is None else format((ends[1] - ends[0]) / 2, form)

    return cell


_COLUMNS: Mapping[str, Callable[[_Arm], str]] = {
    "arm": lambda arm: arm["arm"],
    "matches/h": _number("matches_per_h", ",.0f"),
    "+-": _half("matches_per_h", ",.0f"),
    "ours": _number("ours_times", ".3f"),
    "+- ": _half("ours_times", ".3f"),
    "calls/s": _number("calls_per_s", ".2f"),
    "hit": _number("hit_rate", ".3f"),
    "belady": _number("belady", ".3f"),
    "turn p50": _number("turn_p50_s", ".2f"),
    "p99 s": _number("turn_p99_s", ".1f"),
    "live": _number("live_most", ".0f"),
    "failed": _number("unfinished", ".1f"),
    "cpu ms": _number("cpu_ms_per_call", ".2f"),
}
"""Columns, each with its cell of an arm."""
_WIDE = 104
_ASIDE = {"calls/s", "turn p50", "failed", "cpu ms"}
"""Columns that a narrow terminal omits."""
