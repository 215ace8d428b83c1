"""Texts in pieces that are small enough, cut at the ends of sentences."""

from collections.abc import Callable, Iterator, Sequence

from arena.players.retrieval import sentences
from scripts_mm.script import Language

Words = Callable[[str], int]
"""How many tokens a text takes."""
_SMALLEST = 8
"""Characters; what is as short as this is not cut again."""


def gathered(parts: Sequence[str], language: Language) -> str:
    """Return sentences as one text."""
    return ("" if language == "zh" else " ").join(part for part in parts if part)


def pieces(text: str, most: int, words: Words, language: Language) -> tuple[str, ...]:
    """Return `text` in pieces of whole sentences with at most `most` tokens each.

    Only a sentence that is longer than that is cut within.
    """
    return stretches([p for s in sentences(text) for p in _parts(s, most, words)], most, words,
                     "" if language == "zh" else " ")  # fmt: skip


def stretches(
    lines: Sequence[str], most: int, words: Words, between: str = "\n"
) -> tuple[str, ...]:
    """Return `lines`, as few texts as have at most `most` tokens each; a longer line is cut."""
    found: list[str] = []
    sizes: list[int] = []
    for line in (part for whole in lines for part in _parts(whole, most, words)):
        size = words(line)
        if found and sizes[-1] + size <= most:
            found[-1] += between + line
            sizes[-1] += size
        else:
            found.append(line)
            sizes.append(size)
    return tuple(found)


def clipped(text: str, most: int, words: Words, language: Language) -> str:
    """Return the beginning of `text` that has at most `most` tokens, in whole sentences."""
    if words(text) <= most:
        return text
    found = pieces(text, most, words, language)
    return found[0] if found else ""


def _parts(line: str, most: int, words: Words) -> Iterator[str]:
    """Cut a line that is too long: at the ends of sentences, then anywhere."""
    if words(line) <= most or len(line) <= _SMALLEST:
        yield line
        return
    units = sentences(line)
    if len(units) > 1:
        for unit in units:
            yield from _parts(unit, most, words)
        return
    half = len(line) // 2
    yield from _parts(line[:half], most, words)
    yield from _parts(line[half:], most, words)
