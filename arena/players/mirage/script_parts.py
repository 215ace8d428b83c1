"""Summary of a private script by its parts, made once, before the seat's first answer."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from arena.core.events import PromptAdjusted
from arena.core.observation import Observation
from arena.core.option_labels import PART_LABELS
from arena.core.quoting import defuse
from arena.core.requests import DecisionRequest
from arena.games.wording import Wording
from arena.memory.chunking import join_sentences, split_text
from arena.models.chat import CallId, ChatModel, Message
from arena.players.context.auxiliary_calls import complete_text, run_all, word_limit
from arena.players.context.token_budget import make_budget
from arena.players.model_limits import ModelLimits

LEAST_TOKENS: Final = 500
"""Shorter parts are not summarised."""
SLICE_TOKENS: Final = 4000
"""Longer parts are summarised in slices."""
SUMMARY_TOKENS: Final = 500
"""Tokens of one slice's summary, at most."""
_CALLS: Final = "script/parts"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Slice:
    """A piece of one part."""

    heading: str
    text: str
    number: int
    count: int


class ScriptParts:
    """Summaries of the parts of a script; all requests of a seat share them."""

    def __init__(self, model: ChatModel, limits: ModelLimits, limit: int) -> None:
        """Summarise with `model` a script of more than twice `limit` tokens."""
        self._model, self._limit = model, limit
        self._reply = min(SUMMARY_TOKENS, limits.reply_tokens)
        self._count = make_budget(limits).text_tokens
        self._lock = asyncio.Lock()
        self._made: tuple[str, PromptAdjusted | None] | None = None

    async def shorten(
        self, say: Wording, observation: Observation, request: DecisionRequest
    ) -> tuple[Observation, tuple[PromptAdjusted, ...]]:
        """Return the observation with the summary; only the request that makes it gets a record."""
        async with self._lock:
            if self._made is None:
                self._made = await self._make(say, observation, request)
        text, adjustment = self._made
        seen = replace(observation, role=replace(observation.own, script=text))
        is_first = adjustment is not None and adjustment.request == request.id
        return seen, (adjustment,) if adjustment is not None and is_first else ()

    async def _make(
        self, say: Wording, observation: Observation, request: DecisionRequest
    ) -> tuple[str, PromptAdjusted | None]:
        script = observation.own.script
        before = self._count(script)
        if before <= 2 * self._limit:
            return script, None
        parts = list(_split_parts(script, observation))
        slices = [piece for heading, text in parts for piece in self._slice(heading, text)]
        found = await run_all([self._shorten(say, observation, one) for one in slices])
        short = dict(zip(((one.heading, one.number) for one in slices), found, strict=True))
        texts = [
            _with_heading(heading, self._join(heading, text, short, observation))
            for heading, text in parts
        ]
        whole = "\n\n".join(texts)
        adjustment = PromptAdjusted(
            seat=request.seat,
            request=request.id,
            adjustment="script_summarised",
            calls=len(slices),
            tokens_before=before,
            tokens_after=self._count(whole),
        )
        return whole, adjustment

    def _slice(self, heading: str, text: str) -> Iterator[_Slice]:
        if self._count(text) <= LEAST_TOKENS:
            return
        pieces = split_text(text, SLICE_TOKENS, self._count, "en")
        for number, piece in enumerate(pieces, start=1):
            yield _Slice(heading=heading, text=piece, number=number, count=len(pieces))

    def _join(
        self, heading: str, text: str, short: dict[tuple[str, int], str], observation: Observation
    ) -> str:
        """Return a part's summaries; a part without one stays unchanged."""
        found = [said for (name, _), said in short.items() if name == heading]
        return join_sentences(found, observation.language) or text

    async def _shorten(self, say: Wording, observation: Observation, piece: _Slice) -> str:
        message = say(
            "part.script",
            seat=observation.seat,
            part=piece.heading or say("part.whole"),
            number=piece.number,
            count=piece.count,
            words=word_limit(self._reply, observation.language),
            text=defuse(piece.text),
        )
        call_id = CallId(
            seat=observation.seat,
            request=_CALLS,
            kind="summary",
            chunk=f"{piece.heading}/{piece.number}/{piece.count}",
        )
        prompt = Message(role="user", text=message)
        reply = await complete_text(self._model, call_id, prompt, self._reply)
        return reply.text or piece.text


def _split_parts(script: str, observation: Observation) -> Iterator[tuple[str, str]]:
    """Yield heading and text of each part; text without a heading is a separate part."""
    labels = set(PART_LABELS[observation.language].values())
    heading, lines = "", list[str]()
    for line in script.splitlines():
        name = line.strip().rstrip(":：")
        if name in labels:
            yield heading, "\n".join(lines).strip()
            heading, lines = name, []
        else:
            lines.append(line)
    yield heading, "\n".join(lines).strip()


def _with_heading(heading: str, text: str) -> str:
    return f"{heading}:\n{text}" if heading else text
