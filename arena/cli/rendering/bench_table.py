"""Table of a benchmark: one row an arm, and a legend."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from arena.bench.compare import Compared
from arena.bench.report import as_objects
from arena.cli.console.sanitize import sanitize_line
from arena.cli.rendering.formatting import UNKNOWN

_Arm = Mapping[str, Any]


def bench_table(compared: Compared, width: int) -> RenderableType:
    """Return the table of all arms within `width` cells, and below it what was skipped and why."""
    columns = [name for name in _COLUMNS if width >= _WIDE or name not in _ASIDE]
    table = Table(box=None, pad_edge=False, padding=(0, 1))
    for name in columns:
        table.add_column(name, justify="left" if name == "arm" else "right", no_wrap=True)
    objects: Sequence[_Arm] = as_objects(compared)
    for arm in objects:
        if arm["repeats"]:
            table.add_row(*(_COLUMNS[name](arm) for name in columns))
    skipped = [f"not played: {arm['arm']}: {arm['skipped']}" for arm in objects if arm["skipped"]]
    notes = [_server(compared), _LEGEND, *skipped, *compared.facts.remarks]
    return Group(table, *(Text(sanitize_line(note), style="dim") for note in notes))


def _server(compared: Compared) -> str:
    facts = compared.facts
    repeats = max((len(runs) for runs in compared.runs.values()), default=0)
    kv = facts.capacity
    best = compared.best_static
    parts = [
        f"{facts.name} ({facts.engine})",
        f"{kv.tokens:,} tokens of KV cache in blocks of {kv.block_size}"
        if kv
        else "KV cache unknown",
        f"{repeats} repetitions",
        *([f"static_best has {best} live"] if best else []),
    ]
    return ", ".join(parts)


_LEGEND = (
    "inf, lru, opt: hit rates of an endless cache, of LRU in the arm's own order and of Belady at "
    "the server's capacity; open, static: part of the faster open loop's and of the best fixed "
    "concurrency's speed; ours: times the arm's matches/h; +-: half of the 95 % interval"
)


def _number(key: str, form: str) -> Callable[[_Arm], str]:
    return lambda arm: UNKNOWN if arm[key] is None else format(arm[key], form)


def _half(arm: _Arm) -> str:
    within = arm["matches_per_h_95"]
    return UNKNOWN if within is None else f"{(within[1] - within[0]) / 2:,.0f}"


_COLUMNS: Mapping[str, Callable[[_Arm], str]] = {
    "arm": lambda arm: arm["arm"],
    "turns/s": _number("turns_per_s", ".2f"),
    "matches/h": _number("matches_per_h", ",.0f"),
    "+-": _half,
    "hit": _number("hit_rate", ".3f"),
    "inf": _number("hit_rate_infinite", ".3f"),
    "lru": _number("hit_rate_lru", ".3f"),
    "opt": _number("hit_rate_belady", ".3f"),
    "open": _number("of_open_bound", ".2f"),
    "static": _number("of_static_best", ".2f"),
    "ours": _number("ours_times", ".2f"),
    "p99 s": _number("turn_p99_s", ".1f"),
    "cpu ms": _number("cpu_ms_per_turn", ".2f"),
}
"""The columns, and what each shows of an arm."""
_WIDE = 104
_ASIDE = {"turns/s", "inf", "open", "p99 s", "cpu ms"}
"""Columns that a narrow terminal does without."""
