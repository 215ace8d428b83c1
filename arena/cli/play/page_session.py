"""A match with a person at a page: served until the person, or Ctrl-C, ends it."""

import asyncio
import secrets
import time
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, Final

import typer

from arena.cli.console.endings import show_end
from arena.cli.console.progress import Progress
from arena.cli.console.shell import shell_command
from arena.cli.console.streams import consoles
from arena.cli.exit_status import Interrupted
from arena.core.seats import SeatId
from arena.errors import RecordError
from arena.players.human import Desk
from arena.records.config import RunConfig, match_specs
from arena.records.files import atomic_write, read_text
from arena.records.run_record import RunRecord
from arena.run.launch import RunResult
from arena.run.observer import RunObserver
from arena.web.desk import WebDesk
from arena.web.feed import MatchFeed
from arena.web.fragments import Links
from arena.web.seat import SeatPages
from arena.web.security import Access
from arena.web.server import picture_address, serve

TOKEN_FILE: Final = "seat.token"  # noqa: S105 - the name of a file
"""Beside the run, for its owner alone: so the link of the seat holds when the run goes on."""

Play = Callable[[Desk, RunObserver], Coroutine[Any, Any, RunResult]]


def sit_at_page(config: RunConfig, run: Path, port: int, play: Play) -> None:
    """Let a person play at a page of this host, and keep the page up after the end."""
    human = config.human
    assert human is not None, "a person plays in the run"
    token = _keep_token(run)
    try:
        asyncio.run(_serve(human.seat, config, run, token, port, play))
    except KeyboardInterrupt as error:
        command = shell_command("resume", str(run), "--web")
        raise Interrupted(f"the page is gone; `{command}` brings it back") from error


async def _serve(
    seat: SeatId, config: RunConfig, run: Path, token: str, port: int, play: Play
) -> None:
    [spec] = match_specs(config)
    desk, record = WebDesk(), RunRecord(path=run).match(spec.id)
    links = Links(picture=lambda picture: picture_address(run.name, picture))
    pages = SeatPages(token=token, seat=seat, feed=MatchFeed(record, seat, links), desk=desk)
    shown, started = consoles(no_color=False), time.monotonic()
    async with AsyncExitStack() as stack:
        address = await stack.enter_async_context(
            serve(run.parent, Access(), seats=(pages,), port=port)
        )
        typer.echo(f"your seat: {address}/seat/{token}")
        with Progress(shown.err) as observer:
            result = await play(desk, observer)
        show_end(result, shown, time.monotonic() - started, silent=False)
        typer.echo("the page stays up until Ctrl-C")
        await asyncio.Event().wait()


def _keep_token(run: Path) -> str:
    """Return the token of the seat; a new one is kept beside the folder of the run."""
    path = run.with_name(f".{run.name}.{TOKEN_FILE}")
    token = (read_text(path) or "").strip()
    if token:
        return token
    token = secrets.token_urlsafe(24)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        atomic_write(path, f"{token}\n")
        path.chmod(0o600)
    except OSError as error:
        raise RecordError(f"cannot write {str(path)!r}: {error.strerror or error}") from error
    return token
