"""`arena resume`: continue an interrupted run."""

import asyncio
import time
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.commands.arguments import (
    Admission,
    AsJson,
    Concurrency,
    Host,
    HostNames,
    IsQuiet,
    NoColor,
    Port,
    ShowFull,
    parse_concurrency,
    refuse_for_persons,
)
from arena.cli.commands.model_preparation import prepare_contestants
from arena.cli.console.run_results import show_results
from arena.cli.console.run_screen import interruptible, make_run_screen
from arena.cli.console.screens import open_consoles
from arena.cli.play.seating import SeatingOptions, play_with_humans, require_seating
from arena.cli.rendering.render_context import ViewOptions
from arena.records.run_record import open_run
from arena.run.launch import resume_run
from serving.commands.consent_options import engine_consent_options


def add_commands(app: typer.Typer) -> None:
    """Register the command of this file."""
    app.command("resume")(resume_command)


@engine_consent_options
def resume_command(
    run: Annotated[Path, typer.Argument(help="The run's folder.")],
    concurrency: Concurrency = None,
    admission: Admission = "on",
    quiet: IsQuiet = False,
    as_json: AsJson = False,
    full: ShowFull = False,
    pictures: Annotated[
        bool,
        typer.Option("--pictures", help="Draw pictures for a person if the terminal has colours."),
    ] = False,
    on_web: Annotated[
        bool,
        typer.Option("--web", help="Persons play in a browser, with the same links as before."),
    ] = False,
    port: Port = 0,
    host: Host = "127.0.0.1",
    name: HostNames = None,
    no_color: NoColor = False,
) -> None:
    """Continue an interrupted run: recorded actions are replayed, the rest is played."""
    most = parse_concurrency(concurrency, admission)
    record = open_run(run)
    config, is_over = record.config, record.find_results() is not None
    place = SeatingOptions(
        on_web=on_web, port=port, host=host, names=name or (), pictures=pictures, no_color=no_color
    )
    if config.humans and not is_over:
        refuse_for_persons({"--quiet": quiet, "--json": as_json})
        require_seating(config.humans, place)
    if not is_over:
        prepare_contestants(config.contestants, run, may_ask=not (quiet or as_json))
    if config.humans and not is_over:
        play_with_humans(
            config,
            run,
            place,
            lambda desks, observer: resume_run(
                run, concurrency=most, observer=observer, desks=desks
            ),
        )
        return
    shown = open_consoles(no_color=no_color)
    view = ViewOptions(full=full)
    with (
        interruptible(run),
        make_run_screen(shown, view, many=True, quiet=quiet, as_json=as_json) as observer,
    ):
        started = time.monotonic()
        result = asyncio.run(resume_run(run, concurrency=most, observer=observer))
    show_results(result, shown, time.monotonic() - started, silent=quiet or as_json)
