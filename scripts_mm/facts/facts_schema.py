"""The schema of facts.json."""

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from scripts_mm.facts.claim_types import (
    TraitRelation,
)
from scripts_mm.facts.fact_table import (
    MAX_CRIMES,
    MAX_FACTS,
    MAX_SUSPECTS,
)
from scripts_mm.script import Language
from scripts_mm.script_schema import Id, Name, Text

_CLOCK = re.compile(r"\d{2}:[0-5]\d")


def _check_clock(text: str) -> str:
    if not _CLOCK.fullmatch(text):
        raise ValueError("wanted a time HH:MM, after midnight 24:MM and more")
    return text


def _check_source(text: str) -> str:
    kind, _, name = text.partition(":")
    if (kind not in ("clue", "picture", "role") or not name) and text != "opening":
        raise ValueError("wanted 'opening', 'clue:ID', 'picture:ID' or 'role:ID'")
    return text


def _check_texts(texts: dict[Language, str]) -> dict[Language, str]:
    if not texts or not all(text.strip() for text in texts.values()):
        raise ValueError("wanted a text in one language at least, none of them empty")
    return texts


ClockText = Annotated[str, AfterValidator(_check_clock)]
SourceText = Annotated[str, AfterValidator(_check_source)]
LanguageTexts = Annotated[dict[Language, Text], AfterValidator(_check_texts)]
Minutes = Annotated[int, Field(ge=0, le=10_000)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class NamedFile(_Strict):
    """A person or place."""

    id: Id
    names: LanguageTexts


class CrimeFile(_Strict):
    """A crime and its culprits."""

    id: Id
    culprits: tuple[Id, ...]
    victim: Id | None = None


class _FactFile(_Strict):
    id: Id
    sources: tuple[SourceText, ...] = ()
    because: tuple[tuple[Id, ...], ...] = ()
    says: LanguageTexts


class AtFile(_FactFile):
    """A person was at a place the whole time."""

    kind: Literal["at"]
    who: Id
    place: Id
    start: ClockText = Field(alias="from")
    end: ClockText = Field(alias="to")


class WayFile(_FactFile):
    """The way between two places takes at least this time."""

    kind: Literal["way"]
    places: tuple[Id, Id]
    minutes: Minutes


class BoundFile(_FactFile):
    """The crime took place at this time or later, or at this time or earlier."""

    kind: Literal["after", "before"]
    crime: Id
    time: ClockText


class SceneFile(_FactFile):
    """The place of the culprit at the time of the crime."""

    kind: Literal["scene"]
    crime: Id
    place: Id


class NeedsFile(_FactFile):
    """A trait of the culprit: something had, known or been."""

    kind: Literal["needs"]
    crime: Id
    sort: TraitRelation
    name: Name
    value: Name


class TraitFile(_FactFile):
    """A trait of a person: something had, known or been."""

    kind: Literal["had", "knew", "is"]
    who: Id
    name: Name
    value: Name


class ClearedFile(_FactFile):
    """A person is excluded for a separate reason."""

    kind: Literal["cleared"]
    crime: Id
    who: Id


class NoteFile(_FactFile):
    """A statement from which others follow."""

    kind: Literal["note"]


FactFile = Annotated[
    AtFile | WayFile | BoundFile | SceneFile | NeedsFile | TraitFile | ClearedFile | NoteFile,
    Field(discriminator="kind"),
]


class LieFile(_Strict):
    """A false statement that a culprit can make."""

    who: Id
    says: LanguageTexts
    against: tuple[Id, ...] = ()


class MissionFile(_Strict):
    """Where the question in a role's mission is answered."""

    who: Id
    answered_by: Annotated[tuple[SourceText, ...], Field(min_length=1)]


class TableFile(_Strict):
    """The whole of facts.json."""

    format: Literal[1] = 1
    k: Annotated[int, Field(ge=0, le=MAX_SUSPECTS)]
    people: tuple[NamedFile, ...]
    suspects: tuple[Id, ...]
    places: tuple[NamedFile, ...] = ()
    crimes: Annotated[tuple[CrimeFile, ...], Field(max_length=MAX_CRIMES)]
    facts: Annotated[tuple[FactFile, ...], Field(max_length=MAX_FACTS)]
    lies: tuple[LieFile, ...] = ()
    missions: tuple[MissionFile, ...] = ()
    """Of the roles whose missions ask something; none if the table does not say."""
    owners: dict[Name, Id] = {}
    """Person by id of each clue dealt only to that person; not needed next to a script."""
