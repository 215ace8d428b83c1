"""`arena export`: finished runs in the formats of other programs."""

import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.commands.arguments import AsJson, parse_choice, parse_folder
from arena.cli.console.json_out import JsonOut
from arena.cli.console.sanitize import sanitize_line
from arena.errors import ConfigError

_TARGETS = ("parquet", "inspect", "trajectories")
_OWN = {"--no-texts": "parquet", "--trust": "inspect", "--per": "trajectories"}
"""Option -> the only target that has it."""


def add_commands(app: typer.Typer) -> None:
    """Register the command of this file."""
    app.command("export")(export_command)


def export_command(  # noqa: PLR0913, PLR0917 - as many parameters as flags
    runs: Annotated[list[Path], typer.Argument(help="Folders of runs.")],
    out: Annotated[Path, typer.Argument(help="The folder to make; new or empty.")],
    to: Annotated[str, typer.Option("--to", help="parquet, inspect or trajectories.")],
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace an earlier export in this folder.")
    ] = False,
    no_texts: Annotated[
        bool, typer.Option("--no-texts", help="Parquet: leave out speeches and answers.")
    ] = False,
    trust: Annotated[
        bool,
        typer.Option(
            "--trust",
            help="Inspect: let the viewer show pictures, and what players said as Markdown.",
        ),
    ] = False,
    per: Annotated[
        str | None,
        typer.Option("--per", help="Trajectories: a line a turn or a seat [default: turn]."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Export finished matches: Parquet tables, Inspect logs, or training data."""
    parse_choice("--to", to, _TARGETS)
    given = {"--no-texts": no_texts, "--trust": trust, "--per": per is not None}
    wrong = next((name for name, is_on in given.items() if is_on and _OWN[name] != to), None)
    if wrong is not None:
        raise ConfigError(f"{wrong} goes with --to {_OWN[wrong]}, not with --to {to}")
    # Only this command needs the exporters and their libraries.
    from eval.export.command import ExportOptions, describe, export_runs  # noqa: PLC0415

    started = time.monotonic()
    options = ExportOptions(
        target=to, overwrite=overwrite, with_texts=not no_texts, trusted=trust, unit=per or "turn"
    )
    exported = export_runs(runs, parse_folder(out), options)
    if as_json:
        JsonOut(sys.stdout).write(describe(exported))
    else:
        rows = ", ".join(f"{number} {name}" for name, number in exported.rows.items() if number)
        seconds = time.monotonic() - started
        line = f"exported {exported.matches} matches to {str(out)!r} in {seconds:.1f} s: {rows}"
        typer.echo(sanitize_line(line))
    if exported.left_out:
        typer.echo(sanitize_line(exported.left_out_line()), err=True)
