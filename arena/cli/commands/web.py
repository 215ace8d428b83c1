"""`arena web`: the runs of a folder in a browser."""

import asyncio
import secrets
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.commands.arguments import RUNS
from arena.cli.exit_status import Interrupted
from arena.errors import ConfigError
from arena.web.runs import Runs
from arena.web.security import LOOPBACK, TOKEN, Access
from arena.web.server import serve


def add_commands(app: typer.Typer) -> None:
    """Register the command of this file."""
    app.command("web")(web_command)


def web_command(
    folder: Annotated[Path, typer.Argument(help="A folder of runs, or one run.")] = RUNS,
    host: Annotated[
        str, typer.Option(help="Address to listen at; any but loopback is opened with a token.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: any that is free.")] = 8000,
    name: Annotated[
        list[str] | None,
        typer.Option("--name", help="A host name by which others reach it; may be repeated."),
    ] = None,
) -> None:
    """Show live and recorded matches in a browser, until Ctrl-C."""
    Runs(folder)
    is_local = host in LOOPBACK
    if not is_local and not name and host in {"0.0.0.0", "::"}:  # noqa: S104 - it is asked about
        raise ConfigError(f"--host {host} needs --name NAME: the host name that others will write")
    token = "" if is_local else secrets.token_urlsafe(24)
    access = Access(hosts=LOOPBACK | {host, *(name or ())}, token=token)
    try:
        asyncio.run(_serve(folder, access, host, port))
    except KeyboardInterrupt as error:
        raise Interrupted("the server has stopped") from error


async def _serve(folder: Path, access: Access, host: str, port: int) -> None:
    async with serve(folder, access, host=host, port=port) as address:
        query = f"/?{TOKEN}={access.token}" if access.token else ""
        typer.echo(f"{str(folder)!r} is shown at {address}{query} (Ctrl-C ends)")
        await asyncio.Event().wait()
