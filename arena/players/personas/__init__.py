"""Personas: manners of speech as data, for prompts and for the templates of `hybrid`.

A persona changes how a seat speaks and never what it says. The texts are the project's own.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final, Literal, get_args

from arena.core.observation import Observation
from arena.games.wording import Wording, load_wording
from scripts_mm.script import Language

PersonaName = Literal["courtly", "dialect", "elderly", "child", "machine"]
PersonaOption = Literal["none", "each", "courtly", "dialect", "elderly", "child", "machine"]
"""`each`: the seats of a match get the five in turn, one per seat, in the order of the script."""
PERSONAS: Final[tuple[PersonaName, ...]] = get_args(PersonaName)
_FOLDER = Path(__file__).parent
_TEMPLATES = ("village", "case")


@dataclass(frozen=True, slots=True, kw_only=True)
class Persona:
    """A manner of speech in one language."""

    name: PersonaName
    language: Language
    self_word: str
    """Its word for itself."""
    gender: str
    age: str
    character: str
    tone: str
    endings: str
    avoid: str
    examples: Mapping[str, str]
    """Plain sentences, and its versions of them."""
    templates: Wording
    """Its form of the templates of `hybrid`, as `village.key` and `case.key`."""

    def style(self) -> str:
        """Return the description for the model's prompt."""
        say = load_wording(_FOLDER / "wording" / f"{self.language}.toml")
        examples = (
            say("style.example", plain=plain, said=said) for plain, said in self.examples.items()
        )
        return say(
            "style.text",
            word=self.self_word,
            gender=self.gender,
            age=self.age,
            character=self.character,
            tone=self.tone,
            endings=self.endings,
            avoid=self.avoid,
            examples="\n".join(examples),
        )


def find_persona(option: PersonaOption, observation: Observation) -> Persona | None:
    """Return the persona of the observing seat under the option `persona`; None: it has none."""
    if option == "none" or observation.role is None or observation.is_onlooker:
        return None
    if option == "each":
        option = PERSONAS[observation.seats.index(observation.seat) % len(PERSONAS)]
    return load_persona(option, observation.language)


@cache
def load_persona(name: PersonaName, language: Language) -> Persona:
    """Return a persona in one language."""
    path = _FOLDER / name / f"{language}.toml"
    tables: Mapping[str, Mapping[str, str]] = tomllib.loads(path.read_text(encoding="utf-8"))
    values = dict(tables["persona"])
    self_word = values.pop("self")
    templates = {
        f"{table}.{key}": text for table in _TEMPLATES for key, text in tables[table].items()
    }
    return Persona(
        name=name,
        language=language,
        self_word=self_word,
        examples=MappingProxyType(dict(tables["examples"])),
        templates=Wording(MappingProxyType(templates)),
        **values,
    )
