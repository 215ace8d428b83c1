"""Results of a command that plays matches, and the pictures of its run."""

from pathlib import Path

import typer

from arena.cli.console.screens import Consoles
from arena.cli.exit_status import FAILED
from arena.cli.rendering.render_context import PictureReader
from arena.cli.rendering.verdict import show_verdict
from arena.errors import RecordError
from arena.records.match_summary import MatchSummary
from arena.records.run_record import RunRecord
from arena.run.launch import RunResult
from arena.run.match_batch import MatchCrash
from arena.view.sanitize import sanitize
from scripts_mm.script import Picture


def show_results(result: RunResult, shown: Consoles, wall: float, *, silent: bool) -> None:
    """Show the verdict; unfinished matches make the exit status 1."""
    summaries = [one for one in result.results if isinstance(one, MatchSummary)]
    crashes = [one for one in result.results if isinstance(one, MatchCrash)]
    if not silent:
        show_verdict(shown.out, summaries, wall=wall)
    for crash in crashes:
        line = f"a bug in the arena ended a match: {crash.error}\n{crash.trace}"
        typer.echo(sanitize(line), err=True)
    if crashes or any(summary.outcome == "error" for summary in summaries):
        raise typer.Exit(FAILED)


def make_picture_reader(run: Path) -> PictureReader:
    """Return the reader of the pictures of the run in a folder."""
    record = RunRecord(path=run)

    def read(picture: Picture) -> bytes | None:
        try:
            return record.read_picture(picture.sha256)
        except RecordError:
            return None

    return read
