"""Memory of a seat: exchanges and clue cards, searched by what is asked.

A unit is the events of one question and its answer, of one clue card, or of something else that
was said or announced. What a search finds is shown as lines of the log, in their order.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from arena.core.events import (
    Announced,
    ClueRevealed,
    Event,
    PromptAdjusted,
    QuestionAsked,
    Said,
    SeatEliminated,
    VoteCast,
    VotesTallied,
)
from arena.core.observation import Observation
from arena.core.purposes import QUESTION
from arena.memory.index import MemoryIndex
from arena.models.chat import CallId
from arena.players.event_lines import event_messages, revealed_clues
from arena.players.model_limits import ModelLimits
from arena.players.recall import keep_events
from arena.players.steps import Turn
from arena.players.thinkthrice.options import ThinkThriceOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """One memory: the indexes of its events, and the text by which it is found."""

    events: tuple[int, ...]
    text: str


def list_units(observation: Observation) -> tuple[Unit, ...]:
    """Return the memories that a seat has, in the order in which they began."""
    answers = _pair_answers(observation.events)
    later = set(answers.values())
    clues = revealed_clues(observation)
    units: list[Unit] = []
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
            units.append(Unit(events=numbers, text=text))
    return tuple(units)


def last_heard(observation: Observation) -> tuple[int, Said | QuestionAsked] | None:
    """Return the last thing that another seat said, with its index; None: nothing yet."""
    heard = [
        (number, event)
        for number, event in enumerate(observation.events)
        if isinstance(event, Said | QuestionAsked) and event.seat != observation.seat
    ]
    return heard[-1] if heard else None


def list_clues(observation: Observation) -> tuple[int, ...]:
    """Return the indexes of the events that reveal a clue."""
    return tuple(
        number for number, event in enumerate(observation.events) if isinstance(event, ClueRevealed)
    )


class Memories:
    """The memory of one seat in one match."""

    def __init__(self, options: ThinkThriceOptions, limits: ModelLimits) -> None:
        """Search with the embedder of `limits`."""
        self._options = options
        self._index = MemoryIndex(limits.embedder, limits.searches)
        self._numbers: dict[Unit, int] = {}

    async def recall(
        self,
        turn: Turn,
        query: str,
        *,
        besides: Collection[int] = (),
        without: Collection[int] = (),
    ) -> Observation:
        """Return what a prompt shows: the best memories for `query`, and the events `besides`.

        Memories of an event `without` are left out. Without memory there is only what is
        `besides`.
        """
        kept = set(besides)
        if self._options.remembers:
            kept |= _told_to_stay(turn.observation)
            kept |= await self._search(turn, query, without)
        return keep_events(turn.observation, kept)

    async def _search(self, turn: Turn, query: str, without: Collection[int]) -> set[int]:
        units = [one for one in list_units(turn.observation) if not set(one.events) & set(without)]
        new = [unit for unit in units if unit not in self._numbers]
        self._numbers |= zip(new, self._index.add([unit.text for unit in new]), strict=True)
        of_number = {self._numbers[unit]: unit for unit in units}
        hits = await self._index.search(
            query,
            self._options.top_k,
            self._options.min_similarity,
            among=tuple(of_number),
            call_id=CallId(seat=turn.request.seat, request=turn.request.id, chunk="memories"),
        )
        if hits.lexical:
            turn.report(
                PromptAdjusted(
                    seat=turn.request.seat, request=turn.request.id, adjustment="search_lexical"
                )
            )
        return {number for place in hits.in_order for number in of_number[place].events}


def find_open_question(observation: Observation, asker: str, text: str) -> tuple[int, ...]:
    """Return the index of the unanswered question `text` to the observing seat, if there is one."""
    answers = _pair_answers(observation.events)
    return tuple(
        number
        for number, event in enumerate(observation.events)
        if isinstance(event, QuestionAsked)
        and number not in answers
        and (event.seat, event.to, event.text) == (asker, observation.seat, text)
    )[:1]


def _pair_answers(events: Sequence[Event]) -> dict[int, int]:
    """Return the index of the answer to each answered question.

    An answer belongs to the question whose request its own one continues, else to the first open
    one between the two seats.
    """
    waiting: dict[int, QuestionAsked] = {}
    found: dict[int, int] = {}
    for number, event in enumerate(events):
        if isinstance(event, QuestionAsked):
            waiting[number] = event
        if not isinstance(event, Said) or event.to is None:
            continue
        asked = [
            place for place, one in waiting.items() if (one.seat, one.to) == (event.to, event.seat)
        ]
        named = [place for place in asked if event.request.startswith(f"{waiting[place].request}/")]
        for place in [*named, *asked][:1]:
            found[place] = number
            del waiting[place]
    return found


def _told_to_stay(observation: Observation) -> set[int]:
    """Return the events that are no memory but part of the case: who left, what it alone knows."""
    return {
        number
        for number, event in enumerate(observation.events)
        if isinstance(event, SeatEliminated)
        or (isinstance(event, Announced) and event.audience != "all")
    }


def _write(observation: Observation, number: int) -> str:
    """Return the text by which an event is found; empty: it is no memory."""
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
