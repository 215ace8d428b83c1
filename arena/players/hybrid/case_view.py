"""What a seat of a murder mystery finds in its own script and clues, without any model."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from arena.core.observation import ClueObservation, Observation
from arena.core.options import speech_limit
from arena.core.seats import SeatId
from arena.players.own_script import OwnScript, read_own_script

_MOST_FACTS: Final = 12
_MOST_CHARS: Final = 300
"""Of one clue's text in a speech."""
_TIME = re.compile(
    r"(?<!\d)\d{1,2}[:：]\d{2}(?!\d)|\b\d{1,2} ?(?:am|pm|o'clock|o’clock)\b|"
    r"[零一二三四五六七八九十两\d]{1,3}点",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """Something that the seat alone knows of another seat."""

    number: int
    text: str
    seat: SeatId
    """The seat that it names."""
    clue: str
    """Title of the private clue that holds it; empty: the own script does."""


def own_facts(observation: Observation) -> tuple[Fact, ...]:
    """Return what the seat knows of others, from its private clues and its script, numbered."""
    found = [*_facts_of_clues(observation), *_facts_of_script(observation)][-_MOST_FACTS:]
    return tuple(
        Fact(number=number, text=text, seat=seat, clue=clue)
        for number, (text, seat, clue) in enumerate(found, start=1)
    )


def own_timeline(observation: Observation) -> tuple[str, ...]:
    """Return the sentences of the own script that hold a time, as the seat says them."""
    script = read_own_script(observation)
    most = speech_limit(observation.options, observation.language)
    found: list[str] = []
    for sentence in _spoken(script):
        length = len(sentence) if observation.language == "zh" else len(sentence.split())
        if _TIME.search(sentence) and length <= most:
            most -= length
            found.append(script.say(iter((sentence,))))
    return tuple(found)


def last_near_victim(observation: Observation) -> SeatId | None:
    """Return the other seat that the own script names last with a victim, else last at all."""
    sentences = read_own_script(observation).sentences
    near = [one for one in sentences if any(victim in one for victim in observation.victims)]
    for group in (near, sentences):
        for sentence in reversed(group):
            if named := named_seats(sentence, other_seats(observation)):
                return named[-1]
    return None


def find_public_clue(observation: Observation, seat: SeatId) -> ClueObservation | None:
    """Return a clue that all have seen: the last that names `seat`, else the last of all."""
    public = [clue for clue in observation.clues if not clue.private]
    naming = [clue for clue in public if named_seats(f"{clue.title}\n{clue.text}", (seat,))]
    return next(reversed(naming or public), None)


def clue_text(clue: ClueObservation) -> str:
    """Return what a clue says, on one line and not too long."""
    text = " ".join(clue.text.split())
    return text if len(text) <= _MOST_CHARS else f"{text[:_MOST_CHARS]}…"


def other_seats(observation: Observation) -> tuple[SeatId, ...]:
    """Return all seats but the own one."""
    return tuple(seat for seat in observation.seats if seat != observation.seat)


def named_seats(text: str, seats: Sequence[SeatId]) -> tuple[SeatId, ...]:
    """Return the seats that a text names, whole or by the first word of the name."""
    return tuple(seat for seat in seats if _names(text, seat))


def _names(text: str, seat: SeatId) -> bool:
    if seat in text:
        return True
    first = seat.split()[0] if seat.isascii() and " " in seat else ""
    return bool(first) and re.search(rf"\b{re.escape(first)}\b", text) is not None


def _facts_of_clues(observation: Observation) -> Iterator[tuple[str, SeatId, str]]:
    for clue in observation.clues:
        named = named_seats(clue.text, other_seats(observation)) if clue.private else ()
        if named:
            yield clue_text(clue), named[0], clue.title


def _facts_of_script(observation: Observation) -> Iterator[tuple[str, SeatId, str]]:
    script = read_own_script(observation)
    for sentence in _spoken(script):
        if named := named_seats(sentence, other_seats(observation)):
            yield script.say(iter((sentence,))), named[0], ""


def _spoken(script: OwnScript) -> Iterator[str]:
    """Yield the sentences that the role may say."""
    pairs = zip(script.sentences, script.spoken, strict=True)
    return (sentence for sentence, may in pairs if may)
