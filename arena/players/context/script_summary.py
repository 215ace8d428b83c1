"""Summary of a private script that is too long, made once per match."""

import asyncio
from dataclasses import replace

from arena.core.events import PromptAdjusted
from arena.core.observation import Observation
from arena.core.quoting import defuse
from arena.memory.chunking import join_sentences, split_text, truncate
from arena.models.chat import CallId, ChatModel, Message
from arena.players.context.auxiliary_calls import complete_text, run_all, word_limit
from arena.players.context.overflow import OverflowTask
from arena.players.wording import find_wording

_PASSES = 3
"""Summaries of summaries, at most."""
_LEAST = 32
"""Tokens of the summary of one piece."""


class ScriptSummarizer:
    """Summarizer of the private script of one seat, with the model of the seat."""

    def __init__(self, model: ChatModel) -> None:
        self._model = model
        self._summaries: dict[int, tuple[str, PromptAdjusted]] = {}
        self._lock = asyncio.Lock()

    async def summarize(self, task: OverflowTask) -> tuple[str, PromptAdjusted]:
        """Return the summary for a budget, and its record; simultaneous requests share one."""
        total = task.budget.total
        async with self._lock:
            if total not in self._summaries:
                self._summaries[total] = await self._make(task)
            text, adjustment = self._summaries[total]
        return text, replace(adjustment, request=task.request.id)

    async def _make(self, task: OverflowTask) -> tuple[str, PromptAdjusted]:
        text, room = task.observation.own.script, task.script_budget()
        count, calls = task.budget.text_tokens, 0
        before = count(text)
        for number in range(1, _PASSES + 1):
            if count(text) <= room:
                break
            text, parts = await self._shorten(task, text, room, number)
            calls += parts
        text = truncate(text, room, count, task.observation.language)
        return text, task.make_adjustment(
            "script_summarised", calls=calls, tokens_before=before, tokens_after=count(text)
        )

    async def _shorten(
        self, task: OverflowTask, text: str, room: int, number: int
    ) -> tuple[str, int]:
        observation, budget = task.observation, task.budget
        language = observation.language
        reply = min(budget.limits.reply_tokens, max(room, _LEAST))
        frame = budget.count((_prompt(observation, "", (1, 1), reply),))
        most = max(_LEAST, budget.max_prompt(reply) - frame - _LEAST)
        found = split_text(text, most, budget.text_tokens, language)
        tokens = max(_LEAST, min(reply, room // max(1, len(found))))
        name = f"script/{budget.total}" if budget.is_observed else "script"
        call_id = CallId(seat=observation.seat, request=name, kind="summary", level=number)
        calls = [
            complete_text(
                self._model,
                replace(call_id, chunk=f"{place}/{len(found)}"),
                _prompt(observation, part, (place, len(found)), tokens),
                tokens,
            )
            for place, part in enumerate(found, start=1)
        ]
        texts = [one.text for one in await run_all(calls)]
        return join_sentences(texts, language), len(found)


def _prompt(observation: Observation, text: str, place: tuple[int, int], tokens: int) -> Message:
    number, count = place
    prompt = find_wording(observation.language)(
        "summary.script",
        seat=observation.seat,
        number=number,
        count=count,
        words=word_limit(tokens, observation.language),
        text=defuse(text),
    )
    return Message(role="user", text=prompt)
