"""`arena bench overhead`: CPU cost of the arena."""

import asyncio
import sys
from dataclasses import asdict
from typing import Annotated, Any, cast

import typer
from rich.table import Table

from arena.bench.number_checks import check_count
from arena.bench.overhead import SIZES, Overhead, OverheadWorkload, measure_simulated
from arena.bench.servers.bench_engines import standin_tokenizer
from arena.cli.commands.arguments import AsJson, parse_choice
from arena.cli.console.json_out import JsonOut
from arena.cli.console.screens import open_consoles
from arena.records.run_config import Transport
from serving.errors import unwrap_group

TRANSPORTS = ("chat", "tokens")
_MAX_WORDS = 100_000
"""Words of a private script: more than any model's context holds."""

_MAX_REPEATS = 100


def add_commands(bench: typer.Typer) -> None:
    """Register the commands of this file."""
    bench.command("overhead")(overhead_command)


def overhead_command(
    matches: Annotated[
        int, typer.Option("--matches", "-n", help="Matches of each measurement.")
    ] = 100,
    words: Annotated[
        int | None, typer.Option(help="Words of a private script [default: 100, then 9000].")
    ] = None,
    transport: Annotated[str | None, typer.Option(help="chat or tokens [default: both].")] = None,
    live: Annotated[int, typer.Option(help="Live matches.")] = 8,
    repeat: Annotated[
        int, typer.Option(help="Measurements of the arena and of the bare client, alternating.")
    ] = 3,
    as_json: AsJson = False,
) -> None:
    """Play real matches against a simulated server without delay; show the cost of a turn.

    A bare client posts the same bodies; cpu_ratio compares the two.
    """
    parse_choice("transport", transport, TRANSPORTS)
    check_count("--matches", matches)
    check_count("--live", live)
    check_count("--repeat", repeat, most=_MAX_REPEATS)
    if words is not None:
        check_count("--words", words, most=_MAX_WORDS)
    shown, tokenizer = open_consoles(), standin_tokenizer()
    found: list[Overhead] = []
    for load in _make_workloads(matches, live, words, transport):
        if load.transport == "tokens" and tokenizer is None:
            shown.err.print(
                "tokens: skipped, the stand-in cannot be created here (no model server)"
            )
            continue
        with unwrap_group(), shown.err.status(f"{load.transport}, {load.words} words per role"):
            found.append(asyncio.run(measure_simulated(load, tokenizer, repeat=repeat)))
    _show_rows([asdict(one) for one in found], as_json=as_json)


def _make_workloads(
    matches: int, live: int, words: int | None, transport: str | None
) -> tuple[OverheadWorkload, ...]:
    sizes = [(words or size, way) for size, way in SIZES if transport in {None, way}]
    return tuple(
        OverheadWorkload(
            matches=matches, words=size, transport=cast("Transport", way), concurrency=live
        )
        for size, way in dict.fromkeys(sizes)
    )


def _show_rows(rows: list[dict[str, Any]], *, as_json: bool) -> None:
    """Show rows of the same keys as a table, or as JSON."""
    if as_json:
        out = JsonOut(sys.stdout)
        for row in rows:
            out.write(row)
        return
    open_consoles().out.print(_column_table(rows))


def _column_table(rows: list[dict[str, Any]]) -> Table:
    """Return a table with one column per row."""
    table = Table(box=None, show_header=False)
    for key in rows[0] if rows else ():
        table.add_row(key, *(_cell(row[key]) for row in rows))
    return table


def _cell(value: object) -> str:
    return f"{value:,.3f}" if isinstance(value, float) else "-" if value is None else str(value)
