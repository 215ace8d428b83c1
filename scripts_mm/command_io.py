"""Input and output that the commands of `arena scripts` share."""

import json
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from scripts_mm.safe_io import error_reason
from scripts_mm.script import LANGUAGES, Language, ScriptError

BAD_INPUT = 2
"""Exit status if the user's input cannot be used."""

Json = Annotated[
    bool, typer.Option("--json", help="Print one JSON object per line and nothing else.")
]
LanguageName = Annotated[
    str | None, typer.Option("--language", help=f"One of {', '.join(LANGUAGES)}.")
]
ScriptOrAll = Annotated[
    str | None,
    typer.Argument(help="A script's id in a library, or a path to it; all if left out."),
]
Libraries = Annotated[
    list[Path] | None, typer.Option("--library", help="A folder of scripts; can be repeated.")
]


@contextmanager
def exit_on_error() -> Generator[None]:
    """Turn a ScriptError or OSError into one line on standard error and exit status 2."""
    try:
        yield
    except ScriptError as error:
        typer.echo(f"error: {error}", err=True)
        raise typer.Exit(BAD_INPUT) from error
    except OSError as error:
        at = f"{error.filename!r}: " if error.filename is not None else ""
        typer.echo(f"error: {at}{error_reason(error)}", err=True)
        raise typer.Exit(BAD_INPUT) from error


def parse_language(name: str | None) -> Language | None:
    """Return the language of that name. Raises ScriptError if there is none."""
    if name is None:
        return None
    found: dict[str, Language] = {language: language for language in LANGUAGES}
    if name not in found:
        raise ScriptError(f"no language {name!r}; known: {', '.join(LANGUAGES)}")
    return found[name]


def print_json(value: Mapping[str, Any]) -> None:
    """Print one line of JSON, in ASCII unless the output is UTF-8."""
    wide = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    typer.echo(json.dumps(value, ensure_ascii=not wide))
