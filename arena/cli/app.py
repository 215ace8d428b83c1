"""All commands of the program, and the one place where errors become one line."""

import gc
from collections.abc import Mapping
from importlib import import_module
from importlib.metadata import version
from types import MappingProxyType
from typing import Annotated, Final, cast

import typer

from arena.cli.exit_status import BAD_INPUT, FAILED, INTERRUPTED, Interrupted
from arena.errors import ArenaError
from arena.view.sanitize import sanitize_line
from scripts_mm.script import ScriptError
from serving.errors import ServingError

UsageError = cast("type[typer.BadParameter]", typer.BadParameter.__mro__[1])
"""Error of an invalid command line; typer has no public name for it."""
_MAX_CHARACTERS = 2000
"""Maximum characters of an error; it can quote an argument or a reply of any length."""

_COMMANDS: Final = "arena.cli.commands"

MODULES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "match": f"{_COMMANDS}.match",
        "resume": f"{_COMMANDS}.resume",
        "tournament": f"{_COMMANDS}.tournament",
        "cluster": f"{_COMMANDS}.cluster",
        "play": f"{_COMMANDS}.play",
        "replay": f"{_COMMANDS}.replay",
        "web": f"{_COMMANDS}.web",
        "players": f"{_COMMANDS}.players",
        "games": f"{_COMMANDS}.games",
        "bench": f"{_COMMANDS}.bench",
        "plan": f"{_COMMANDS}.plan",
        "eval": f"{_COMMANDS}.evaluate",
        "report": f"{_COMMANDS}.evaluate",
        "compare": f"{_COMMANDS}.evaluate",
        "export": f"{_COMMANDS}.export",
        "quiz": f"{_COMMANDS}.quiz",
        "power": f"{_COMMANDS}.power",
        "judge": f"{_COMMANDS}.judge",
        "scripts": "scripts_mm.cli",
        "models": "serving.commands.server_commands",
        "doctor": "serving.commands.server_commands",
        "serve": "serving.commands.server_commands",
        "fetch": "serving.commands.fetch_command",
        "bundle": "serving.bundle.bundle_command",
    }
)
"""First words of a command line, each with the module that adds its command."""


def build_app(word: str = "") -> typer.Typer:
    """Build the program; if `word` names a command, only with the commands of its module.

    The other modules are then not imported, which would take a second.
    """
    app = typer.Typer(
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        help="Murder-mystery matches between open vision-language models, on your own GPUs.",
    )
    app.callback()(main)
    modules = [MODULES[word]] if word in MODULES else dict.fromkeys(MODULES.values())
    # Imports create objects that live as long as the process: a collection meanwhile finds no
    # garbage. With them frozen, later full collections skip them, a twentieth of the cost of a
    # turn.
    gc.disable()
    try:
        for module in modules:
            import_module(module).add_commands(app)
        gc.freeze()
    finally:
        gc.enable()
    return app


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(version("murder-arena"))
        raise typer.Exit


def main(
    _: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Murder-mystery matches between open vision-language models, on your own GPUs."""


def execute(app: typer.Typer) -> int:
    """Execute the command in the program's arguments; return the exit status."""
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
    """Report an error in one line: its text can come from a server, a script or a record."""
    text = sanitize_line(line[:_MAX_CHARACTERS])
    typer.echo(f"error: {text}{'...' if len(line) > _MAX_CHARACTERS else ''}", err=True)
    return status
