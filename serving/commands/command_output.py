"""Output of the serving commands: lines, JSON objects, errors in one line."""

import json
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Annotated, Any

import typer

from serving.errors import ServingError

AsJson = Annotated[bool, typer.Option("--json", help="One JSON object a line, nothing else.")]


@contextmanager
def report_errors() -> Generator[None]:
    """Print a `ServingError` as one line and exit with status 2."""
    try:
        yield
    except ServingError as error:
        typer.echo(f"error: {error}", err=True)
        raise typer.Exit(2) from error


def print_line(text: str) -> None:
    """Print a line for a person, on standard error."""
    typer.echo(text, err=True)


def print_object(value: Mapping[str, Any]) -> None:
    """Print a JSON object as one line on standard output."""
    typer.echo(json.dumps(value, ensure_ascii=False))
