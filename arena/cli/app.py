"""Every command of the program, and one place where errors become one line."""

import gc
from importlib.metadata import version
from typing import Annotated, cast

import typer

from arena.cli.commands import (
    bench,
    evaluate,
    export,
    games,
    judge,
    match,
    plan,
    play,
    players,
    power,
    quiz,
    replay,
)
from arena.cli.console.sanitize import sanitize_line
from arena.cli.exit_status import BAD_INPUT, FAILED, INTERRUPTED, Interrupted
from arena.errors import ArenaError
from scripts_mm.cli import add_commands as add_script_commands
from scripts_mm.script import ScriptError
from serving.cli import add_commands as add_serving_commands
from serving.errors import ServingError

UsageError = cast("type[typer.BadParameter]", typer.BadParameter.__mro__[1])
"""What a wrong word of the command line raises; typer gives it no name of its own."""
_MOST_CHARACTERS = 2000
"""Of an error; it may quote an argument or a reply of any length."""

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
play.add_commands(app)
replay.add_commands(app)
players.add_commands(app)
games.add_commands(app)
bench.add_commands(app)
plan.add_commands(app)
evaluate.add_commands(app)
export.add_commands(app)
quiz.add_commands(app)
power.add_commands(app)
judge.add_commands(app)
add_script_commands(app)
add_serving_commands(app)


def execute() -> int:
    """Execute the command that the program's arguments name; return the exit status."""
    # The modules live as long as the process: a full collection need not visit their objects, which
    # would be a twentieth of what a turn costs.
    gc.freeze()
    try:
        status: int = app(standalone_mode=False, prog_name="arena") or 0
    except UsageError as error:
        if type(error).__name__ == "NoArgsIsHelpError":
            typer.echo(error.format_message())
            return BAD_INPUT
        command = error.ctx.command_path if error.ctx else "arena"
        return _fail(f"{error.format_message()} (see `{command} --help`)", BAD_INPUT)
    except (ArenaError, ScriptError, ServingError) as error:
        return _fail(str(error), BAD_INPUT)
    except OSError as error:
        place = "" if error.filename is None else f"{error.filename!r}: "
        return _fail(f"{place}{error.strerror or error}", FAILED)
    except (Interrupted, typer.Abort) as error:
        typer.echo(sanitize_line(str(error) or "interrupted"), err=True)
        return INTERRUPTED
    if status == INTERRUPTED:
        typer.echo("interrupted", err=True)
    return status


def _fail(line: str, status: int) -> int:
    """Report an error in one line: its text may come from a server, a script or a record."""
    text = sanitize_line(line[:_MOST_CHARACTERS])
    typer.echo(f"error: {text}{'...' if len(line) > _MOST_CHARACTERS else ''}", err=True)
    return status
