"""Live status line: who is thinking, and for how long. On a terminal only."""

from collections.abc import Callable

from rich.console import Console, RenderableType
from rich.live import Live
from rich.text import Text

Draw = Callable[[], RenderableType]
"""Returns the current status; another thread calls it several times a second."""

FRAMES = 5
"""Drawings per second."""


class LiveStatus:
    """Status below the text of a console, redrawn until it is closed, then wiped."""

    def __init__(self, console: Console, draw: Draw) -> None:
        self._live = Live(
            console=console,
            get_renderable=draw,
            transient=True,
            refresh_per_second=FRAMES,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._can = console.is_interactive and console.is_terminal

    def start(self) -> None:
        """Begin to draw, unless the console is not a capable terminal."""
        if self._can:
            self._live.start()

    def close(self) -> None:
        """Stop drawing and wipe what was drawn."""
        self._live.stop()


def status_line(words: str, seconds: float, *, after: str = "") -> Text:
    """Return `words ... 3.2 s`, on one line however narrow the console is."""
    text = Text(f"{words} ... {seconds:.1f} s", no_wrap=True, overflow="ellipsis", style="italic")
    return text.append(f"  {after}", style="not italic") if after else text
