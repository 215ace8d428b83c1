"""Untrusted text made safe for a terminal: no escapes, no hidden turns of direction, no floods."""

import re
import unicodedata
from collections.abc import Iterator

from rich.cells import cell_len, chop_cells

MOST_MARKS = 3
"""Maximum of accents on one letter; more would paint over other lines."""

_BREAKS = re.compile(r"\r\n|[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_BLANKS = re.compile(r"\n[^\S\n]*(?=\n[^\S\n]*\n)")
_TURNS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that make what follows run from right to left, whatever it is."""
_AS = {chr(code): chr(0x2400 + code) for code in range(32)} | {
    "\n": "\n",
    "\t": "    ",
    "\x7f": "\u2421",
    "\u3000": "\u3000",
}
"""Characters with a picture or a form of their own; an escape becomes visible and harmless."""
_SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
"""They change a character's width, and terminals disagree about how."""
_NOT_FIRST = frozenset("，。、；：？！）》」』】〉〕”’…—·,.;:?!)]}%～")
_NOT_LAST = frozenset("（《「『【〈〔“‘([{")


def sanitize(text: str) -> str:
    """Return `text` with its lines kept and all that could steer a terminal visible or gone.

    Control characters become visible pictures of themselves, direction overrides and code points
    without meaning the replacement character; invisible characters vanish; at most one blank line
    separates two lines.
    """
    text = _SELECTORS.sub("", _BREAKS.sub("\n", text))
    return _BLANKS.sub("", "".join(_show_all(text))).strip("\n")


def sanitize_line(text: str) -> str:
    """Return `text` as `sanitize` does, on one line."""
    return " ".join(sanitize(text).split())


def wrap_cells(text: str, width: int, *, first: int = 0) -> list[str]:
    """Return `text` in lines of at most `width` cells; the first has `first` cells less.

    Chinese may break between any two characters, but no line begins with a closing mark. `width`
    must be at least 2, so that every character has room.
    """
    lines: list[str] = []
    for number, line in enumerate(text.split("\n")):
        lines += _fill(line, width, first if number == 0 else 0)
    return lines


def _show_all(text: str) -> Iterator[str]:
    marks = 0
    for char in text:
        category = unicodedata.category(char)
        marks = marks + 1 if category in {"Mn", "Me", "Mc"} else 0
        if marks <= MOST_MARKS:
            yield _show(char, category)


def _show(char: str, category: str) -> str:
    if char in _AS:
        return _AS[char]
    if char in _TURNS or category in {"Cc", "Cs", "Co"}:
        return "\ufffd"
    if category == "Cf":
        return ""
    return " " if category == "Zs" else char


def _fill(text: str, width: int, first: int) -> list[str]:
    lines: list[str] = []
    line, room = "", width - first
    for word in _words(text):
        if cell_len(line) + cell_len(word.rstrip()) <= room:
            line += word
            continue
        if line or (first and not lines and cell_len(word.rstrip()) <= width):
            lines.append(line.rstrip())
            line, room = "", width
        *full, line = _chop(word, room, width)
        lines += full
        room = width if full else room
    return [*lines, line.rstrip()]


def _chop(word: str, room: int, width: int) -> list[str]:
    """Return `word` in pieces of at most `room` cells for the first and `width` for the others."""
    bare = word.rstrip()
    if cell_len(bare) <= room:
        return [word]
    head = chop_cells(bare, room)[0] if room > 1 else ""
    *full, last = chop_cells(bare[len(head) :], width)
    return [head, *full, last + word[len(bare) :]]


def _words(text: str) -> Iterator[str]:
    """Yield pieces between which a line may end, each with the space after it."""
    word = ""
    for char in text:
        if word and _may_part(word[-1], char):
            yield word
            word = ""
        word += char
    yield word


def _may_part(left: str, right: str) -> bool:
    if right.isspace():
        return False
    if left.isspace():
        return right != "%"
    wide = cell_len(left) > 1 or cell_len(right) > 1
    return wide and left not in _NOT_LAST and right not in _NOT_FIRST
