"""Options that several commands have: what the user allows while an engine is found and started."""

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
        REMOTE_CODE: ("--trust-remote-code", "Let a model run the code that comes with it."),
    }
)
"""Each permission of `serving.resolution.consent`: its option, and the help."""


def add_consent_options(*permissions: str) -> Callable[[CommandFunction], CommandFunction]:
    """Give a command the options of these permissions, which hold while it runs."""

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
        # The command line is made from what a function says of itself.
        changed = signature.replace(parameters=[*signature.parameters.values(), *parameters])
        run.__signature__ = changed  # pyright: ignore[reportAttributeAccessIssue]
        run.__annotations__ = {**command.__annotations__, **added}
        return run

    return change


engine_consent_options: Final = add_consent_options(FETCH, PICKLE, REMOTE_CODE)
"""Of every command that may start an engine for a model that the user names."""


def _annotation(name: str) -> Any:
    option, text = _OPTIONS[name]
    return Annotated[bool, typer.Option(option, help=text)]
