"""Match with a person at this terminal: started, left, and continued."""

import asyncio
import sys
import time
from collections.abc import Callable, Coroutine, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.cli.console.run_results import show_results
from arena.cli.console.screens import open_consoles
from arena.cli.console.shell import shell_command
from arena.cli.exit_status import Interrupted
from arena.cli.play.seat_screen import SeatScreen
from arena.cli.play.terminal_desk import TerminalDesk
from arena.cli.rendering.render_context import PictureReader, ViewOptions
from arena.core.seats import SeatId
from arena.errors import ConfigError
from arena.players.human import Desks
from arena.records.run_record import RunRecord
from arena.run.launch import RunResult
from arena.run.observer import RunObserver
from arena.view.i18n.desk_messages import DESK_MESSAGES, DeskMessages
from arena.view.i18n.language_choice import messages_for
from scripts_mm.script import Language, Picture

PlayWithDesks = Callable[[Desks, RunObserver], Coroutine[Any, Any, RunResult]]
"""Plays a run with persons at their desks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TerminalSeat:
    """A person at a terminal: the seat, the run, and the view."""

    seat: SeatId
    language: Language
    run: Path
    read: PictureReader | None
    """Reader of pictures, which are then drawn."""
    no_color: bool


def require_terminal() -> None:
    """Raise `ConfigError` if a person cannot read and type."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise ConfigError(
            "a person plays at a terminal; standard input and standard output must be one"
        )


def play_at_terminal(sitting: TerminalSeat, play: PlayWithDesks) -> None:
    """Let a person play at this terminal, and show the end; or show how to continue later."""
    # Imports prompt_toolkit, which the other matches need not wait for.
    from arena.cli.play.line_reader import TerminalReader  # noqa: PLC0415

    shown = open_consoles(no_color=sitting.no_color)
    record = RunRecord(path=sitting.run)

    def locate(picture: Picture) -> str:
        return str(record.picture_path(picture.sha256))

    view = ViewOptions(full=True, read=sitting.read, locate=locate, seat=sitting.seat)
    messages = messages_for(sitting.language, encoding=shown.out.encoding)
    say = DESK_MESSAGES[messages.language]
    started = time.monotonic()
    with _handle_leaving(sitting.run, say), SeatScreen(shown.out, view, log=shown.err) as screen:
        desk = TerminalDesk(screen, TerminalReader())
        result = asyncio.run(play({sitting.seat: desk}, screen))
        if desk.has_left:
            raise KeyboardInterrupt
    show_results(result, shown, time.monotonic() - started, silent=False)


@contextmanager
def _handle_leaving(run: Path, say: DeskMessages) -> Generator[None]:
    """Turn leaving, and Ctrl-C, into one line that shows how to continue."""
    try:
        yield
    except KeyboardInterrupt as error:
        command = shell_command("resume", str(run))
        line = say.left.format(command=command) if run.exists() else say.not_started
        raise Interrupted(line) from error
