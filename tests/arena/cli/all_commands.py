"""All commands of the program, as it has them: a new one is tried as well."""

from collections.abc import Iterator
from typing import Any

import typer

from arena.cli.app import build_app


def _leaves(command: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield every command that is no group, with the words that name it."""
    below: dict[str, Any] = getattr(command, "commands", {})
    for name, one in below.items():
        yield from _leaves(one, (*words, name))
    if not below:
        yield words, command


COMMANDS = dict(_leaves(typer.main.get_command(build_app())))
