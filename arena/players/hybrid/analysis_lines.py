"""Lines of a model's analysis: their parts, and the seats that they name.

Lines that cannot be parsed are dropped; a model's text is never executed, and only a bounded part
of it is parsed.
"""

import re
from collections.abc import Iterator, Sequence

from arena.core.seats import SeatId
from arena.players.replies.option_matching import match_option
from scripts_mm.script import Language

_MOST_LINES = 60
_MOST_CHARS = 400
_ARROW = re.compile(r"\s*(?:[-－—=]{1,2}[>＞]|→|➔|⇒)\s*")
_COMMA = re.compile(r"\s*(?:[-－—=]{1,2}[>＞]|→|[,，、;；|｜=])\s*")
_BAR = re.compile(r"\s*[|｜]\s*")
_BULLET = re.compile(r"^\s*(?:[-*•·]|\d{1,2}[.)、])?\s*")


def read_lines(text: str) -> Iterator[str]:
    """Yield the lines of an analysis without bullets; a long line is cut."""
    for line in text.splitlines()[:_MOST_LINES]:
        if stripped := _BULLET.sub("", line[:_MOST_CHARS]).strip():
            yield stripped


def split_arrow(line: str) -> tuple[str, str] | None:
    """Return the parts before and after the arrow of a line; None without exactly one arrow."""
    parts = _ARROW.split(line, maxsplit=1)
    return (parts[0], parts[1]) if len(parts) == 2 else None  # noqa: PLR2004 - two sides


def split_commas(line: str, most: int) -> tuple[str, ...]:
    """Return the parts of a line between commas, arrows or bars, at most `most`."""
    return tuple(_COMMA.split(line, maxsplit=most - 1))


def split_bars(line: str) -> tuple[str, ...]:
    """Return the parts of a line between bars."""
    return tuple(_BAR.split(line))


def find_seat(text: str, seats: Sequence[SeatId], language: Language) -> SeatId | None:
    """Return the one seat that a part of a line names."""
    found = match_option(text, seats, language)
    return None if found is None else SeatId(found)
