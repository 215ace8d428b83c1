"""`arena web`: the runs of a folder in a browser."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.commands.arguments import RUNS, Host, HostNames
from arena.cli.console.port_fault import report_port_faults
from arena.cli.exit_status import Interrupted
from arena.cli.rendering.page_review import review_match
from arena.web.run_directory import RunDirectory
from arena.web.security import Access, make_access
from arena.web.web_server import serve_runs


def add_commands(app: typer.Typer) -> None:
    """Register the command of this file."""
    app.command("web")(web_command)


def web_command(
    folder: Annotated[Path, typer.Argument(help="A folder of runs, or one run.")] = RUNS,
    host: Host = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: any free port.")] = 8000,
    name: HostNames = None,
) -> None:
    """Show live and recorded matches in a browser, until Ctrl-C."""
    RunDirectory(folder)
    access = make_access(host, name or ())
    try:
        with report_port_faults(port):
            asyncio.run(_serve(folder, access, host, port))
    except KeyboardInterrupt as error:
        raise Interrupted("the server has stopped") from error


async def _serve(folder: Path, access: Access, host: str, port: int) -> None:
    async with serve_runs(folder, access, reviewer=review_match, host=host, port=port) as address:
        typer.echo(f"{str(folder)!r} is shown at {address}/{access.query} (Ctrl-C ends)")
        await asyncio.Event().wait()
