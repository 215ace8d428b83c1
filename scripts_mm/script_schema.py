"""The schema of `script.json`: models of the file, and their published JSON Schema.

The file names its pictures; their type, size and hash are read from the pictures themselves.
"""

import json
from collections.abc import Callable
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from scripts_mm.names import (
    MAX_ID,
    MAX_NAME,
    file_error,
    id_error,
    name_error,
    role_name_error,
    text_error,
)
from scripts_mm.script import AnswerMode, Ending, Language, PartName, PictureKind, QuestionKind

FORMAT_VERSION = 1
"""Version of the native format."""
MAX_ROLES = 32
"""Roles of one script; published ones have up to ten."""


def _validator(fault: Callable[[str], str | None]) -> AfterValidator:
    """Return a pydantic validator for a function that returns what is wrong, or None."""

    def check(text: str) -> str:
        wanted = fault(text)
        if wanted is not None:
            raise ValueError(f"wanted {wanted}")
        return text

    return AfterValidator(check)


Id = Annotated[str, Field(min_length=1, max_length=MAX_ID), _validator(id_error)]
Name = Annotated[str, Field(min_length=1, max_length=MAX_NAME), _validator(name_error)]
RoleName = Annotated[str, Field(min_length=1, max_length=MAX_NAME), _validator(role_name_error)]
FileName = Annotated[str, Field(min_length=1, max_length=MAX_NAME), _validator(file_error)]
Text = Annotated[str, _validator(text_error)]
Hops = Annotated[int, Field(ge=0, le=99)]
Stage = Annotated[int, Field(ge=1, le=99)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class PictureFile(_Strict):
    """A picture of a clue: a file inside `pictures/`, with its texts."""

    file: FileName
    """Plain name of a PNG, JPEG or WebP file inside `pictures/`."""
    kind: PictureKind | None = None
    """`text`: a letter, receipt, chat; `media`: a plan, scene, photograph."""
    transcript: Text = ""
    """The text in the picture, shown where a player cannot see pictures."""
    description: Text = ""
    """A caption of the picture."""


class ClueFile(_Strict):
    """A piece of evidence: text, pictures or both."""

    id: Name
    title: Name
    text: Text = ""
    pictures: tuple[PictureFile, ...] = ()
    owner: Name | None = None
    """The role that receives the clue at the deal; null: every seat."""
    stage: Stage = 1
    place: Name | None = None
    trigger: Name | None = None


class PartFile(_Strict):
    """A field of a private script in one stage."""

    name: PartName
    text: Text
    stage: Stage = 1


class RoleFile(_Strict):
    """A character of the script."""

    name: RoleName
    script: Text
    """The whole private script, which no other seat sees."""
    mission: Text = ""
    introduction: Text | None = None
    """The fixed self-introduction of the player `naive-data`."""
    reply: Text | None = None
    """The fixed reply to every question of the player `naive-data`."""
    aliases: tuple[RoleName, ...] = ()
    parts: tuple[PartFile, ...] = ()
    """The same script by field and stage."""


class KeyClueFile(_Strict):
    """A statement that a good investigation deduces."""

    id: Name
    text: Text
    hops: Hops | None = None
    """Depth in deductions; 0: literally in a clue or script; null: not stated."""
    holders: tuple[Name, ...] = ()
    clues: tuple[Name, ...] = ()
    premises: tuple[Name, ...] = ()
    """Ids of the key clues from which it follows."""
    source: Text = ""


class QuestionFile(_Strict):
    """A multiple-choice question; `keys` counts its options from 0 and is empty if unscored."""

    id: Name
    kind: QuestionKind
    stem: Text
    options: tuple[Text, ...]
    keys: tuple[Annotated[int, Field(ge=0)], ...]
    role: Name | None = None
    clues: tuple[Name, ...] = ()
    hops: Hops | None = None
    source: Text = ""
    pinned: bool = False
    """The order of the options must not change."""
    answer: AnswerMode = "one"
    """`one` option; at most `two`, a key among them; the `set` of all keys."""
    points: Annotated[int, Field(ge=0, le=1_000)] | None = None
    rationale: Text = ""
    """Why the key is correct."""


class FactualQuestionFile(_Strict):
    """A question on one private script with a free-text answer."""

    id: Name
    role: Name
    about: Literal["story", "timeline"]
    question: Text
    answer: Text
    source: Text
    """The sentence of the script that answers it, word for word."""


class KillingFile(_Strict):
    """Who killed a victim; no culprits: not stated."""

    victim: Name
    culprits: tuple[Name, ...] = ()


class TruthFile(_Strict):
    """The solution; no seat sees it before the end."""

    culprits: tuple[Name, ...]
    not_playable: tuple[Name, ...] = ()
    """Those of `culprits` and `instigators` who are not roles."""
    killings: tuple[KillingFile, ...] = ()
    instigators: tuple[Name, ...] = ()
    """Who made another person do it."""
    unaware: tuple[Name, ...] = ()
    """Those of `culprits` whose act seemed harmless: their seats are told what the innocent are."""
    in_league: bool = False
    """Whether the private scripts of several culprits name one another."""
    text: Text = ""
    method: Text = ""
    motive: Text = ""
    key_clues: tuple[KeyClueFile, ...] = ()
    key_roles: tuple[Name, ...] = ()
    misleading: tuple[Name, ...] = ()


class ScriptFile(_Strict):
    """A playable case, in one language."""

    format: Literal[1] = FORMAT_VERSION
    id: Id
    """Shared by the languages of a case; also its folder's name in a library."""
    title: Name
    language: Language
    roles: Annotated[tuple[RoleFile, ...], Field(min_length=2, max_length=MAX_ROLES)]
    truth: TruthFile
    opening: Text = ""
    """Public text that every seat reads before the first speech."""
    clues: tuple[ClueFile, ...] = ()
    questions: tuple[QuestionFile, ...] = ()
    factual: tuple[FactualQuestionFile, ...] = ()
    victims: tuple[Name, ...] = ()
    civilian_mission: Text = ""
    murderer_mission: Text = ""
    ending: Ending = "closed"
    innocents_truthful: bool = False
    """The private scripts of the innocent are true; prompts can say so to every seat."""
    work: Text = ""
    """Shared by cases of one world."""
    source: Text = ""
    """`original`, `generated`, or the published format of an imported case."""


def schema_text(model: type[BaseModel] = ScriptFile) -> str:
    """Return the published JSON Schema of a file, which is the text of script.schema.json."""
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **model.model_json_schema(),
    }
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
