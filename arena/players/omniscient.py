"""The reference reader `omniscient`: it reads the parts of all scripts relevant to a question.

It votes and answers quizzes as the end of Questum's search (Questum section 4.3 and C.3), and plays
no phase with talk. The game's rules decide which scripts are public; the reader only chooses the
pieces of them for its prompts.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random
from types import MappingProxyType
from typing import Final

from arena.core.events import Announced
from arena.core.observation import Observation
from arena.core.requests import DecisionRequest
from arena.memory.chunking import fill_budget, join_sentences, split_text
from arena.memory.memory_index import MemoryIndex
from arena.models.chat import CallId, ChatModel
from arena.players import prompts
from arena.players.context.token_budget import make_budget
from arena.players.methods.method_player import MethodPlayer
from arena.players.model_limits import ModelLimits
from arena.players.player import Answer
from arena.players.prompting import PromptingOptions
from arena.players.wording import find_wording

_PIECE_TOKENS: Final = 50
"""Tokens of a piece of a script (Questum C.1)."""
_ROLE_TOKENS: Mapping[int, int] = MappingProxyType(
    {4: 3500, 5: 3000, 6: 2500, 7: 2000, 8: 1600, 9: 1200}
)
"""Tokens of one role's script, by the number of roles, as in Questum's released code."""
_ALL_TOKENS: Final = 12_000
"""Tokens of all scripts together, for other numbers of roles."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OmniscientOptions(PromptingOptions):
    """Options of a reader."""

    role_tokens: int = 0
    """Tokens of one role's script in a prompt, at most; 0: by the number of roles."""

    def __post_init__(self) -> None:
        """Raise `ValueError` for a negative length."""
        super(OmniscientOptions, self).__post_init__()
        if self.role_tokens < 0:
            raise ValueError(f"role_tokens must be >= 0, got {self.role_tokens}")


class OmniscientPlayer(MethodPlayer):
    """Answers like `direct`, from the pieces of all scripts that are relevant to the request."""

    def __init__(self, model: ChatModel, options: OmniscientOptions, limits: ModelLimits) -> None:
        """Answer with `model`; the embedder of `limits` finds the pieces."""
        super().__init__(model, options, limits)
        self._role_tokens, self._limits = options.role_tokens, limits
        self._count = make_budget(limits).text_tokens

    def method(self, observation: Observation, request: DecisionRequest) -> None:
        """Return None: there is no special method for any request."""
        del observation, request

    async def act(
        self, observation: Observation, request: DecisionRequest, chance: Random
    ) -> Answer:
        """Return the model's answer, or raise `ModelError` if it gives none."""
        del chance
        seen = await self._excerpt(observation, request)
        return await self.direct.answer(observation, request, seen=seen)

    async def _excerpt(self, observation: Observation, request: DecisionRequest) -> Observation:
        """Return `observation` with only the relevant pieces of its scripts."""
        role, seats = observation.own, len(observation.seats)
        most = self._role_tokens or _ROLE_TOKENS.get(seats, _ALL_TOKENS // seats)
        script = await self._cut(observation, request, role.script, most)
        events = [
            await self._cut_event(observation, request, event, most)
            if isinstance(event, Announced)
            else event
            for event in observation.events
        ]
        return replace(observation, role=replace(role, script=script), events=tuple(events))

    async def _cut_event(
        self, observation: Observation, request: DecisionRequest, event: Announced, most: int
    ) -> Announced:
        values = [
            (name, await self._cut(observation, request, text, most)) for name, text in event.values
        ]
        return replace(event, values=tuple(values))

    async def _cut(
        self, observation: Observation, request: DecisionRequest, text: str, most: int
    ) -> str:
        """Return the best pieces of `text` in text order, with a mark at each gap."""
        language = observation.language
        if self._count(text) <= most:
            return text
        pieces = split_text(text, _PIECE_TOKENS, self._count, language)
        index = MemoryIndex(self._limits.embedder, self._limits.searches)
        index.add(pieces)
        query = " ".join([prompts.write_demand(observation, request), *observation.victims])
        call_id = CallId(seat=request.seat, request=request.id, chunk="pieces")
        hits = await index.search(query, call_id=call_id)
        gap = find_wording(language)("line.gap")
        sizes = [self._count(piece) + self._count(gap) for piece in pieces]
        wanted = [0, *(hit.index for hit in hits.found), *range(len(pieces))]
        chosen = fill_budget(wanted, sizes, most)
        parts: list[str] = []
        for place, piece in enumerate(pieces):
            if place in chosen:
                parts.append(piece)
            elif not parts or parts[-1] != gap:
                parts.append(gap)
        return join_sentences(parts, language)
