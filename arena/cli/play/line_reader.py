"""Input line of a person: prompt_toolkit, which can be cancelled and supports Chinese input."""

from collections.abc import Callable

from prompt_toolkit import PromptSession
from prompt_toolkit.formatted_text import FormattedText
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.styles import Style

from arena.errors import PersonLeftError

_STYLE = Style.from_dict({"bottom-toolbar": "noreverse ansibrightblack", "label": "bold"})
_REFRESH = 1.0
"""Seconds between two drawings of the time left."""


class TerminalReader:
    """Reader of the process's terminal. Enter ends a text, Alt-Enter begins a new line.

    The typed text is wiped at the end: the transcript shows the answer.
    """

    def __init__(self) -> None:
        """Store the typed texts for the arrow keys, until the process ends."""
        self._session: PromptSession[str] = PromptSession(
            style=_STYLE, key_bindings=_bindings(), erase_when_done=True
        )

    async def read(self, label: str, *, default: str = "", below: Callable[[], str]) -> str:
        """Return what was typed."""
        try:
            return await self._session.prompt_async(
                FormattedText([("class:label", label)]),
                default=default,
                bottom_toolbar=below,
                refresh_interval=_REFRESH,
                handle_sigint=False,
            )
        except (KeyboardInterrupt, EOFError) as error:
            raise PersonLeftError("the person has left the match") from error


def _bindings() -> KeyBindings:
    keys = KeyBindings()

    def break_line(event: KeyPressEvent) -> None:
        event.current_buffer.insert_text("\n")

    keys.add("escape", "enter")(break_line)
    return keys
