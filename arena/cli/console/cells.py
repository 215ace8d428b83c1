"""Lines of text in the cells of a terminal."""

from collections.abc import Iterator

from rich.cells import cell_len, chop_cells

_NOT_FIRST = frozenset("，。、；：？！）》」』】〉〕”’…—·,.;:?!)]}%～")
_NOT_LAST = frozenset("（《「『【〈〔“‘([{")


def wrap_cells(text: str, width: int, *, first: int = 0) -> list[str]:
    """Return `text` in lines of at most `width` cells; the first has `first` cells less.

    Chinese can break between any two characters, but a line never begins with a closing mark.
    `width` must be at least 2, so that every character fits.
    """
    lines: list[str] = []
    for number, line in enumerate(text.split("\n")):
        lines += _wrap_line(line, width, first if number == 0 else 0)
    return lines


def _wrap_line(text: str, width: int, first: int) -> list[str]:
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
    """Yield pieces between which a line can end, each with the space after it."""
    word = ""
    for char in text:
        if word and _can_break(word[-1], char):
            yield word
            word = ""
        word += char
    yield word


def _can_break(left: str, right: str) -> bool:
    if right.isspace():
        return False
    if left.isspace():
        return right != "%"
    wide = cell_len(left) > 1 or cell_len(right) > 1
    return wide and left not in _NOT_LAST and right not in _NOT_FIRST
