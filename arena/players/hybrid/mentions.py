"""Mentions in a text: whole names, times and places, never a part of a longer one.

English has spaces, so a mention ends where a word ends. Chinese has none, so of two known names
that match at one position the longer one counts, and the minutes after an hour belong to it.
"""

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

_CHINESE: Final = "\u3400-\u9fff"
_NUMERAL: Final = "0-9零〇一二三四五六七八九十两"
_EARLIER: Final = r"(?<!past )(?<!half )(?<!quarter to )"
_MINUTES: Final = (
    rf"(?![:.]?\d|半|[一三]刻|[零〇]|[{_NUMERAL}]{{2}}|[{_NUMERAL}]分|"
    r"[ -](?:five|ten|fifteen|twenty|thirty|forty|fifty)\b)"
)
_PADDED = re.compile(r"(?<!\d)0(?=\d:\d\d)")


def name_pattern(names: Iterable[str]) -> str:
    """Return a pattern that matches the longest of `names` at each position."""
    longest = sorted(names, key=len, reverse=True)
    return f"(?>{'|'.join(map(_word_pattern, longest)) or '(?!)'})"


def has_place(text: str, place: str) -> bool:
    """Return whether `text` names `place`; room 1 is not room 11."""
    return _holds(_plain(text), _plain(place))


def has_time(text: str, time: str) -> bool:
    """Return whether `text` names `time`: neither 19:00 nor half past nine is nine."""
    return _holds(_plain_time(text), _plain_time(time), _EARLIER, _MINUTES)


def _holds(text: str, word: str, before: str = "", after: str = "") -> bool:
    """Return whether `text` contains `word`, not as a part of a longer word or number."""
    if not word:
        return False
    first = rf"(?<![{_NUMERAL}])" if re.match(rf"[{_NUMERAL}]", word) else ""
    last = rf"(?![{_NUMERAL}])" if re.search(r"[二三四五六七八九十]$", word) else ""
    return re.search(f"{before}{first}{_word_pattern(word)}{last}{after}", text) is not None


def _plain_time(text: str) -> str:
    return _PADDED.sub("", _plain(text))


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _word_pattern(word: str) -> str:
    """Return a pattern for a word; unless it is Chinese, it does not match within longer words."""
    letter = rf"[^\W{_CHINESE}]"
    before = "" if re.match(f"[{_CHINESE}]", word) else f"(?<!{letter})"
    after = "" if re.search(f"[{_CHINESE}]$", word) else f"(?!{letter})"
    return f"{before}{re.escape(word)}{after}"
