"""`arena bench gpu`: measurements that need a GPU, in steps with one result file each."""

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from arena.bench.gpu.gpu_check import check_gpu
from arena.bench.gpu.gpu_steps import STEPS
from arena.bench.gpu.step_runner import SUMMARY, Document
from arena.cli.commands.arguments import RUNS, AsJson, parse_folder
from arena.cli.console.json_out import JsonOut
from arena.cli.console.screens import open_consoles
from arena.cli.exit_status import FAILED, Interrupted
from arena.cli.rendering.formatting import format_duration
from arena.view.sanitize import sanitize_line

_FOLDER = RUNS / "gpu-check"


def add_command(bench: typer.Typer) -> None:
    """Register the command of this file."""
    bench.command("gpu")(gpu_command)


def gpu_command(
    out: Annotated[Path, typer.Option(help="The folder of the results.")] = _FOLDER,
    step: Annotated[
        list[str] | None,
        typer.Option(help="Only this step, even if it has a result; may be repeated."),
    ] = None,
    steps: Annotated[bool, typer.Option("--list", help="List the steps.")] = False,
    rehearse: Annotated[
        bool,
        typer.Option("--rehearse", help="Use the stand-ins, as always without a GPU."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Run every step that has no result in the folder, each within nine minutes.

    A step that failed runs again. Without a GPU the steps are rehearsed with the stand-ins.
    """
    if steps:
        _list_steps(as_json=as_json)
        return
    folder = parse_folder(out)
    try:
        found = check_gpu(
            folder,
            chosen=tuple(step or ()),
            rehearse=rehearse,
            command=shlex.join(("arena", *sys.argv[1:])),
            say=lambda line: typer.echo(sanitize_line(line), err=True),
        )
    except KeyboardInterrupt as error:
        raise Interrupted(f"interrupted; the same command continues in {folder}") from error
    if as_json:
        out_lines = JsonOut(sys.stdout)
        for document in found:
            out_lines.write(document)
    else:
        open_consoles().out.print(_table(found))
    typer.echo(f"the results are in {folder}, with a summary in {SUMMARY}", err=True)
    if any(document["state"] == "failed" for document in found):
        raise typer.Exit(FAILED)


def _list_steps(*, as_json: bool) -> None:
    lines = JsonOut(sys.stdout)
    for one in STEPS:
        if as_json:
            lines.write({"step": one.name, "about": one.about})
        else:
            typer.echo(f"{one.name:10} {one.about}")


def _table(found: Sequence[Document]) -> Table:
    is_rehearsal = any(document["rehearsal"] for document in found)
    title = "Rehearsal with the stand-ins: no figure is from a GPU" if is_rehearsal else None
    table = Table(box=None, pad_edge=False, title=title, title_justify="left")
    for name in ("step", "state", "time", "found"):
        table.add_column(name, overflow="fold")
    for document in found:
        said = " ".join(filter(None, (document["headline"], document["why"])))
        state, seconds = document["state"], format_duration(document["seconds"])
        table.add_row(document["step"], state, seconds, sanitize_line(said))
    return table
