"""Options of several commands: the user's permissions for finding and starting an engine."""

import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from types import MappingProxyType
from typing import Annotated, Any, Final

import typer

from serving.resolution.consent import FETCH, PICKLE, REMOTE_CODE, allow

CommandFunction = Callable[..., None]

_OPTIONS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        FETCH: ("--fetch", "Fetch models that are not on this host from the hub."),
        PICKLE: ("--allow-pickle", "Load pickled weights, which can run any code."),
        REMOTE_CODE: ("--trust-remote-code", "Let a model run its own code."),
    }
)
"""The option and the help of each permission of `serving.resolution.consent`."""


def add_consent_options(*permissions: str) -> Callable[[CommandFunction], CommandFunction]:
    """Add the options of these permissions to a command; they are in effect while it runs."""

    def change(command: CommandFunction) -> CommandFunction:
        @wraps(command)
        def run(*words: Any, **options: Any) -> None:
            given = [name for name in permissions if options.pop(name.lower())]
            with allow(*given):
                command(*words, **options)

        signature = inspect.signature(command)
        added = {name.lower(): _annotation(name) for name in permissions}
        parameters = [
            inspect.Parameter(
                name, inspect.Parameter.KEYWORD_ONLY, default=False, annotation=annotation
            )
            for name, annotation in added.items()
        ]
        # Typer builds the command line from the function's signature.
        changed = signature.replace(parameters=[*signature.parameters.values(), *parameters])
        run.__signature__ = changed  # pyright: ignore[reportAttributeAccessIssue]
        run.__annotations__ = {**command.__annotations__, **added}
        return run

    return change


engine_consent_options: Final = add_consent_options(FETCH, PICKLE, REMOTE_CODE)
"""For every command that can start an engine for a named model."""


def _annotation(name: str) -> Any:
    option, text = _OPTIONS[name]
    return Annotated[bool, typer.Option(option, help=text)]
