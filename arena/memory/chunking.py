"""Chunking of texts by tokens, at the ends of sentences."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from arena.memory.lexical import split_sentences
from scripts_mm.script import Language

CountText = Callable[[str], int]
"""Returns the number of tokens of a text."""
_SMALLEST = 8
"""Characters; texts up to this length are not cut further."""


def join_sentences(parts: Sequence[str], language: Language) -> str:
    """Join sentences to one text."""
    return _space(language).join(part for part in parts if part)


def split_text(text: str, most: int, count: CountText, language: Language) -> tuple[str, ...]:
    """Return `text` in pieces of whole sentences with at most `most` tokens each.

    A sentence is cut only if it alone exceeds `most`.
    """
    parts = [part for one in split_sentences(text) for part in _cut_line(one, most, count)]
    return chunk_lines(parts, most, count, _space(language))


def chunk_lines(
    lines: Sequence[str], most: int, count: CountText, between: str = "\n"
) -> tuple[str, ...]:
    """Join consecutive `lines` greedily to texts of at most `most` tokens; cut longer lines."""
    found: list[str] = []
    sizes: list[int] = []
    for line in (part for whole in lines for part in _cut_line(whole, most, count)):
        size = count(line)
        if found and sizes[-1] + size <= most:
            found[-1] += between + line
            sizes[-1] += size
        else:
            found.append(line)
            sizes.append(size)
    return tuple(found)


def truncate(text: str, most: int, count: CountText, language: Language) -> str:
    """Return the beginning of `text` with at most `most` tokens, in whole sentences."""
    if count(text) <= most:
        return text
    found = split_text(text, most, count, language)
    return found[0] if found else ""


def fill_budget(wanted: Iterable[int], sizes: Sequence[int], room: int) -> set[int]:
    """Choose the indices `wanted` in order, skipping each whose size exceeds the rest of `room`."""
    chosen: set[int] = set()
    for place in wanted:
        if place < len(sizes) and place not in chosen and sizes[place] <= room:
            room -= sizes[place]
            chosen.add(place)
    return chosen


def _space(language: Language) -> str:
    return "" if language == "zh" else " "


def _cut_line(line: str, most: int, count: CountText) -> Iterator[str]:
    """Cut a line that is too long: at the ends of sentences, then in halves."""
    if count(line) <= most or len(line) <= _SMALLEST:
        yield line
        return
    units = split_sentences(line)
    if len(units) > 1:
        for unit in units:
            yield from _cut_line(unit, most, count)
        return
    half = len(line) // 2
    yield from _cut_line(line[:half], most, count)
    yield from _cut_line(line[half:], most, count)
