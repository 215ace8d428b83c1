"""`arena bench overcommit`: admission with wrong estimates of an engine."""

import sys
from typing import Annotated

import typer
from rich.table import Table

from arena.bench.overcommit_sweep import sweep_overcommit
from arena.bench.throughput import find_shape
from arena.cli.commands.arguments import AsJson
from arena.cli.console.json_out import JsonOut
from arena.cli.console.screens import open_consoles
from arena.cli.rendering.formatting import UNKNOWN


def add_command(bench: typer.Typer) -> None:
    """Register the command of this file."""
    bench.command("overcommit")(overcommit_command)


def overcommit_command(
    shape: Annotated[
        str, typer.Option(help="A load of `arena bench admission` by name.")
    ] = "7b, 100k",
    as_json: AsJson = False,
) -> None:
    """Compare fixed overcommit ratios of the KV cache and the default, right and wrong profiles.

    In virtual time; each row has its ratio to the best fixed number of live matches.
    """
    run, out = find_shape(shape).make_run(0), JsonOut(sys.stdout)
    rows: list[dict[str, object]] = []
    with open_consoles().err.status("simulating"):
        for row in sweep_overcommit(run):
            rows.append(row)
            if as_json:
                out.write({"shape": shape, **row})
    if as_json:
        return
    table = Table(box=None)
    for name in rows[0]:
        table.add_column(name.replace("_", " "), justify="right")
    for row in rows:
        table.add_row(*(_cell(name, value) for name, value in row.items()))
    open_consoles().out.print(table)


def _cell(name: str, value: object) -> str:
    if value is None:
        return "adapts" if name == "overcommit" else UNKNOWN
    return f"{value:,.3f}" if isinstance(value, float) else str(value)
