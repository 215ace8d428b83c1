"""Sanitising of untrusted text: no escapes, no hidden changes of direction, no floods."""

import re
import unicodedata
from collections.abc import Iterator

MAX_MARKS = 3
"""Maximum number of accents on one letter; more would paint over other lines."""

_BREAKS = re.compile(r"\r\n|[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_BLANKS = re.compile(r"\n[^\S\n]*(?=\n[^\S\n]*\n)")
_TURNS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that force the following text to run from right to left."""
_AS = {chr(code): chr(0x2400 + code) for code in range(32)} | {
    "\n": "\n",
    "\t": "    ",
    "\x7f": "\u2421",
    "\u3000": "\u3000",
}
"""Characters with their own picture or form; an escape becomes visible and harmless."""
_SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
"""Variation selectors change a character's width, and terminals disagree about how."""


def sanitize(text: str) -> str:
    """Return `text` with its lines, and without characters that could control a terminal.

    Control characters become visible pictures of themselves, direction overrides and code points
    without meaning the replacement character; invisible characters are removed; at most one blank
    line separates two lines.
    """
    text = _SELECTORS.sub("", _BREAKS.sub("\n", text))
    is_plain = text.isascii() and text.replace("\n", "").isprintable()
    return _BLANKS.sub("", text if is_plain else "".join(_show_all(text))).strip("\n")


def sanitize_line(text: str) -> str:
    """Return `text` sanitised as by `sanitize`, on one line."""
    return " ".join(sanitize(text).split())


def _show_all(text: str) -> Iterator[str]:
    marks = 0
    for char in text:
        category = unicodedata.category(char)
        marks = marks + 1 if category in {"Mn", "Me", "Mc"} else 0
        if marks <= MAX_MARKS:
            yield _show(char, category)


def _show(char: str, category: str) -> str:
    if char in _AS:
        return _AS[char]
    if char in _TURNS or category in {"Cc", "Cs", "Co"}:
        return "\ufffd"
    if category == "Cf":
        return ""
    return " " if category == "Zs" else char
