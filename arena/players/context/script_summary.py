"""A private script that is too long, as a summary: made once for a match."""

import asyncio
from dataclasses import replace

from arena.core.views import View
from arena.models.chat import CallId, ChatModel, Message
from arena.players.fitting.aside import most_words, said, together
from arena.players.fitting.case import Case
from arena.players.fitting.stretches import clipped, gathered, pieces
from arena.players.wording import defused, wording

_PASSES = 3
"""Summaries of summaries, at most."""
_LEAST = 32
"""Tokens of the summary of one stretch."""


def calls(count: int) -> str:
    """Return how many calls a summary took, in words."""
    return f"{count} call{'s' if count > 1 else ''}"


class ScriptSummary:
    """The private script of one seat, shortened by its own model."""

    def __init__(self, model: ChatModel) -> None:
        self._model = model
        self._made: dict[int, tuple[str, str]] = {}
        self._making = asyncio.Lock()

    async def of(self, case: Case) -> tuple[str, str]:
        """Return the summary that a budget wants, and a note of it; asks of one wave make one."""
        total = case.budget.total
        async with self._making:
            if total not in self._made:
                self._made[total] = await self._make(case)
            return self._made[total]

    async def _make(self, case: Case) -> tuple[str, str]:
        text, share = case.view.script, case.share()
        words, parts = case.budget.words, 0
        before = words(text)
        for number in range(1, _PASSES + 1):
            if words(text) <= share:
                break
            text, count = await self._pass(case, text, share, number)
            parts += count
        text = clipped(text, share, words, case.view.language)
        note = (
            f"context overflow: summarised the script in {calls(parts)} "
            f"({before} -> {words(text)} tokens)"
        )
        return text, note

    async def _pass(self, case: Case, text: str, share: int, number: int) -> tuple[str, int]:
        view, budget = case.view, case.budget
        reply = min(budget.means.reply_tokens, max(share, _LEAST))
        frame = budget.count((_asked(view, "", (1, 1), reply),))
        room = max(_LEAST, budget.room(reply) - frame - _LEAST)
        found = pieces(text, room, budget.words, view.language)
        tokens = max(_LEAST, min(reply, share // max(1, len(found))))
        tight = f"script/{budget.total}" if budget.tight else "script"
        label = CallId(seat=view.seat, request=tight, kind="summary", level=number)
        asked = [
            said(
                self._model,
                replace(label, chunk=f"{place}/{len(found)}"),
                _asked(view, part, (place, len(found)), tokens),
                tokens,
            )
            for place, part in enumerate(found, start=1)
        ]
        texts = [one.text for one in await together(asked)]
        return gathered(texts, view.language), len(found)


def _asked(view: View, text: str, place: tuple[int, int], tokens: int) -> Message:
    number, count = place
    told = wording(view.language)(
        "summary.script",
        seat=view.seat,
        number=number,
        count=count,
        words=most_words(tokens, view.language),
        text=defused(text),
    )
    return Message(role="user", text=told)
