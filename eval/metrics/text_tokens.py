"""Tokens of a text in either language: Chinese characters, and words of other scripts."""

import re
from collections.abc import Sequence

_TOKEN = re.compile(
    r"[\u3400-\u4dbf\u4e00-\u9fff]"
    r"|[^\W_\u3400-\u4dbf\u4e00-\u9fff]+(?:['’][^\W_\u3400-\u4dbf\u4e00-\u9fff]+)*"
)


def word_tokens(text: str) -> tuple[str, ...]:
    """Return the Chinese characters and the lower-case words of `text`."""
    return tuple(_TOKEN.findall(text.casefold()))


def ngrams(items: Sequence[str], size: int) -> tuple[tuple[str, ...], ...]:
    """Return the runs of `size` items, in order; none if there are fewer items."""
    return tuple(tuple(items[at : at + size]) for at in range(len(items) - size + 1))


def split_by_tokens(text: str, most: int) -> tuple[str, ...]:
    """Split `text` into disjoint pieces of at most `most` tokens; empty without tokens."""
    starts = [match.start() for match in _TOKEN.finditer(text)][::most]
    return tuple(text[a:b].strip() for a, b in zip(starts, (*starts[1:], None), strict=False))
