"""Parse times of day in a sentence, in digits and in words, as spans of minutes."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from scripts_mm.script import Language

DAY = 24 * 60
_NOON = 12
_HALF = _NOON * 60
_HOURS = [
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
]
_NUMBERS = {
    **{word: at for at, word in enumerate(_HOURS, 1)},
    "thirteen": 13,
    "fourteen": 14,
    "fifteen": 15,
    "sixteen": 16,
    "seventeen": 17,
    "eighteen": 18,
    "nineteen": 19,
    "twenty": 20,
    "twenty-five": 25,
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
    "quarter": 15,
    "half": 30,
}
_HOUR = "|".join(_HOURS)
_MINUTE = "|".join(sorted(_NUMBERS, key=len, reverse=True))
_PART = r"a\.?m\b\.?|p\.?m\b\.?|in the (?:morning|afternoon|evening)|at night"
_ENGLISH = re.compile(
    rf"(?P<figures>(?<![\d:.])(?P<h>[01]?\d|2[0-4])(?::(?P<m>[0-5]\d)|\.(?P<m2>[0-5]\d)(?=\s*[ap]\.?m)))"
    rf"|(?:\ba )?\b(?P<past>{_MINUTE}|\d\d?)(?: minutes?)? (?P<way>past|after|to|before)"
    rf"(?: (?P<ph>{_HOUR}|midnight)\b|(?= and\b|,|\.|;|$| until\b| to\b))"
    rf"|\b(?P<clock>{_HOUR}|\d\d?) o.?clock"
    rf"|\b(?P<bare>{_HOUR}|\d\d?)(?= (?:{_PART}))"
    rf"|(?<=\bat )(?P<at>{_HOUR})\b(?=\s*(?:[,.;:!?)]|$|{_PART}|i\b|we\b|he\b|she\b|and\b|on\b))"
    rf"|(?:(?<=\bfrom )|(?<=\buntil )|(?<=\btill )|(?<=\bby )|(?<=\bbetween )|(?<=\bsince )"
    rf"|(?<=\baround )|(?<=\babout )|(?<=\bbefore )|(?<=\bafter ))(?P<near>{_HOUR})\b"
    rf"(?=\s*(?:[,.;:!?)]|$|{_PART}|to\b|and\b|until\b|till\b|on\b|i\b|he\b|she\b))"
    rf"|\b(?P<midnight>midnight)\b"
)
_AFTER = re.compile(rf"\s*(?P<part>{_PART})")
_FIGURE = "零〇一二两三四五六七八九十"
_CHINESE = re.compile(
    rf"(?P<part>凌晨|清早|早上|早晨|上午|中午|下午|傍晚|晚上|夜里|夜晚|半夜|深夜|当晚|今晚)?"
    rf"(?:(?P<h>(?<![\d:])(?:[01]?\d|2[0-4])):(?P<m>[0-5]\d)"
    rf"|(?P<hour>\d\d?|[{_FIGURE}]{{1,3}})[点點](?:钟|整)?"
    rf"(?P<rest>半|[一三]刻|(?:[{_FIGURE}]{{1,4}}|\d\d?)分?)?)"
)
_MORNING = ("凌晨", "清早", "早上", "早晨", "上午")
_NIGHT = ("晚上", "夜里", "夜晚", "半夜", "深夜", "当晚", "今晚")
_UNTIL = re.compile(r"^\s*(?:to|until|till|and|through|up to|[-–—~]|到|至|和|直到)\s*(?:a )?$")
_OPEN_LEFT = re.compile(r"(?:until|till|up to|直到|到)\s*(?:a )?$")
_OPEN_RIGHT = re.compile(r"^\s*(?:on\b|onwards|起|以后|之后)")
_SINCE = re.compile(r"(?:\bsince|\bafter)\s*(?:a )?$")
_ABOUT = re.compile(r"(?:\baround|\babout|\bnear|\bshortly \w+|大约|大概|差不多)\s*(?:a )?$")
_ABOUT_AFTER = re.compile(r"^\s*(?:or so|左右|前后|上下)")
_SLACK = 10
_EVENING = 6 * 60
"""The length of “from nine on”, in minutes."""


@dataclass(frozen=True, slots=True)
class TimeSpan:
    """Minutes after midnight; an open end is the end of the day. `start` can exceed one day."""

    start: int
    end: int
    about: bool = False


@dataclass(frozen=True, slots=True)
class TimeMention:
    """A time in a sentence: its position, and every possible span."""

    at: int
    stop: int
    spans: tuple[TimeSpan, ...]


@dataclass(frozen=True, slots=True)
class _Point:
    at: int
    stop: int
    minutes: tuple[int, ...]


def find_times(text: str, language: Language) -> tuple[TimeMention, ...]:
    """Return the times in plain `text`: points, and spans between two points."""
    points = tuple(_points(text, language))
    found: list[TimeMention] = []
    joined: set[int] = set()
    for number, (one, other) in enumerate(pairwise(points)):
        if number not in joined and _UNTIL.match(text[one.stop : other.at]):
            joined |= {number, number + 1}
            spans = tuple(
                TimeSpan(start, end if end >= start else end + DAY)
                for start in one.minutes
                for end in other.minutes
                if 0 <= (end - start) % DAY <= _HALF
            )
            found.append(TimeMention(one.at, other.stop, spans))
    found += [_alone(text, one) for at, one in enumerate(points) if at not in joined]
    return tuple(sorted(found, key=lambda one: one.at))


def _alone(text: str, point: _Point) -> TimeMention:
    before, after = text[: point.at], text[point.stop :]
    if _ABOUT.search(before) or _ABOUT_AFTER.match(after):
        spans = [TimeSpan(one - _SLACK, one + _SLACK, about=True) for one in point.minutes]
    elif _OPEN_RIGHT.match(after) or _SINCE.search(before):
        spans = [TimeSpan(one, one + _EVENING) for one in point.minutes]
    elif _OPEN_LEFT.search(before):
        spans = [TimeSpan(one - 1, one, about=True) for one in point.minutes]
    else:
        spans = [TimeSpan(one, one) for one in point.minutes]
    return TimeMention(point.at, point.stop, tuple(spans))


def _points(text: str, language: Language) -> Iterator[_Point]:
    found = list((_ENGLISH if language == "en" else _CHINESE).finditer(text))
    read = [_read_english(one, text) if language == "en" else _read_chinese(one) for one in found]
    for number, (match, (hour, minute, half)) in enumerate(zip(found, read, strict=True)):
        if minute is None:
            continue
        meant = _infer_hour(read, number) if hour is None else hour
        if meant is None:
            continue
        after = _AFTER.match(text, match.end())
        stop = after.end() if after else match.end()
        yield _Point(match.start(), stop, _minutes(meant, minute, half))


_Read = tuple[int | None, int | None, str]
"""Hour or None: borrowed from its neighbour; minute or None: no time; half of the day."""


def _infer_hour(read: list[_Read], number: int) -> int | None:
    """Return the hour of “from eleven to half past”, or of “ten past and twenty past eleven”."""
    near = [*reversed(read[:number]), *read[number + 1 :]]
    return next((hour for hour, _, _ in near if hour is not None), None)


def _minutes(hour: int, minute: int, half: str) -> tuple[int, ...]:
    at = (hour * 60 + minute) % DAY
    if half == "am":
        at %= _HALF
    elif half == "pm":
        at = at % _HALF + _HALF
    elif half != "exact" and 0 < hour <= _NOON:
        return tuple(sorted({at % _HALF, at % _HALF + _HALF}))
    return (at,)


def _read_english(match: re.Match[str], text: str) -> _Read:
    after = _AFTER.match(text, match.end())
    half = _half(after["part"]) if after else ""
    if match["figures"]:
        hour = int(match["h"])
        exact = hour > _NOON or match["h"].startswith("0")
        return hour, int(match["m"] or match["m2"]), half or ("exact" if exact else "")
    if match["midnight"]:
        return 0, 0, "exact"
    if match["past"]:
        minute = int(match["past"]) if match["past"].isdigit() else _NUMBERS[match["past"]]
        if match["ph"] is None:
            return (None, minute, half) if match["way"] in ("past", "after") else (None, None, "")
        hour = 0 if match["ph"] == "midnight" else _NUMBERS[match["ph"]]
        if match["way"] in ("past", "after"):
            return hour, minute, half
        return (hour - 1) % 24 or 12, 60 - minute, half
    word = match["clock"] or match["bare"] or match["at"] or match["near"]
    return (int(word) if word.isdigit() else _NUMBERS[word]), 0, half


def _half(part: str) -> str:
    is_am = part.startswith("a") and not part.startswith("at ")
    return "am" if is_am or "morning" in part else "pm"


def _read_chinese(match: re.Match[str]) -> _Read:
    part = match["part"] or ""
    half = "am" if part in _MORNING else "pm" if part else ""
    if part in _NIGHT and parse_number(match["hour"] or match["h"]) == _NOON:
        half = "am"
    if match["h"]:
        exact = int(match["h"]) > _NOON or match["h"].startswith("0")
        return int(match["h"]), int(match["m"]), "exact" if exact else half
    if match["hour"] == "一" and not (match["rest"] or part or "钟" in match[0]):
        return None, None, ""
    hour, rest = parse_number(match["hour"]), match["rest"] or ""
    if rest == "半":
        minute = 30
    elif rest.endswith("刻"):
        minute = 15 if rest[0] == "一" else 45
    else:
        minute = parse_number(rest.removesuffix("分")) if rest else 0
    return hour, minute, "exact" if hour > _NOON else half


def parse_number(text: str) -> int:
    """Return a number up to 99 in digits, English words or Chinese characters; 0: none."""
    if text.isdigit():
        return int(text)
    if text in _NUMBERS:
        return _NUMBERS[text]
    digits = {char: at for at, char in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
    if "十" in text:
        tens, _, ones = text.partition("十")
        return digits.get(tens, 1) * 10 + digits.get(ones, 0)
    return int("".join(str(digits.get(char, "")) for char in text) or 0)
