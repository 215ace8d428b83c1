"""Words and names in a text: what counts as the same, and where one is amid a longer word."""

import re
import unicodedata

_CHINESE = re.compile(r"[\u3400-\u9fff]")
_LETTER = r"[^\W\u3400-\u9fff]"
"""A letter or digit that is not Chinese."""


def plain(text: str) -> str:
    """Return `text` as words are looked for in it: NFKC, without case, single spaces."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def word_pattern(word: str) -> str:
    """Return a pattern that finds a plain word: not amid a longer one, unless it is Chinese."""
    before = "" if _CHINESE.match(word[0]) else rf"(?<!{_LETTER})"
    after = "" if _CHINESE.match(word[-1]) else rf"(?!{_LETTER})"
    return f"{before}{re.escape(word)}{after}"


def has_word(text: str, word: str) -> bool:
    """Tell whether the plain `text` holds the plain `word`; no text holds an empty one."""
    return bool(word) and re.search(word_pattern(word), text) is not None
