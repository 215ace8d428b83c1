"""Guard against model texts that contradict the seat's public timeline."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from arena.core.observation import Observation
from arena.memory.lexical import split_sentences
from arena.players.hybrid.cases.case_table import CaseTable
from arena.players.hybrid.mentions import has_place, has_time, name_pattern

_OWN = {
    "en": re.compile(r"\b(?:I|me|my|we)\b", re.IGNORECASE),
    "zh": re.compile(r"[我俺咱]|本机"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradiction:
    """A rejected sentence: it contradicts an earlier statement, or claims another identity."""

    said: str
    time: str = ""
    place: str = ""
    """The place that the seat claimed before; empty: the sentence speaks as another seat."""


def find_contradiction(
    observation: Observation, table: CaseTable, texts: Sequence[str]
) -> Contradiction | None:
    """Return the first contradiction in `texts`; None if there is none."""
    for text in texts:
        if _speaks_as_other(text, observation):
            return Contradiction(said=text)
        for sentence in split_sentences(text):
            for fault in _contradictions(sentence, observation, table):
                return fault
    return None


def _speaks_as_other(text: str, observation: Observation) -> bool:
    """Return whether a text claims another identity, or is written as another seat's line."""
    name = f"({name_pattern(observation.seats)})"
    line = re.match(rf"\W{{0,3}}{name}\W{{0,3}}[:：]", text)
    if observation.language == "zh":
        claims = re.findall(rf"我(?:就?是|叫|名叫){name}(?![的之家])", text)
    else:
        pattern = rf"\b(?:I am|I'm|I’m|my name is) {name}(?!['’]s|\w)"
        claims = re.findall(pattern, text, re.IGNORECASE)
    said = [*claims, *([line[1]] if line else ())]
    return any(one.casefold() != observation.seat.casefold() for one in said)


def _contradictions(
    sentence: str, observation: Observation, table: CaseTable
) -> Iterator[Contradiction]:
    """Yield a contradiction for each own statement whose time occurs with only another place."""
    places = {one.place for one in table.statements if one.place}
    if not _OWN[observation.language].search(sentence):
        return
    for own in table.statements_of(observation.seat):
        if not own.place or has_place(sentence, own.place) or not has_time(sentence, own.time):
            continue
        others = (
            place
            for place in places
            if not has_place(own.place, place) and not has_place(place, own.place)
        )
        if any(has_place(sentence, place) for place in others):
            yield Contradiction(said=sentence, time=own.time, place=own.place)
