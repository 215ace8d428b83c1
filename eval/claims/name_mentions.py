"""Find the people and places in a sentence: by names, aliases and unique parts of names."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from arena.games.shared.word_matching import plain, word_pattern
from scripts_mm.facts.fact_table import FactTable
from scripts_mm.script import Language, Script

SPEAKER = "@speaker"
"""Placeholder of the first person."""
PRONOUN = "@pronoun"
"""Placeholder of he, she, 他 and 她."""

_SELF: Mapping[Language, str] = {
    "en": r"\b(?:i|me|myself|we|us|my (?:place|post|seat|whereabouts))\b",
    "zh": r"(?:我|咱)们?(?![车屋家房的这那床])",
}
_OTHER: Mapping[Language, str] = {
    "en": r"\b(?:he|she|him)\b",
    "zh": r"[他她](?![们的])",
}
_TITLES = {"dr", "dr.", "mr", "mrs", "miss", "sister", "captain", "constable", "inspector", "widow"}
_ARTICLE = re.compile(r"^(?:the|a|an) ")
_JOINT: Mapping[Language, re.Pattern[str]] = {
    "en": re.compile(r" (?:in|at|on) (?:the )?"),
    "zh": re.compile("的"),
}
_LEAST = 3
_LONG_CHINESE = 3


@dataclass(frozen=True, slots=True)
class NameMention:
    """A person or place in a plain text."""

    at: int
    stop: int
    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseNames:
    """All names of the people and places of a case, as plain text."""

    language: Language
    people: Mapping[str, str]
    """Name -> id of the person."""
    places: Mapping[str, str]
    """Name -> id of the place."""
    victims: frozenset[str]
    """Ids of the victims."""

    def find_people(self, text: str) -> tuple[NameMention, ...]:
        """Return the people in plain `text`, including the first person and pronouns."""
        found = list(_find(text, self.people))
        taken = [(one.at, one.stop) for one in found]
        for pattern, who in ((_SELF, SPEAKER), (_OTHER, PRONOUN)):
            found += [
                NameMention(match.start(), match.end(), who)
                for match in re.finditer(pattern[self.language], text)
                if not any(start <= match.start() < stop for start, stop in taken)
            ]
        return tuple(sorted(found, key=lambda one: one.at))

    def find_places(self, text: str) -> tuple[NameMention, ...]:
        """Return the places in plain `text`."""
        return tuple(_find(text, self.places))


def case_names(table: FactTable, script: Script) -> CaseNames:
    """Return the names of a case in the script's language."""
    language = script.language
    full = {one.id: plain(one.names.get(language, one.id)) for one in table.people}
    people: dict[str, list[str]] = {
        who: [name, *_parts(name, language)] for who, name in full.items()
    }
    for role in script.roles:
        who = next((one for one, name in full.items() if name == plain(role.name)), None)
        if who is not None:
            people[who].extend(map(plain, role.aliases))
    places = {
        one.id: _place_names(plain(one.names.get(language, one.id)), language)
        for one in table.places
    }
    victims = frozenset(crime.victim for crime in table.crimes if crime.victim)
    return CaseNames(
        language=language, people=_unique(people), places=_unique(places), victims=victims
    )


def find_person(table: FactTable, seat: str, language: Language) -> str:
    """Return the id of the person that `seat` plays; "" if the table has no such person."""
    wanted = plain(seat)
    return next(
        (one.id for one in table.people if plain(one.names.get(language, "")) == wanted), ""
    )


def _parts(name: str, language: Language) -> Iterator[str]:
    if language == "zh":
        if len(name) >= _LONG_CHINESE:
            yield name[-2:]
        return
    for part in name.split():
        if part not in _TITLES and len(part) >= _LEAST:
            yield part


def _place_names(name: str, language: Language) -> list[str]:
    whole = _ARTICLE.sub("", name)
    pieces = [_ARTICLE.sub("", one) for one in _JOINT[language].split(whole)]
    if language == "zh":
        pieces += [whole[-3:]] if len(whole) > _LONG_CHINESE + 1 else []
    else:
        heads = [one.split(" of ")[0] for one in pieces]
        pieces = [*pieces, *heads, *(one.split()[-1] for one in heads)]
    return [whole, *(one for one in pieces if len(one) >= (2 if language == "zh" else _LEAST))]


def _unique(named: Mapping[str, Iterable[str]]) -> Mapping[str, str]:
    """Return id by name; a shared part is dropped, a whole name always stays."""
    count = Counter(name for names in named.values() for name in set(names))
    wholes = {next(iter(names)): who for who, names in named.items()}
    parts = {name: who for who, names in named.items() for name in names if count[name] == 1}
    return parts | wholes


def _find(text: str, names: Mapping[str, str]) -> Iterator[NameMention]:
    longest = sorted(names, key=len, reverse=True)
    if not longest:
        return
    pattern = "|".join(map(word_pattern, longest))
    for match in re.finditer(pattern, text):
        yield NameMention(match.start(), match.end(), names[match[0]])
