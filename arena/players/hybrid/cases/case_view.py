"""A seat's view of a murder mystery, from its own script and clues without a model."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from arena.core.observation import ClueObservation, Observation
from arena.core.options import speech_limit
from arena.core.seats import SeatId
from arena.memory.lexical import STOP_WORDS
from arena.players.hybrid.mentions import name_pattern
from arena.players.script_text.first_person import speak_as_role
from arena.players.script_text.own_script import OwnScript, read_own_script

_MOST_FACTS: Final = 12
"""Facts, at most: the newest private clues first, then the last sentences of the script."""
_MOST_CHARS: Final = 300
"""Characters of one clue's text in a speech, at most."""
_TIME = re.compile(
    r"(?<!\d)\d{1,2}[:：]\d{2}(?!\d)|\b\d{1,2} ?(?:am|pm|o'clock|o’clock)\b|"
    r"[零一二三四五六七八九十两\d]{1,3}点",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivateFact:
    """A fact about another seat that only this seat knows."""

    text: str
    seat: SeatId
    """The seat that it names."""
    clue: str
    """Title of its private clue; empty: the fact is from the seat's own script."""


def own_facts(observation: Observation) -> tuple[PrivateFact, ...]:
    """Return the seat's facts about others, from its private clues and its script, at most 12."""
    clues = tuple(_facts_of_clues(observation))[-_MOST_FACTS:]
    room = _MOST_FACTS - len(clues)
    return (*clues, *(tuple(_facts_of_script(observation))[-room:] if room else ()))


def own_timeline(observation: Observation) -> tuple[str, ...]:
    """Return the sentences of the seat's own script with a time, in the first person."""
    script = read_own_script(observation)
    most = speech_limit(observation.options, observation.language)
    found: list[str] = []
    for sentence in _sayable_sentences(script):
        length = len(sentence) if observation.language == "zh" else len(sentence.split())
        if _TIME.search(sentence) and length <= most:
            most -= length
            found.append(script.say(iter((sentence,))))
    return tuple(found)


def last_near_victim(observation: Observation) -> SeatId | None:
    """Return the other seat that its own script last names with a victim, else last names."""
    sentences, victims = read_own_script(observation).sentences, set(observation.victims)
    near = [one for one in sentences if victims.intersection(_names_in(one, observation))]
    for group in (near, sentences):
        for sentence in reversed(group):
            if named := find_named_others(sentence, observation):
                return named[-1]
    return None


def find_public_clue(observation: Observation, seat: SeatId) -> ClueObservation | None:
    """Return a public clue that names neither the seat itself nor a known one of its faction.

    The last one that names `seat`, else the last of all.
    """
    own = {observation.seat, *observation.own.part.knows}
    found = [
        (clue, named)
        for clue in observation.clues
        if not clue.private
        and not own.intersection(named := _names_in(f"{clue.title}\n{clue.text}", observation))
    ]
    naming = [clue for clue, named in found if seat in named]
    return next(reversed(naming or [clue for clue, _ in found]), None)


def clue_text(clue: ClueObservation) -> str:
    """Return the text of a clue on one line, shortened for a speech."""
    text = " ".join(clue.text.split())
    return text if len(text) <= _MOST_CHARS else f"{text[:_MOST_CHARS]}…"


def other_seats(observation: Observation) -> tuple[SeatId, ...]:
    """Return all seats except its own."""
    return tuple(seat for seat in observation.seats if seat != observation.seat)


def find_named_seats(text: str, observation: Observation) -> tuple[SeatId, ...]:
    """Return the seats that a text names, by the whole name or its first word."""
    named = _names_in(text, observation)
    return tuple(seat for seat in observation.seats if seat in named)


def find_named_others(text: str, observation: Observation) -> tuple[SeatId, ...]:
    """Return the seats that a text names, except its own."""
    return tuple(one for one in find_named_seats(text, observation) if one != observation.seat)


def _names_in(text: str, observation: Observation) -> set[str]:
    """Return the seats and victims that a text names."""
    spelled, pattern = _spellings((*observation.seats, *observation.victims))
    return {spelled[found[0]] for found in pattern.finditer(text)}


@lru_cache(maxsize=256)
def _spellings(known: tuple[str, ...]) -> tuple[Mapping[str, str], re.Pattern[str]]:
    """Return the name that each spelling means, and a pattern of all spellings."""
    firsts = Counter(_first_word(name) for name in known)
    short = {_first_word(name): name for name in known if firsts[_first_word(name)] == 1}
    spelled = short | {name: name for name in known}
    return spelled, re.compile(name_pattern(spelled))


def _first_word(name: str) -> str:
    """Return the first word of an English name, which also names the seat; else the whole name."""
    first = name.split(maxsplit=1)[0] if name.isascii() else name
    return name if first.lower() in STOP_WORDS else first


def _facts_of_clues(observation: Observation) -> Iterator[PrivateFact]:
    for clue in observation.clues:
        named = find_named_others(clue.text, observation) if clue.private else ()
        if named:
            text = speak_as_role(clue_text(clue), observation.language)
            yield PrivateFact(text=text, seat=named[0], clue=clue.title)


def _facts_of_script(observation: Observation) -> Iterator[PrivateFact]:
    script = read_own_script(observation)
    for sentence in _sayable_sentences(script):
        if named := find_named_others(sentence, observation):
            yield PrivateFact(text=script.say(iter((sentence,))), seat=named[0], clue="")


def _sayable_sentences(script: OwnScript) -> Iterator[str]:
    """Yield the sentences that the role may say."""
    pairs = zip(script.sentences, script.spoken, strict=True)
    return (sentence for sentence, may in pairs if may)
