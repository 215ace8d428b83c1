"""Times of day in a text: “20:15”, “half past eight”, “八点一刻”."""

import re
from collections.abc import Iterator
from typing import Final

HALF_DAY: Final = 12 * 60
"""Minutes; texts use both clocks, so times are read within a half day."""
_HOURS_EN: Final = (
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
)  # fmt: skip
_DIGITS: Final = "零一二三四五六七八九"
_CLOCK: Final = re.compile(r"(?<!\d)(\d{1,2})[:：](\d\d)")
_SPOKEN_EN: Final = re.compile(
    r"\b(?:(?P<part>half past|quarter past|quarter to)|at|by|since|from|until|till|before|after) "
    rf"(?P<hour>{'|'.join(_HOURS_EN[1:])})\b(?! (?:years?|days?|of)\b)",
    re.IGNORECASE,
)
"""Without “one”, which is seldom a time."""
_SHIFT: Final = {"half past": 30, "quarter past": 15, "quarter to": -15, "": 0}
_SPOKEN_ZH: Final = re.compile(
    r"(?<![一二三四五六七八九十两])([一二三四五六七八九两]|十[一二]?)点钟?(?!点|也|儿|声|什么)"
    r"(半|[一三]刻|[零一二三四五六七八九十]{1,3}分)?"
)
_PARTS_ZH: Final = {"": 0, "半": 30, "一刻": 15, "三刻": 45}


def read_times(text: str) -> Iterator[int]:
    """Yield the times of day in `text`, in minutes since midnight or noon."""
    for found in _CLOCK.finditer(text):
        yield (int(found[1]) * 60 + int(found[2])) % HALF_DAY
    for found in _SPOKEN_EN.finditer(text):
        hour = _HOURS_EN.index(found["hour"].lower()) + 1
        yield (hour * 60 + _SHIFT[(found["part"] or "").lower()]) % HALF_DAY
    for found in _SPOKEN_ZH.finditer(text):
        yield (_read_number(found[1]) * 60 + _read_minutes(found[2] or "")) % HALF_DAY


def _read_minutes(text: str) -> int:
    return _PARTS_ZH[text] if text in _PARTS_ZH else _read_number(text.removesuffix("分"))


def _read_number(text: str) -> int:
    """Return a Chinese number below 100."""
    tens, has_ten, units = text.replace("两", "二").removeprefix("零").partition("十")
    if not has_ten:
        return _DIGITS.index(tens or "零")
    return (_DIGITS.index(tens) if tens else 1) * 10 + (_DIGITS.index(units) if units else 0)
