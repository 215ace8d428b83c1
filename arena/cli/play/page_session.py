"""Match with persons at web pages: served until Ctrl-C ends it."""

import asyncio
import secrets
import time
import zlib
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import quote

import typer

from arena.cli.console.port_fault import report_port_faults
from arena.cli.console.run_progress import RunProgress
from arena.cli.console.run_results import show_results
from arena.cli.console.screens import open_consoles
from arena.cli.console.shell import shell_command
from arena.cli.exit_status import Interrupted
from arena.cli.play.terminal_session import PlayWithDesks
from arena.cli.rendering.page_review import review_match
from arena.errors import RecordError
from arena.records.record_files import atomic_write, read_text
from arena.records.run_config import RunConfig, match_specs
from arena.records.run_record import RunRecord
from arena.view.sanitize import sanitize_line
from arena.web.feed import MatchFeed
from arena.web.fragments import Links
from arena.web.seat_pages import SeatPages
from arena.web.security import LOOPBACK, Access
from arena.web.web_desk import WebDesk
from arena.web.web_server import picture_address, serve_runs

TOKEN_FILE: Final = "seat.token"  # noqa: S105 - the name of a file
"""Next to the run folder, readable for its owner: the links stay valid when the run is resumed."""

_FIRST_PORT, _PORTS = 20_000, 12_000
"""First port and number of ports of pages: below 32768, where Linux's ephemeral ports begin."""


@dataclass(frozen=True, slots=True)
class ListenOptions:
    """Where pages are served, and for whom."""

    access: Access
    host: str
    port: int
    """0: chosen from the tokens of the seats."""

    @property
    def arguments(self) -> Sequence[str]:
        """Return the options that serve pages there again."""
        others = sorted(self.access.hosts - LOOPBACK - {self.host})
        names = dict.fromkeys(filter(None, (self.access.name, *others)))
        listed = [word for one in names for word in ("--name", one)]
        host = [] if self.host in LOOPBACK else ["--host", self.host]
        return (*host, *listed, *(("--port", str(self.port)) if self.port else ()))


def play_at_pages(config: RunConfig, run: Path, at: ListenOptions, play: PlayWithDesks) -> None:
    """Let each person play at a page of this host, and serve the pages after the end too."""
    tokens = _load_tokens(run, len(config.humans))
    try:
        asyncio.run(_serve(config, run, tokens, at, play))
    except KeyboardInterrupt as error:
        if not run.exists():
            raise Interrupted("interrupted, nothing was played") from error
        command = shell_command("resume", str(run), "--web", *at.arguments)
        raise Interrupted(f"the page is no longer served; `{command}` brings it back") from error


async def _serve(
    config: RunConfig, run: Path, tokens: Sequence[str], at: ListenOptions, play: PlayWithDesks
) -> None:
    [spec] = match_specs(config)
    record = RunRecord(path=run).match(spec.id)
    links = Links(picture=lambda picture: picture_address(run.name, picture))
    pages = [
        SeatPages(
            token=token, seat=one.seat, feed=MatchFeed(record, one.seat, links), desk=WebDesk()
        )
        for one, token in zip(config.humans, tokens, strict=True)
    ]
    shown, started = open_consoles(no_color=False), time.monotonic()
    async with AsyncExitStack() as stack:
        with report_port_faults(at.port):
            address = await _open_pages(stack, run.parent, pages, at)
        for one in pages:
            typer.echo(f"{sanitize_line(one.seat)}: {address}/seat/{one.token}")
        if at.access.token:
            typer.echo(f"watchers: {address}/runs/{quote(run.name)}{at.access.query}")
        with RunProgress(shown.err) as observer:
            result = await play({one.seat: one.desk for one in pages}, observer)
        show_results(result, shown, time.monotonic() - started, silent=False)
        typer.echo("the page stays up until Ctrl-C")
        await asyncio.Event().wait()


async def _open_pages(
    stack: AsyncExitStack, folder: Path, pages: Sequence[SeatPages], at: ListenOptions
) -> str:
    """Serve the pages and return their address; without a port, at one derived from the tokens.

    So links stay valid when the run is resumed, unless another program has taken the port since.
    """
    usual = _FIRST_PORT + zlib.crc32(pages[0].token.encode()) % _PORTS
    try:
        return await stack.enter_async_context(
            serve_runs(
                folder,
                at.access,
                seats=pages,
                reviewer=review_match,
                host=at.host,
                port=at.port or usual,
            )
        )
    except OSError:
        if at.port:
            raise
    return await stack.enter_async_context(
        serve_runs(folder, at.access, seats=pages, reviewer=review_match, host=at.host)
    )


def _load_tokens(run: Path, count: int) -> Sequence[str]:
    """Return the tokens of the seats, one per line of the token file; missing ones are drawn."""
    path = run.with_name(f".{run.name}.{TOKEN_FILE}")
    tokens = (read_text(path) or "").split()[:count]
    if len(tokens) == count:
        return tokens
    tokens += [secrets.token_urlsafe(24) for _ in range(count - len(tokens))]
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        atomic_write(path, "".join(f"{token}\n" for token in tokens))
        path.chmod(0o600)
    except OSError as error:
        raise RecordError(f"cannot write {str(path)!r}: {error.strerror or error}") from error
    return tokens
