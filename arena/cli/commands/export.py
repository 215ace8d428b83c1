"""`arena export`: finished runs in the formats of other programs, and matches as web pages."""

import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.commands.arguments import AsJson, parse_choice, parse_folder
from arena.cli.console.json_out import JsonOut
from arena.errors import ConfigError
from arena.view.sanitize import sanitize_line

_TARGETS = ("parquet", "inspect", "trajectories", "html")
_HTML = "html"
_OWN = {"--no-texts": "parquet", "--trust": "inspect", "--per": "trajectories", "--truth": _HTML}
"""Option -> the only target that supports it."""


def add_commands(app: typer.Typer) -> None:
    """Register the command of this file."""
    app.command("export")(export_command)


def export_command(  # noqa: PLR0913, PLR0917 - as many parameters as flags
    runs: Annotated[
        list[Path], typer.Argument(help="Folders of runs; for html one RUN or RUN/MATCH.")
    ],
    out: Annotated[
        Path, typer.Argument(help="The folder to create, new or empty; for html the file.")
    ],
    to: Annotated[str, typer.Option("--to", help="parquet, inspect, trajectories or html.")],
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
            help="Inspect: let the viewer show pictures, and players' texts as Markdown.",
        ),
    ] = False,
    per: Annotated[
        str | None,
        typer.Option("--per", help="Trajectories: one line per turn or per seat [default: turn]."),
    ] = None,
    truth: Annotated[
        bool,
        typer.Option("--truth", help="HTML: with all secrets, silent ballots and the claim audit."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Export finished matches: Parquet tables, Inspect logs, training data, or one HTML file."""
    parse_choice("--to", to, _TARGETS)
    given = {
        "--no-texts": no_texts,
        "--trust": trust,
        "--per": per is not None,
        "--truth": truth,
    }
    wrong = next((name for name, is_on in given.items() if is_on and _OWN[name] != to), None)
    if wrong is not None:
        raise ConfigError(f"{wrong} is for --to {_OWN[wrong]}, not for --to {to}")
    if to == _HTML:
        _export_page(runs, out, overwrite=overwrite, truth=truth, as_json=as_json)
        return
    # Only this command needs the exporters and their libraries.
    from eval.export.export_command import ExportOptions, export_object, export_runs  # noqa: PLC0415

    started = time.monotonic()
    options = ExportOptions(
        target=to, overwrite=overwrite, with_texts=not no_texts, trusted=trust, unit=per or "turn"
    )
    exported = export_runs(runs, parse_folder(out), options)
    if as_json:
        JsonOut(sys.stdout).write(export_object(exported))
    else:
        rows = ", ".join(f"{number} {name}" for name, number in exported.rows.items() if number)
        seconds = time.monotonic() - started
        line = f"exported {exported.matches} matches to {str(out)!r} in {seconds:.1f} s: {rows}"
        typer.echo(sanitize_line(line))
    if exported.left_out:
        typer.echo(sanitize_line(exported.left_out_line()), err=True)


def _export_page(
    runs: list[Path], out: Path, *, overwrite: bool, truth: bool, as_json: bool
) -> None:
    """Write one match as a self-contained HTML file."""
    from arena.cli.rendering.page_review import review_match  # noqa: PLC0415
    from arena.web.match_export import find_match, write_match  # noqa: PLC0415
    from arena.web.review import Review  # noqa: PLC0415

    if len(runs) > 1:
        raise ConfigError(f"--to html writes one match; got {len(runs)} runs")
    if out.is_dir() or (out.exists() and not overwrite):
        what = "a folder" if out.is_dir() else "already there; --overwrite replaces it"
        raise ConfigError(f"the file {str(out)!r} is {what}")
    record = find_match(runs[0])
    review = review_match(record) if truth and record.is_complete() else Review()
    size = write_match(record, out, truth=truth, review=review)
    if as_json:
        JsonOut(sys.stdout).write({"target": _HTML, "match": record.path.name, "bytes": size})
    else:
        typer.echo(sanitize_line(f"wrote {str(out)!r}, {size / 2**20:.1f} MiB"))
