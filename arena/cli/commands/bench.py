"""`arena bench throughput`: one trace in every arm against one server, and the ideal."""

import json
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from arena.bench.compare import Compared
from arena.bench.picture import scaling_png
from arena.bench.report import as_document, as_objects
from arena.bench.throughput import Wanted, arms_of, circumstances, compared, prepared
from arena.cli.commands.arguments import default_run_dir, parse_folder
from arena.cli.commands.bench_admission import add_command as add_admission_command
from arena.cli.commands.bench_core import add_commands as add_core_commands
from arena.cli.commands.bench_players import add_command as add_players_command
from arena.cli.console.json_out import JsonOut
from arena.cli.console.sanitize import sanitize_line
from arena.cli.console.streams import consoles
from arena.cli.exit_status import Interrupted
from arena.cli.rendering.bench_table import bench_table
from arena.errors import ConfigError, RecordError

DOCUMENT = "throughput.json"
PICTURE = "scaling.png"


def add_commands(app: typer.Typer) -> None:
    """Register the commands of this file."""
    bench = typer.Typer(no_args_is_help=True, help="Measure how fast matches are played.")
    bench.command("throughput")(throughput_command)
    add_core_commands(bench)
    add_players_command(bench)
    add_admission_command(bench)
    app.add_typer(bench, name="bench")


def throughput_command(  # noqa: PLR0913, PLR0917 - as many parameters as flags
    quick: Annotated[
        bool, typer.Option("--quick", help="A small trace on the stand-in engine, in seconds.")
    ] = False,
    url: Annotated[str, typer.Option(help="A running server: http://host:port/v1#model.")] = "",
    engine: Annotated[
        str, typer.Option(help="Start one: sim, cpu or cuda; sim:PROFILE and so on name which.")
    ] = "",
    trace: Annotated[
        str, typer.Option(help="A trace's file, a run's folder or synthetic:matches=64,...")
    ] = "",
    repeat: Annotated[int, typer.Option(help="Repetitions of every arm.")] = 5,
    arms: Annotated[
        list[str] | None, typer.Option(help="Only these, as ours,gather_32; may be repeated.")
    ] = None,
    static: Annotated[
        int | None, typer.Option(help="Live matches of static_best [default: of a sweep].")
    ] = None,
    kv_blocks: Annotated[
        int | None,
        typer.Option(help="Cache of a started engine [default: so small that matches compete]."),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="The folder of the report.")] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON object an arm, nothing else.")
    ] = False,
) -> None:
    """Compare ways of playing many matches against one server."""
    shown = consoles()
    folder = parse_folder(out) if out is not None else default_run_dir("throughput")
    bench = prepared(
        Wanted(
            quick=quick,
            url=url,
            engine=engine,
            trace=trace,
            repeat=repeat,
            arms=arms_of(arms or []),
            static=static,
            kv_blocks=kv_blocks,
        )
    )
    with _folder(folder):
        with shown.err.status("looking through the trace") as status:
            about = circumstances(bench, ("arena", *sys.argv[1:]))
            found = compared(bench, lambda line: status.update(sanitize_line(line)))
        document = json.dumps(as_document(found, about), indent=1, ensure_ascii=False)
        _write(folder / DOCUMENT, f"{document}\n".encode())
        if as_json:
            lines = JsonOut(sys.stdout)
            for one in as_objects(found):
                lines.write(one)
        else:
            shown.out.print(bench_table(found, shown.out.width))
        _draw(found, folder)
    typer.echo(f"the report is in {folder}", err=True)


@contextmanager
def _folder(path: Path) -> Generator[None]:
    """Create the folder of a report for the block; remove it again if it stays empty."""
    fresh = [place for place in (path, *path.parents) if not place.exists()]
    try:
        path.mkdir(parents=True, exist_ok=True)
        (path / DOCUMENT).open("ab").close()
    except OSError as error:
        _tidy(path, fresh)
        raise ConfigError(
            f"{str(path)!r} should be a folder for the report, but: {error.strerror}"
        ) from error
    try:
        yield
    except KeyboardInterrupt as error:
        raise Interrupted("interrupted, nothing was written") from error
    finally:
        _tidy(path, fresh)


def _tidy(path: Path, fresh: Sequence[Path]) -> None:
    """Remove a report without content, and the folders that were created for it."""
    document = path / DOCUMENT
    if document.is_file() and not document.stat().st_size:
        document.unlink()
    for place in fresh:
        if place.is_dir() and not any(place.iterdir()):
            place.rmdir()


def _draw(found: Compared, folder: Path) -> None:
    """Draw the chart, if there is something to draw."""
    if found.scaling:
        _write(folder / PICTURE, scaling_png(found))


def _write(path: Path, content: bytes) -> None:
    try:
        path.write_bytes(content)
    except OSError as error:
        raise RecordError(f"cannot write {str(path)!r}: {error.strerror}") from error
