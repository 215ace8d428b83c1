"""Matching of words and names in a text: normalisation and word boundaries."""

import re
import unicodedata

_CHINESE = re.compile(r"[\u3400-\u9fff]")
_LETTER = r"[^\W\u3400-\u9fff]"
"""A letter or digit that is not Chinese."""


def plain(text: str) -> str:
    """Return `text` normalised for matching: NFKC, case-folded, single spaces."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def word_pattern(word: str) -> str:
    """Return a pattern for a plain word; it ignores parts of longer words, except in Chinese."""
    before = "" if _CHINESE.match(word[0]) else rf"(?<!{_LETTER})"
    after = "" if _CHINESE.match(word[-1]) else rf"(?!{_LETTER})"
    return f"{before}{re.escape(word)}{after}"


def has_word(text: str, word: str) -> bool:
    """Return whether the plain `text` contains the plain `word`; False for an empty word."""
    return bool(word) and re.search(word_pattern(word), text) is not None
