"""Clues of a MIRAGE file: by place, public by name, or for one role by keyword."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from scripts_mm.importers.lenient_reader import LenientReader, make_unique
from scripts_mm.importers.mirage.source import number_stages
from scripts_mm.importers.stage_numbers import parse_stage_number
from scripts_mm.name_similarity import find_equal_name, find_similar_name
from scripts_mm.names import normal_form
from scripts_mm.safe_io import preview
from scripts_mm.script import Clue

_PUBLIC = re.compile(
    r"(?:公开|公共)的?(?:线索|信息|证据|情报)\s*[#-]?\s*[\d一二三四五六七八九十]*"
    r"|(?:public|common|shared)\s+(?:clues?|information|evidence)\s*[#-]?\s*\d*",
    re.IGNORECASE,
)


def build_clues(
    raw: Mapping[str, Any], roles: Sequence[str], reader: LenientReader
) -> tuple[Clue, ...]:
    """Return every clue of the file, in its order."""
    maker = _ClueBuilder(roles=tuple(roles), reader=reader, clues=[], taken=set())
    maker.read(raw)
    return tuple(maker.clues)


def is_public(key: str) -> bool:
    """Return whether a key names public clues rather than a place."""
    return _PUBLIC.fullmatch(unicodedata.normalize("NFKC", key).strip()) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class _ClueBuilder:
    """Builder of clues from the values of one file."""

    roles: tuple[str, ...]
    reader: LenientReader
    clues: list[Clue]
    taken: set[str]
    """Ids that are in use."""

    def read(self, raw: Mapping[str, Any]) -> None:
        """Read places, or stages of places."""
        stages = [key for key, value in raw.items() if _is_stage(key, value, self.roles)]
        numbers = number_stages(stages, "clues", self.reader) if stages else {}
        for key, value in raw.items():
            if key in numbers:
                for place, found in cast("dict[str, Any]", value).items():
                    self._add_value(place, found, numbers[key])
            else:
                self._add_value(key, value, 1)

    def _add_value(self, key: str, value: Any, stage: int) -> None:
        place = self.reader.name(key, "clues")
        if not place:
            detail = f"a key without a name with {preview(value)}; not read"
            self.reader.notes.error("place-without-name", "clues", detail)
        elif isinstance(value, dict):
            self._add_trigger_clues(place, cast("dict[str, Any]", value), stage)
        elif isinstance(value, str):
            self._add_text(place, value, stage)
        elif isinstance(value, list):
            self._add_finds(place, cast("list[Any]", value), stage)
        else:
            detail = f"wanted a list of texts, got {preview(value)}; not read"
            self.reader.notes.error("wrong-type", place, detail)

    def _add_finds(self, place: str, entries: list[Any], stage: int) -> None:
        """Add the clues of a place or of a public key."""
        public = is_public(place)
        if not entries:
            self.reader.notes.warn("place-empty", place, "nothing can be found there")
        for number, entry in enumerate(entries, 1):
            alone = len(entries) == 1
            clue = Clue(
                id=place if alone else f"{place}-{number}",
                title=place if alone else f"{place} {number}",
                text=self.reader.text(entry, f"{place} {number}"),
                stage=stage,
                place=None if public else place,
            )
            self._add(clue)
        if public:
            self.reader.notes.info("public-by-name", place, "public only by its name; not a place")

    def _add_trigger_clues(self, place: str, entries: dict[str, Any], stage: int) -> None:
        """Add clues that one role receives when their keyword is spoken."""
        owner = _find_owner(place, self.roles)
        if owner is None:
            detail = "clues by keyword, but the name contains no role; they have no owner"
            self.reader.notes.warn("trigger-without-role", place, detail)
        for number, (key, entry) in enumerate(entries.items(), 1):
            word = self.reader.name(key, f"{place} {number}")
            if not word:
                detail = f"an empty keyword with {preview(entry)}; not read"
                self.reader.notes.error("trigger-empty", place, detail)
                continue
            text = self.reader.text(entry, f"{place}: {word}")
            name = f"{place}-{number}"
            self._add(Clue(id=name, title=word, text=text, owner=owner, stage=stage, trigger=word))

    def _add_text(self, place: str, value: str, stage: int) -> None:
        """Add a text outside a list: one role's, public, or the only clue of a place."""
        owner = find_equal_name(place, self.roles)
        if owner is None:
            detail = "wanted a list of texts, got one text; read as a list of it"
            self.reader.notes.warn("wrong-type", place, detail)
            self._add_finds(place, [value], stage)
            return
        detail = f"one text outside a list, so it is read as meant for role {owner!r}"
        self.reader.notes.info("clue-for-role", place, detail)
        text = self.reader.text(value, place)
        self._add(Clue(id=place, title=place, text=text, owner=owner, stage=stage))

    def _add(self, clue: Clue) -> None:
        if not clue.text:
            self.reader.notes.error("clue-empty", clue.id, "a clue without text is left out")
            return
        self.clues.append(replace(clue, id=make_unique(clue.id, self.taken)))


def _find_owner(key: str, roles: Sequence[str]) -> str | None:
    """Return the role with the longest name in a key such as `Memory of Ilse Varga`."""
    form = normal_form(key)
    held = [name for name in roles if normal_form(name) and normal_form(name) in form]
    return max(held, key=len, default=None)


def _is_stage(key: str, value: object, roles: Sequence[str]) -> bool:
    """Return whether a value is an object of places: by its key, or since it contains lists."""
    if not isinstance(value, dict):
        return False
    inner = cast("dict[str, object]", value).values()
    nested = any(isinstance(one, list | dict) for one in inner)
    return parse_stage_number(key) is not None or (nested and _find_owner(key, roles) is None)


def find_near_role(place: str, roles: Sequence[str]) -> str | None:
    """Return the role whose name differs by one character from a place that is not a role."""
    return None if find_equal_name(place, roles) else find_similar_name(place, roles)
