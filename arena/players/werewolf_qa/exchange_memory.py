"""Memory of exchanges: those of a talk with embeddings nearest to a question."""

from collections.abc import Collection
from typing import Final

from arena.core.events import PromptAdjusted, QuestionAsked, Said
from arena.core.observation import Observation
from arena.memory.memory_index import MemoryIndex
from arena.models.chat import CallId
from arena.players.methods.memory_units import MemoryUnit, list_units
from arena.players.methods.method_steps import Turn
from arena.players.methods.recall import keep_events
from arena.players.model_limits import ModelLimits

_NO_THRESHOLD: Final = -1.0
"""Below the similarity of opposite vectors."""


class ExchangeMemory:
    """The exchanges that one seat heard in one match."""

    def __init__(self, limits: ModelLimits, most: int) -> None:
        """Search with the embedder of `limits` for at most `most` exchanges; 0: keep all."""
        self._index = MemoryIndex(limits.embedder, limits.searches)
        self._numbers: dict[MemoryUnit, int] = {}
        self._most = most

    async def recall(
        self, turn: Turn, query: str, besides: Collection[int] = ()
    ) -> Observation | None:
        """Return the observation with only the exchanges nearest to `query`; None: all of it.

        A question stays with its answer. Events without speech, such as clues, and the events
        `besides` always stay.
        """
        if not self._most:
            return None
        observation = turn.observation
        units = [
            one
            for one in list_units(observation)
            if _is_talk(observation, one) and one.events[0] not in besides
        ]
        new = [unit for unit in units if unit not in self._numbers]
        self._numbers |= zip(new, self._index.add([unit.text for unit in new]), strict=True)
        of_number = {self._numbers[unit]: unit for unit in units}
        hits = await self._index.search(
            query,
            self._most,
            _NO_THRESHOLD,
            among=tuple(of_number),
            call_id=CallId(seat=turn.request.seat, request=turn.request.id, chunk="exchanges"),
        )
        if hits.lexical:
            turn.report(
                PromptAdjusted(
                    seat=turn.request.seat, request=turn.request.id, adjustment="search_lexical"
                )
            )
        nearest = {event for hit in hits.found for event in of_number[hit.index].events}
        talk = {event for unit in units for event in unit.events}
        kept = {number for number in range(len(observation.events)) if number not in talk}
        return keep_events(observation, kept | nearest)


def _is_talk(observation: Observation, unit: MemoryUnit) -> bool:
    return isinstance(observation.events[unit.events[0]], Said | QuestionAsked)
