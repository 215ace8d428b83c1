"""Lenient reading of texts, names and lists from published JSON of any types."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, cast

from scripts_mm.findings import FindingLog
from scripts_mm.names import fold_name, name_error, strip_marks
from scripts_mm.safe_io import describe_size, preview
from scripts_mm.script import Language

NAME_LIMIT = 100
"""Maximum characters of a name, since ids are made of names."""
_HIDDEN = ("Cc", "Cf", "Cs", "Zl", "Zp")
_JOINER = "\u200d"
"""Zero-width joiner: joins the parts of one emoji."""
_BREAK = re.compile(r"(?:\\ ?r)?\\ ?n|\\N(?![a-z])")
"""A line break written as two characters, also as changed by translators; not `\\Now`."""
CHINESE = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
"""One Chinese character."""
LATIN = re.compile(r"[A-Za-z]+")
"""One word in Latin letters."""
_CHINESE_SHARE = 0.3
"""Minimum share of Chinese characters among Chinese characters and Latin words."""


@dataclass(frozen=True, slots=True)
class LenientReader:
    """Reader that converts values of any type to the wanted type and notes irregularities."""

    notes: FindingLog
    repairs: bool = False
    """Repair written-out line breaks and invisible characters; else only note them."""

    def get(self, fields: dict[str, Any], key: str, place: str) -> Any:
        """Return the value of a key, or None and a note if the key is missing."""
        if key not in fields:
            self.notes.warn("missing-key", place, f"key {key!r} is missing")
        return fields.get(key)

    def fields(self, value: Any, place: str) -> dict[str, Any]:
        """Return an object; any other value is noted and counts as an empty one."""
        if isinstance(value, dict):
            return cast("dict[str, Any]", value)
        self._note_wrong_type(value, "an object", place)
        return {}

    def entries(self, value: Any, place: str) -> list[Any]:
        """Return a list; one text counts as a list of it, any other value as an empty one."""
        if isinstance(value, list):
            return cast("list[Any]", value)
        self._note_wrong_type(value, "a list", place)
        return [value] if isinstance(value, str) and value.strip() else []

    def text(self, value: Any, place: str) -> str:
        """Return a text, cleaned and stripped; a number or list of texts is converted."""
        if isinstance(value, str):
            return self._clean(value, place).strip()
        if isinstance(value, dict | list):
            self._note_lost(value, place)
        else:
            self._note_wrong_type(value, "a text", place)
        if isinstance(value, list):
            parts = cast("list[object]", value)
            return "\n".join(self.text(part, place) for part in parts if isinstance(part, str))
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return str(cast("float", value)) if is_number else ""

    def name(self, value: Any, place: str) -> str:
        """Return a name in one line without hidden characters, cut to `NAME_LIMIT`; or ``""``."""
        text = self.text(value, place)
        if not text or (name_error(text) is None and len(text) <= NAME_LIMIT):
            return text
        spaced = " ".join(text.split())
        seen = (char for char in spaced if unicodedata.category(char) not in _HIDDEN)
        name = strip_marks("".join(seen))[:NAME_LIMIT].strip()
        self.notes.warn(
            "name-cleaned", place, f"the name {preview(text)} is read as {preview(name)}"
        )
        return name

    def flag(self, value: Any, place: str) -> bool:
        """Return a flag of 0 or 1; other forms are noted, and unreadable ones count as 0."""
        if value is None or (isinstance(value, int) and value in (0, 1)):
            return value == 1
        meaning = {"1": True, "0": False, "true": True, "false": False}
        read = meaning.get(str(value).strip().casefold())
        what = "cannot be read and counts as 0" if read is None else f"is read as {int(read)}"
        self.notes.warn("flag-form", place, f"wanted 0 or 1, got {preview(value)}, which {what}")
        return bool(read)

    def _note_lost(self, value: Any, place: str) -> None:
        """Note an object or list where a text is wanted, and its parts that are not read."""
        detail = f"wanted a text, got {preview(value)}"
        if isinstance(value, dict):
            lost = f"{describe_size(cast('object', value))} not read"
        else:
            others = [one for one in cast("list[object]", value) if not isinstance(one, str)]
            kinds = ", ".join(map(preview, others))
            lost = (
                f"its texts are read, but not {kinds} ({describe_size(others)})" if others else ""
            )
        self.notes.warn("wrong-type", place, "; ".join(filter(None, (detail, lost))))

    def _note_wrong_type(self, value: Any, wanted: str, place: str) -> None:
        if value is not None:
            self.notes.warn("wrong-type", place, f"wanted {wanted}, got {preview(value)}")

    def _clean(self, text: str, place: str) -> str:
        lines = text.replace("\r\n", "\n").replace("\r", "\n")
        faulty = [char for char in lines if _is_control(char)]
        if faulty:
            codes = ", ".join(sorted({f"U+{ord(char):04X}" for char in faulty}))
            detail = f"{len(faulty)} control characters or lone surrogates removed: {codes}"
            self.notes.warn("control-characters", place, detail)
            lines = "".join(_replace_control(char) for char in lines)
        return self._repair(lines, place) if self.repairs else self._note_oddities(lines, place)

    def _note_oddities(self, lines: str, place: str) -> str:
        """Note invisible characters and written-out line breaks, and keep them."""
        if hidden := sum(1 for char in lines if _is_invisible(char)):
            detail = f"{hidden} invisible characters are kept"
            self.notes.info("invisible-characters", place, detail)
        if re.search(r"\\[nN]", lines):
            detail = "a backslash and an n, perhaps a line break, are kept"
            self.notes.info("literal-line-break", place, detail)
        return lines

    def _repair(self, lines: str, place: str) -> str:
        """Replace written-out line breaks by line breaks, and remove invisible characters."""
        if hidden := sum(1 for char in lines if _is_invisible(char)):
            detail = f"{hidden} invisible characters removed or replaced by spaces"
            self.notes.info("invisible-characters", place, detail)
            plain = lines.replace("\xa0", " ")
            lines = "".join(char for char in plain if char == _JOINER or not _is_invisible(char))
        lines, breaks = _BREAK.subn("\n", lines)
        if breaks:
            detail = f"{breaks} pairs of a backslash and an n replaced by line breaks"
            self.notes.info("literal-line-break", place, detail)
        if left := lines.count("\\"):
            detail = f"{left} other backslashes, perhaps of lost line breaks or quotes, are kept"
            self.notes.info("stray-backslash", place, detail)
        return lines


def guess_language(texts: Iterable[str]) -> Language:
    """Return the language by the share of Chinese characters among them and Latin words."""
    whole = "\n".join(texts)
    chinese, words = len(CHINESE.findall(whole)), len(LATIN.findall(whole))
    return "zh" if chinese and chinese >= _CHINESE_SHARE * (chinese + words) else "en"


def make_unique(name: str, taken: set[str]) -> str:
    """Return `name`, or the first free of `name~2`, ..., and add it to `taken`."""
    found, count = name, 1
    while fold_name(found) in taken:
        count += 1
        found = f"{name}~{count}"
    taken.add(fold_name(found))
    return found


def natural_sort_key(name: str) -> tuple[object, ...]:
    """Return a key for natural order of file names: 2, 2(1), 10."""
    stem, _, suffix = name.casefold().rpartition(".")
    parts = re.findall(r"\d+|\D+", re.sub(r"[\s_-]+", "", stem or suffix))
    key = tuple((int(part), "") if part.isdecimal() else (-1, part) for part in parts)
    return key, suffix, name


def _is_invisible(char: str) -> bool:
    return unicodedata.category(char) == "Cf" or char == "\xa0"


def _is_control(char: str) -> bool:
    return char not in "\n\t" and unicodedata.category(char) in ("Cc", "Cs")


def _replace_control(char: str) -> str:
    if not _is_control(char):
        return char
    return "\ufffd" if unicodedata.category(char) == "Cs" else ""
