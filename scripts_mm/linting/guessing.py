"""How often simple rules name a culprit from public text and the words of pictures alone.

A case that such a rule solves needs no talk. A rule that names several roles guesses among them, so
its value is the probability that the guess is a culprit; chance is culprits over roles.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from types import MappingProxyType
from typing import Final

from scripts_mm.script import Language, Role, Script
from scripts_mm.script_texts import public_texts

GUESSABLE: Final = 2.0
"""A script whose rules do this many times better than chance should be changed."""
_SENTENCE = re.compile(r"[^.!?。！？\n]+")
_DEATH: Final[Mapping[Language, re.Pattern[str]]] = MappingProxyType(
    {
        "en": re.compile(
            r"\b(?:kill|murder|dead|death|die[sd]?\b|blood|struck|stabb|poison|bod(?:y|ies)\b)"
        ),
        "zh": re.compile(r"[杀死血毒尸]|凶|勒|捅"),
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicRecord:
    """What every seat can read of a script: its sentences, and the roles that each names."""

    sentences: tuple[str, ...]
    named: tuple[frozenset[str], ...]
    in_pictures: tuple[bool, ...]
    """Whether a sentence is in a clue that has pictures."""
    roles: tuple[str, ...]
    victims: tuple[str, ...]
    language: Language

    def count(self, chosen: Callable[[int], bool]) -> Mapping[str, int]:
        """Return for each role the number of chosen sentences that name it."""
        places = [at for at in range(len(self.sentences)) if chosen(at)]
        return {role: sum(role in self.named[at] for at in places) for role in self.roles}


@dataclass(frozen=True, slots=True, kw_only=True)
class CulpritGuesses:
    """The probability that each rule names a culprit of a script, and that of a random guess."""

    script: str
    language: Language
    chance: float
    by_rule: Mapping[str, float]

    @property
    def mean(self) -> float:
        """Return the mean over the rules."""
        return fmean(self.by_rule.values())

    @property
    def is_guessable(self) -> bool:
        """Return whether the rules do `GUESSABLE` times better than chance, or more."""
        return self.mean >= GUESSABLE * self.chance


def read_public(script: Script) -> PublicRecord:
    """Return the sentences of the opening and of the clues without an owner."""
    drawn = {clue.id for clue in script.clues if clue.pictures}
    texts = {at: text for at, text in public_texts(script).items() if at != "civilian_mission"}
    found = [
        (sentence, place in drawn)
        for place, text in texts.items()
        for sentence in _SENTENCE.findall(text)
    ]
    return PublicRecord(
        sentences=tuple(sentence for sentence, _ in found),
        named=tuple(_roles_in(sentence, script.roles) for sentence, _ in found),
        in_pictures=tuple(is_picture for _, is_picture in found),
        roles=tuple(role.name for role in script.roles),
        victims=script.victims,
        language=script.language,
    )


def _most(counts: Mapping[str, int]) -> Sequence[str]:
    return [role for role, count in counts.items() if count == max(counts.values())]


def _fewest(counts: Mapping[str, int]) -> Sequence[str]:
    return [role for role, count in counts.items() if count == min(counts.values())]


def _first(record: PublicRecord, order: Sequence[int]) -> Sequence[str]:
    named = next((record.named[at] for at in order if record.named[at]), frozenset(record.roles))
    return sorted(named)


def _names_victim(record: PublicRecord, at: int) -> bool:
    return any(victim in record.sentences[at] for victim in record.victims)


def _is_of_death(record: PublicRecord, at: int) -> bool:
    return _DEATH[record.language].search(record.sentences[at]) is not None


RULES: Final[Mapping[str, Callable[[PublicRecord], Sequence[str]]]] = MappingProxyType(
    {
        "named most": lambda record: _most(record.count(lambda _: True)),
        "named least": lambda record: _fewest(record.count(lambda _: True)),
        "named first": lambda record: _first(record, range(len(record.named))),
        "named last": lambda record: _first(record, range(len(record.named) - 1, -1, -1)),
        "most in pictures": lambda record: _most(record.count(lambda at: record.in_pictures[at])),
        "most with victim": lambda record: _most(
            record.count(lambda at: _names_victim(record, at))
        ),
        "most with death": lambda record: _most(record.count(lambda at: _is_of_death(record, at))),
        "least with others": lambda record: _fewest(
            record.count(lambda at: len(record.named[at]) > 1)
        ),
        "listed first": lambda record: record.roles[:1],
        "listed last": lambda record: record.roles[-1:],
    }
)
"""The rules, by name; each returns the roles among which it guesses."""


def guess_culprits(script: Script) -> CulpritGuesses | None:
    """Return what the rules make of a script; None if no culprit of it is a role."""
    record = read_public(script)
    guilty = set(script.truth.culprits) & set(record.roles)
    if not guilty:
        return None

    def rate(rule: Callable[[PublicRecord], Sequence[str]]) -> float:
        guessed = rule(record)
        return sum(name in guilty for name in guessed) / len(guessed)

    return CulpritGuesses(
        script=script.id,
        language=script.language,
        chance=len(guilty) / len(record.roles),
        by_rule=MappingProxyType({name: rate(rule) for name, rule in RULES.items()}),
    )


def _roles_in(sentence: str, roles: Sequence[Role]) -> frozenset[str]:
    return frozenset(
        role.name for role in roles if any(name in sentence for name in (role.name, *role.aliases))
    )
