"""Memories of a seat: exchanges and clue cards, searched with the question.

The prompt shows the hits as lines of the log, in their order.
"""

from collections.abc import Collection

from arena.core.events import (
    Announced,
    ClueRevealed,
    PromptAdjusted,
    QuestionAsked,
    Said,
    SeatEliminated,
)
from arena.core.observation import Observation
from arena.memory.memory_index import MemoryIndex
from arena.models.chat import CallId
from arena.players.methods.memory_units import MemoryUnit, list_units
from arena.players.methods.method_steps import Turn
from arena.players.methods.recall import keep_events
from arena.players.model_limits import ModelLimits
from arena.players.thinkthrice.options import ThinkThricePlayerOptions


def find_last_speech(observation: Observation) -> tuple[int, Said | QuestionAsked] | None:
    """Return the last speech of another seat, with its index; None if there is none."""
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

    def __init__(self, options: ThinkThricePlayerOptions, limits: ModelLimits) -> None:
        """Search with the embedder of `limits`."""
        self._options = options
        self._index = MemoryIndex(limits.embedder, limits.searches)
        self._numbers: dict[MemoryUnit, int] = {}

    async def recall(
        self,
        turn: Turn,
        query: str,
        *,
        besides: Collection[int] = (),
        without: Collection[int] = (),
    ) -> Observation:
        """Return the excerpt for a prompt: the best memories for `query`, and the events `besides`.

        Memories of an event `without` are left out. Without memory there is only what is
        `besides`.
        """
        kept = set(besides)
        if self._options.remembers:
            kept |= _find_case_events(turn.observation)
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


def _find_case_events(observation: Observation) -> set[int]:
    """Return the events that belong to the case, not to memory: eliminations, private results."""
    return {
        number
        for number, event in enumerate(observation.events)
        if isinstance(event, SeatEliminated)
        or (isinstance(event, Announced) and event.audience != "all")
    }
