"""Passages of a seat's own script: sentences that can be understood alone, in the first person."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from arena.core.observation import Observation
from arena.players.script_text.first_person import speak_as_role
from arena.players.script_text.naming import People
from arena.players.script_text.own_script import OwnScript, read_own_script
from scripts_mm.script import Language

_LEAST_WORDS: Final = 4
"""Words of a sentence, at least: shorter ones are headings, numbers and exclamations."""
_MOST_SENTENCES: Final = 3
"""Sentences of a passage, at most."""
_WORD: Final = re.compile(r"[\u3400-\u9fff]{1,2}|[^\W_]+")
"""A word, or two Chinese characters."""
_INITIAL: Final = re.compile(r"(?<![A-Z.])\b[A-HJ-Z]\.$")
_REFERRING: Final[Mapping[Language, re.Pattern[str]]] = {
    "en": re.compile(
        r"(?:he|she|they|his|her|their|then|so|but|and|or|nor|both|neither|"
        r"(?:there|beyond|below|behind|under|in|on) it|the other|one of them|instead|besides|"
        r"even so)\b|[^,;:]*\b(?:said|thought|told (?:him|her|them)) so\b|"
        r"(?:it|its|this|that|these|those)\b"
        r"(?! (?:evening|night|day|morning|afternoon|week|month|year)\b)[^:]*$",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"[他她它]|于是|可是|可(?![能以])|但|所以|然后|后来|从此|接着|至于|倒是|只是|"
        r"(?:你只告诉了?|其(?!实)|[这那](?![天晚夜年时一个]))[^：]*$"
    ),
}
"""A sentence that begins with a reference to an earlier one; a colon can announce what is meant."""
_PRONOUN: Final[Mapping[Language, re.Pattern[str]]] = {
    "en": re.compile(r"\b(?:he|him|his|she|her|hers)\b", re.IGNORECASE),
    "zh": re.compile("[他她]"),
}
_QUOTATION: Final = re.compile(
    r"(?:“[^”]*”|\"[^\"]*\")(?:[.。]|,? (?:I|he|she|they|[A-Z]\w+) (?:\w+ )?\w+\.)?"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A sentence with the ones before it that it refers to."""

    text: str
    heading: str
    """Heading of its section in the script; without one, the first sentence of its paragraph."""
    first: int
    """Number of its first sentence in the script."""
    last: int
    about: str = ""
    """The person that its pronouns mean, by the nearest name before them; empty: it has none."""


def read_passages(observation: Observation, shown: str | None = None) -> tuple[Passage, ...]:
    """Return the sayable passages, only those whose sentences are in `shown` if it is given."""
    script = read_own_script(observation)
    found = _read(script, People.of(observation))
    if shown is None:
        return found
    return tuple(
        one
        for one in found
        if all(part in shown for part in script.sentences[one.first : one.last + 1])
    )


def is_complete(sentence: str) -> bool:
    """Return whether a sentence is not a fragment: its quotations and its beginning are there.

    A lower-case start means that the sentence was cut at the full stop of an abbreviation; it was
    also cut if it ends with an initial.
    """
    is_quoted_whole = sentence.count("“") == sentence.count("”") and sentence.count('"') % 2 == 0
    is_begun, is_ended = not sentence[:1].islower(), not _INITIAL.search(sentence)
    return (
        is_quoted_whole and is_begun and is_ended and len(_WORD.findall(sentence)) >= _LEAST_WORDS
    )


def needs_context(sentence: str, language: Language) -> bool:
    """Return whether a sentence begins with a reference to another, or is only a quotation."""
    return bool(_REFERRING[language].match(sentence) or _QUOTATION.fullmatch(sentence))


@lru_cache(maxsize=64)
def _read(script: OwnScript, people: People) -> tuple[Passage, ...]:
    return tuple(_find_passages(script, people))


def _find_passages(script: OwnScript, people: People) -> Iterator[Passage]:
    language = script.language
    between, meant = "" if language == "zh" else " ", ""
    for number, sentence in enumerate(script.sentences):
        named = people.last_named(sentence)
        is_meant = _PRONOUN[language].search(sentence) and not named
        meant = named or meant
        if not (script.spoken[number] and is_complete(sentence)):
            continue
        first, last = _find_context(script, number, language)
        parts = script.sentences[first : last + 1]
        if parts:
            yield Passage(
                text=between.join(speak_as_role(one, language) for one in parts),
                heading=script.headings[number] or _first_of_paragraph(script, number),
                first=first,
                last=last,
                about=meant if is_meant else "",
            )


def _first_of_paragraph(script: OwnScript, number: int) -> str:
    return script.sentences[script.paragraphs.index(script.paragraphs[number])]


def _find_context(script: OwnScript, number: int, language: Language) -> tuple[int, int]:
    """Return the first and last sentence of the passage of a sentence.

    It begins with what the sentence refers to, and has the rest of a sentence that was cut at an
    abbreviation. An empty range: a part of it cannot be said.
    """
    first = last = number
    while needs_context(script.sentences[first], language):
        first -= 1
        if number - first >= _MOST_SENTENCES or not _may_join(script, first, number):
            return 0, -1
    while script.sentences[last + 1][:1].islower():
        last += 1
        if not _may_join(script, last, number):
            return 0, -1
    return first, last


def _may_join(script: OwnScript, one: int, number: int) -> bool:
    """Return whether a sentence can be said and is in the same paragraph as sentence `number`."""
    is_same = one >= 0 and script.paragraphs[one] == script.paragraphs[number]
    return is_same and script.spoken[one]
