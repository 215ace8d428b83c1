"""`arena bench throughput`: arms on one load and one server, all with the code of real runs."""

import json
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from arena.bench.comparison_report import as_document, as_objects
from arena.bench.throughput import ThroughputArgs, prepare, run_comparison
from arena.cli.commands.arguments import (
    AsJson,
    OptionPairs,
    default_run_dir,
    parse_folder,
    parse_pairs,
)
from arena.cli.commands.bench_admission import add_command as add_admission_command
from arena.cli.commands.bench_gpu import add_command as add_gpu_command
from arena.cli.commands.bench_overcommit import add_command as add_overcommit_command
from arena.cli.commands.bench_overhead import add_commands as add_core_commands
from arena.cli.commands.bench_players import add_command as add_players_command
from arena.cli.commands.bench_routers import add_command as add_routers_command
from arena.cli.console.json_out import JsonOut
from arena.cli.console.screens import open_consoles
from arena.cli.exit_status import Interrupted
from arena.cli.rendering.bench_table import bench_table
from arena.errors import ConfigError, RecordError
from arena.view.sanitize import sanitize_line
from serving.commands.consent_options import engine_consent_options

DOCUMENT_FILE = "throughput.json"


def add_commands(app: typer.Typer) -> None:
    """Register the commands of this file."""
    bench = typer.Typer(no_args_is_help=True, help="Measure how fast matches are played.")
    bench.command("throughput")(throughput_command)
    add_core_commands(bench)
    add_players_command(bench)
    add_admission_command(bench)
    add_overcommit_command(bench)
    add_routers_command(bench)
    add_gpu_command(bench)
    app.add_typer(bench, name="bench")


@engine_consent_options
def throughput_command(  # noqa: PLR0913, PLR0917 - as many parameters as flags
    quick: Annotated[
        bool, typer.Option("--quick", help="A small load that takes seconds.")
    ] = False,
    shape: Annotated[str, typer.Option(help="A load of `arena bench admission` by name.")] = "",
    script: Annotated[
        list[str] | None, typer.Option(help="A script's id or folder; may be repeated.")
    ] = None,
    game: Annotated[str, typer.Option(help="The game, see `arena games`.")] = "",
    preset: Annotated[str, typer.Option(help="A preset of the game's options.")] = "",
    option: OptionPairs = None,
    matches: Annotated[
        int | None, typer.Option("--matches", "-n", help="Matches of each script.")
    ] = None,
    url: Annotated[
        str,
        typer.Option(help="Running servers: http://host:port/v1#model, commas between replicas."),
    ] = "",
    engine: Annotated[
        str,
        typer.Option(
            help="virtual (simulated time), or an engine to start: sim, cpu or cuda; sim:PROFILE "
            "and cuda:MODEL name the model [default: virtual]."
        ),
    ] = "",
    kv_blocks: Annotated[
        int | None, typer.Option(help="Blocks of the engine's KV cache [default: its own].")
    ] = None,
    repeat: Annotated[int, typer.Option(help="Repetitions of every arm.")] = 5,
    arms: Annotated[
        list[str] | None, typer.Option(help="Only these arms, as ours,gather_32; may be repeated.")
    ] = None,
    static: Annotated[
        int | None, typer.Option(help="Live matches of static_best [default: from a sweep].")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="The folder of the report.")] = None,
    as_json: AsJson = False,
) -> None:
    """Compare policies for playing many matches, with the code of real runs."""
    shown = open_consoles()
    folder = parse_folder(out) if out is not None else default_run_dir("throughput")
    bench = prepare(
        ThroughputArgs(
            quick=quick,
            shape=shape,
            scripts=tuple(script or ()),
            game=game,
            preset=preset,
            options=parse_pairs(option or []),
            matches=matches,
            url=url,
            engine=engine,
            kv_blocks=kv_blocks,
            repeat=repeat,
            arms=tuple(name.strip() for word in arms or () for name in word.split(",")),
            static=static,
        )
    )
    with _make_report_folder(folder):
        with shown.err.status("starting") as status:
            found = run_comparison(bench, lambda line: status.update(sanitize_line(line)))
        document = as_document(bench, found, ("arena", *sys.argv[1:]))
        text = json.dumps(document, indent=1, ensure_ascii=False)
        _write(folder / DOCUMENT_FILE, f"{text}\n".encode())
        if as_json:
            lines = JsonOut(sys.stdout)
            for one in as_objects(found):
                lines.write(one)
        else:
            shown.out.print(bench_table(found, shown.out.width))
    typer.echo(f"the report is in {folder}", err=True)


@contextmanager
def _make_report_folder(path: Path) -> Generator[None]:
    """Create the folder of a report for the block; remove it again if it stays empty."""
    fresh = [place for place in (path, *path.parents) if not place.exists()]
    try:
        path.mkdir(parents=True, exist_ok=True)
        (path / DOCUMENT_FILE).open("ab").close()
    except OSError as error:
        _remove_empty(path, fresh)
        raise ConfigError(
            f"{str(path)!r} should be a folder for the report, but: {error.strerror}"
        ) from error
    try:
        yield
    except KeyboardInterrupt as error:
        raise Interrupted("interrupted, nothing was written") from error
    finally:
        _remove_empty(path, fresh)


def _remove_empty(path: Path, fresh: Sequence[Path]) -> None:
    """Remove a report without content, and the folders that were created for it."""
    document = path / DOCUMENT_FILE
    if document.is_file() and not document.stat().st_size:
        document.unlink()
    for place in fresh:
        if place.is_dir() and not any(place.iterdir()):
            place.rmdir()


def _write(path: Path, content: bytes) -> None:
    try:
        path.write_bytes(content)
    except OSError as error:
        raise RecordError(f"cannot write {str(path)!r}: {error.strerror}") from error
