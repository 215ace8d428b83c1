"""The console script `arena`: every command, and one place where errors become one line."""

import gc
import sys
from importlib.metadata import version
from typing import Annotated, NoReturn, cast

import typer

from arena.cli.commands import bench, games, match, plan, players, replay
from arena.errors import ArenaError
from scripts_mm.cli import add_commands as add_script_commands
from scripts_mm.script import ScriptError
from serving.cli import add_commands as add_serving_commands
from serving.errors import ServingError

UsageError = cast("type[typer.BadParameter]", typer.BadParameter.__mro__[1])
"""What a wrong word of the command line raises; typer gives it no name of its own."""
BAD_INPUT = 2
"""Exit status where the user must change something; nothing was written."""

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Murder-mystery matches between open vision-language models, on your own GPUs.",
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(version("murder-arena"))
        raise typer.Exit


@app.callback()
def main(
    _: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Murder-mystery matches between open vision-language models, on your own GPUs."""


match.add_commands(app)
replay.add_commands(app)
players.add_commands(app)
games.add_commands(app)
bench.add_commands(app)
plan.add_commands(app)
add_script_commands(app)
add_serving_commands(app)


def run() -> None:
    """Run the command line; what a person must fix is one line and exit status 2."""
    # The modules live as long as the process: a full collection need not visit their objects, which
    # would be a twentieth of what a turn costs.
    gc.freeze()
    try:
        status = app(standalone_mode=False, prog_name="arena")
    except UsageError as error:
        if type(error).__name__ == "NoArgsIsHelpError":
            typer.echo(error.format_message())
            sys.exit(BAD_INPUT)
        command = error.ctx.command_path if error.ctx else "arena"
        _fail(f"{error.format_message()} (see `{command} --help`)", BAD_INPUT)
    except (ArenaError, ScriptError, ServingError) as error:
        _fail(str(error), BAD_INPUT)
    except typer.Abort:
        _fail("interrupted", match.INTERRUPTED)
    sys.exit(status or 0)


def _fail(line: str, status: int) -> NoReturn:
    typer.echo(f"error: {' '.join(line.split())}", err=True)
    sys.exit(status)
