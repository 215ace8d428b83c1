"""Stage and act numbers in headings and keys."""

import re
import unicodedata

_DIGITS = {char: number for number, char in enumerate("零一二三四五六七八九")} | {"两": 2}
_WORDS = {
    word: number
    for number, word in enumerate(
        ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"), 1
    )
}
_ORDINALS = {
    word: number
    for number, word in enumerate(
        ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"), 1
    )
}
_ROMAN = {"i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5, "vi": 6, "vii": 7, "viii": 8, "ix": 9}
_ZH = re.compile(
    r"第?\s*([零一二两三四五六七八九十]{1,3}|\d{1,2})\s*(?:幕|章|阶段|部分|轮|回|场|节)"
)
_ZH_AFTER = re.compile(r"(?:阶段|幕|轮)\s*([零一二三四五六七八九十]{1,3}|\d{1,2})")
_KIND = r"(?:stage|act|phase|part|chapter|round|scene)"
_EN = re.compile(rf"{_KIND}[\s_.#-]*(\d{{1,2}}|[a-z]+)", re.IGNORECASE)
_EN_AFTER = re.compile(rf"(?:the\s+)?(\d{{1,2}}(?:st|nd|rd|th)|[a-z]+)\s+{_KIND}", re.IGNORECASE)


def parse_stage_number(text: str) -> int | None:
    """Return the number in a heading such as `第二幕`, `Stage 2` or `Act II`."""
    plain = unicodedata.normalize("NFKC", text).strip(" \t【】[]:：.")
    for form in (_ZH, _ZH_AFTER, _EN, _EN_AFTER):
        found = form.fullmatch(plain)
        if found is not None:
            return _parse_number(found[1].casefold())
    return None


def _parse_number(text: str) -> int | None:
    figures = re.match(r"\d+", text)
    if figures is not None:
        return int(figures[0]) or None
    if text[0] in _DIGITS or text[0] == "十":
        return _parse_chinese(text)
    return _WORDS.get(text) or _ORDINALS.get(text) or _ROMAN.get(text)


def _parse_chinese(text: str) -> int | None:
    """Return a number below 100 in Chinese characters."""
    tens, ten, ones = text.rpartition("十")
    if not ten:
        return _DIGITS.get(text) or None
    found = _DIGITS.get(tens, 1 if not tens else 0) * 10 + (_DIGITS.get(ones, 0) if ones else 0)
    return found or None
