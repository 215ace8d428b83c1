"""Screens: the capabilities of a stream."""

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TextIO

from rich.console import Console, ConsoleDimensions

MIN_WIDTH = 20
"""Cells; on a narrower terminal lines wrap."""
PIPED_WIDTH = 80
"""Cells, if neither a terminal nor COLUMNS gives the width."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Consoles:
    """Standard output and standard error as screens."""

    out: Console
    err: Console


class Screen(Console):
    """A console for untrusted text: no markup."""

    def __init__(
        self, stream: TextIO, env: Mapping[str, str], *, color: bool, width: int | None
    ) -> None:
        terminal = stream.isatty()
        super().__init__(
            file=stream,
            width=width,
            force_terminal=color or terminal,
            force_interactive=terminal and env.get("TERM") != "dumb",
            color_system="auto" if color else None,
            markup=False,
            emoji=False,
            highlight=False,
            legacy_windows=False,
            _environ=env,
        )
        is_given = width is not None or env.get("COLUMNS", "").isdigit()
        self._page = not terminal and not is_given

    @property
    def size(self) -> ConsoleDimensions:
        """Return cells and lines: of the terminal, or of a page if there is none."""
        if self._page:
            return ConsoleDimensions(PIPED_WIDTH, 25)
        width, height = super().size
        return ConsoleDimensions(max(width, MIN_WIDTH), height)

    @size.setter
    def size(self, new_size: tuple[int, int]) -> None:
        """Fix the size."""
        self._page = False
        self._width, self._height = new_size


def open_consoles(
    *, no_color: bool = False, width: int | None = None, env: Mapping[str, str] = os.environ
) -> Consoles:
    """Return the screens of this process; `width` in cells, None for that of the stream."""
    return Consoles(
        out=open_screen(sys.stdout, no_color=no_color, width=width, env=env),
        err=open_screen(sys.stderr, no_color=no_color, width=width, env=env),
    )


def open_screen(
    stream: TextIO,
    *,
    no_color: bool = False,
    width: int | None = None,
    env: Mapping[str, str] = os.environ,
) -> Console:
    """Return a screen on `stream`.

    Colour needs a terminal (or FORCE_COLOR) that is not dumb, and neither NO_COLOR nor `no_color`.
    Characters that the stream's encoding lacks are replaced, never an error.
    """
    _replace_unencodable(stream)
    wanted = stream.isatty() or bool(env.get("FORCE_COLOR"))
    refused = no_color or bool(env.get("NO_COLOR")) or env.get("TERM") == "dumb"
    if width is not None:
        width = max(width, MIN_WIDTH)
    return Screen(stream, env, color=wanted and not refused, width=width)


def _replace_unencodable(stream: TextIO) -> None:
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="replace")
