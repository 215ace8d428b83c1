"""Units of a seat's observations, such as a question with its answer, each with a search text.

A unit has the events of one question and its answer, of one clue card, or of another speech or
announcement.
"""

from dataclasses import dataclass

from arena.core.events import (
    Announced,
    ClueRevealed,
    QuestionAsked,
    Said,
    VoteCast,
    VotesTallied,
)
from arena.core.exchanges import pair_answers
from arena.core.observation import Observation
from arena.core.purposes import QUESTION
from arena.players.event_lines import event_messages, find_revealed_clues


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryUnit:
    """One memory: the indices of its events, and its search text."""

    events: tuple[int, ...]
    text: str


def list_units(observation: Observation) -> tuple[MemoryUnit, ...]:
    """Return the memories of a seat, in the order of their first events."""
    answers = pair_answers(observation.events)
    later = set(answers.values())
    clues = find_revealed_clues(observation)
    units: list[MemoryUnit] = []
    for number, event in enumerate(observation.events):
        if number in later:
            continue
        if isinstance(event, QuestionAsked) and number in answers:
            numbers: tuple[int, ...] = (number, answers[number])
        else:
            numbers = (number,)
        if isinstance(event, ClueRevealed):
            clue = clues.get(number)
            text = f"{clue.title}\n{clue.text}" if clue else ""
        else:
            text = "\n".join(_write(observation, one) for one in numbers)
        if text.strip():
            units.append(MemoryUnit(events=numbers, text=text))
    return tuple(units)


def find_open_question(observation: Observation, asker: str, text: str) -> tuple[int, ...]:
    """Return the index of the unanswered question `text` to the observing seat, if there is one."""
    answers = pair_answers(observation.events)
    return tuple(
        number
        for number, event in enumerate(observation.events)
        if isinstance(event, QuestionAsked)
        and number not in answers
        and (event.seat, event.to, event.text) == (asker, observation.seat, text)
    )[:1]


def _write(observation: Observation, number: int) -> str:
    """Return the search text of an event; empty: it is not a memory."""
    match observation.events[number]:
        case QuestionAsked(seat=seat, to=to, text=text):
            return f"{seat}, {to}: {text}"
        case Said(seat=seat) as said:
            return f"{seat}: {said.text}"
        case Announced(values=values) if any(name == QUESTION for name, _ in values):
            return ""
        case Announced() | VotesTallied() | VoteCast():
            return "\n".join(one.text for one in event_messages(observation, number))
        case _:
            return ""
