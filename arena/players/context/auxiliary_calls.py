"""Calls beside the game's asks: a picture that is read, a text that is made shorter.

Both see the seat's own view alone. What comes back is the seat's own memory; it holds the words
of others, so it stands in prompts as they do: quoted.
"""

import asyncio
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass
from typing import TypeVar

from arena.errors import ArenaError
from arena.models.chat import CallId, ChatModel, Message, Request
from arena.players.parsing import unthought
from arena.players.retrieval import sentences
from scripts_mm.script import Language

T = TypeVar("T")
_WORDS_A_TOKEN: dict[Language, float] = {"en": 0.6, "zh": 0.7}
"""English words or Chinese characters; low, so that a reply ends before its tokens do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What a model said to one message."""

    text: str
    cut: bool
    """Whether its tokens ended before it did; the text then ends with a whole sentence."""


async def said(model: ChatModel, label: CallId, message: Message, tokens: int) -> Said:
    """Return what the model says to one message, at most `tokens` tokens of it, at temperature 0.

    A reply that was cut off ends with its last whole sentence.
    """
    request = Request(call_id=label, messages=(message,), max_tokens=tokens, temperature=0.0)
    completion = await model.complete(request)
    text = (unthought(completion.text) or "").strip()
    cut = completion.finish != "stop"
    return Said(text=_whole(text) if cut else text, cut=cut)


async def together(calls: Sequence[Coroutine[None, None, T]]) -> list[T]:
    """Return what several calls come to; the first error is raised once all have ended."""
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(_caught(call)) for call in calls]
    found: list[T] = []
    for came in [task.result() for task in tasks]:
        if isinstance(came, ArenaError):
            raise came
        found.append(came)
    return found


def most_words(tokens: int, language: Language) -> int:
    """Return how many words (Chinese: characters) to ask for, where `tokens` tokens are left."""
    return max(10, int(tokens * _WORDS_A_TOKEN[language]) // 10 * 10)


async def _caught(call: Coroutine[None, None, T]) -> T | ArenaError:
    # A group would raise its own kind of error, and stop calls that are paid for already.
    try:
        return await call
    except ArenaError as error:
        return error


def _whole(text: str) -> str:
    units = sentences(text)
    if len(units) < 2:  # noqa: PLR2004 - one sentence, whole or not, is better than none
        return text
    return text[: text.rindex(units[-1])].strip()
