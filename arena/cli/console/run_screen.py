"""Screen of a run between models, and its end by Ctrl-C."""

import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from arena.cli.console.json_out import JsonOut
from arena.cli.console.quiet_output import QuietOutput
from arena.cli.console.run_progress import RunProgress
from arena.cli.console.screens import Consoles
from arena.cli.console.shell import shell_command
from arena.cli.console.transcript import Transcript
from arena.cli.exit_status import Interrupted
from arena.cli.rendering.render_context import ViewOptions
from arena.run.observer import BaseObserver, CompositeObserver


@contextmanager
def interruptible(run: Path) -> Generator[None]:
    """Turn Ctrl-C into one line that says how to continue."""
    try:
        yield
    except KeyboardInterrupt as error:
        hint = (
            f"; continue with `{shell_command('resume', str(run))}`"
            if run.exists()
            else ", nothing was played"
        )
        raise Interrupted(f"interrupted{hint}") from error


def make_run_screen(
    shown: Consoles, view: ViewOptions, *, many: bool, quiet: bool, as_json: bool
) -> BaseObserver:
    """Return the observer that shows a run: a transcript, or the progress of many matches."""
    if as_json:
        return CompositeObserver(RunProgress(shown.err), JsonOut(sys.stdout))
    if quiet:
        return QuietOutput(shown.out)
    return RunProgress(shown.err) if many else Transcript(shown.out, view, log=shown.err)
