"""`arena replay`: show a recorded match again, without any model."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.console.streams import consoles
from arena.cli.console.json_out import JsonOut
from arena.cli.rendering.context import ViewOptions
from arena.cli.commands.match import AsJson, Full, NoColor
from arena.cli.console.shell import shell_command
from arena.cli.console.transcript import Transcript
from arena.cli.rendering.verdict import show_verdict
from arena.errors import StoreError
from arena.run.config import load_config, specs
from arena.run.launch import kept_script
from arena.store.match_folder import MatchFolder
from arena.store.run_folder import RunFolder, open_run


def add_commands(app: typer.Typer) -> None:
    """Register the command of this file."""
    app.command("replay")(replay_command)


def replay_command(
    run: Annotated[Path, typer.Argument(help="The run's folder.")],
    match: Annotated[
        str | None, typer.Argument(help="The match; needed if there are more.")
    ] = None,
    as_json: AsJson = False,
    full: Full = False,
    no_color: NoColor = False,
) -> None:
    """Show a match of a run as it was played."""
    opened = open_run(run)
    folder = _match(opened, match)
    done = folder.summary()
    if as_json:
        if done is None:
            raise StoreError(f"match {folder.path.name!r} is not whole; resume its run first")
        JsonOut(sys.stdout).ended(done)
        return
    config = load_config(opened.read_config().get("config"))
    spec = next((spec for spec in specs(config) if spec.id == folder.path.name), None)
    if spec is None:
        raise StoreError(f"match {folder.path.name!r} is not in the plan of run {str(run)!r}")
    shown = consoles(no_color=no_color)
    script = kept_script(opened, spec.script)
    with Transcript(shown.out, ViewOptions(full=full)) as transcript:
        transcript.play(folder.path.name, script, folder.events())
    if done is None:
        go_on = shell_command("resume", str(run))
        typer.echo(f"the match is not whole; go on with `{go_on}`", err=True)
    else:
        show_verdict(shown.out, [done])


def _match(run: RunFolder, wanted: str | None) -> MatchFolder:
    names = [match.path.name for match in run.matches()]
    there = ", ".join(names[:10]) + (f" and {len(names) - 10} more" if len(names) > 10 else "")  # noqa: PLR2004
    if wanted is None and len(names) == 1:
        return run.match(names[0])
    if wanted in names:
        return run.match(wanted)
    what = "which match is wanted" if wanted is None else f"no match {wanted!r}"
    raise StoreError(f"{what} of run {str(run.path)!r}; there are: {there or 'none'}")
