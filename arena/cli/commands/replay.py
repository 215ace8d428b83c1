"""`arena replay`: show a recorded match again, without any model."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.commands.arguments import AsJson, NoColor, ShowFull, ShowPictures, ShowTruth
from arena.cli.console.json_out import JsonOut
from arena.cli.console.run_results import make_picture_reader
from arena.cli.console.screens import open_consoles
from arena.cli.console.shell import shell_command
from arena.cli.console.transcript import Transcript
from arena.cli.rendering.render_context import ViewOptions
from arena.cli.rendering.verdict import show_verdict
from arena.errors import RecordError
from arena.games.game_registry import find_game
from arena.records.match_record import MatchRecord
from arena.records.match_replay import replay_match
from arena.records.run_record import RunRecord, open_run

_MAX_NAMES = 10
"""Maximum matches that an error lists."""


def add_commands(app: typer.Typer) -> None:
    """Register the command of this file."""
    app.command("replay")(replay_command)


def replay_command(  # noqa: PLR0913, PLR0917 - as many parameters as flags
    run: Annotated[Path, typer.Argument(help="The run's folder.")],
    match: Annotated[
        str | None, typer.Argument(help="The match; needed if there are several.")
    ] = None,
    as_json: AsJson = False,
    full: ShowFull = False,
    truth: ShowTruth = False,
    pictures: ShowPictures = False,
    no_color: NoColor = False,
) -> None:
    """Show a match of a run as it was played."""
    record = open_run(run)
    chosen = _choose_match(record, match)
    name, summary = chosen.path.name, chosen.summary()
    if as_json:
        if summary is None:
            raise RecordError(f"match {name!r} is not complete; resume its run first")
        JsonOut(sys.stdout).on_match_end(summary)
        return
    script, events = record.script(record.spec(name).script), chosen.events()
    if events:
        # A game can show only the events that its rules produce.
        replay_match(find_game(record.config.game), script, events, match=name)
    shown = open_consoles(no_color=no_color)
    view = ViewOptions(full=full, truth=truth, read=make_picture_reader(run) if pictures else None)
    with Transcript(shown.out, view) as transcript:
        transcript.play(name, script, events)
    if summary is None:
        resume = shell_command("resume", str(run))
        typer.echo(f"the match is not complete; continue with `{resume}`", err=True)
    else:
        show_verdict(shown.out, [summary], is_whole_run=len(record.matches()) == 1)


def _choose_match(run: RunRecord, wanted: str | None) -> MatchRecord:
    names = [match.path.name for match in run.matches()]
    if wanted is None and len(names) == 1:
        return run.match(names[0])
    if wanted in names:
        return run.match(wanted)
    more = f" and {len(names) - _MAX_NAMES} more" if len(names) > _MAX_NAMES else ""
    there = ", ".join(names[:_MAX_NAMES]) + more
    what = "name one match" if wanted is None else f"no match {wanted!r}"
    raise RecordError(f"{what} of run {str(run.path)!r}; there are: {there or 'none'}")
