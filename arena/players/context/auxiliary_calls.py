"""Auxiliary model calls, which answer no request: read a picture, shorten a text.

Both see only the observation of the seat. The reply is the seat's own memory. It contains words of
others, so prompts quote it as they quote those.
"""

import asyncio
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass
from typing import TypeVar

from arena.errors import ArenaError
from arena.memory.lexical import split_sentences
from arena.models.chat import CallId, ChatModel, Message, Request
from arena.players.replies.reply_text import strip_thinking
from scripts_mm.script import Language

T = TypeVar("T")
_WORDS_PER_TOKEN: dict[Language, float] = {"en": 0.6, "zh": 0.7}
"""English words or Chinese characters; low, so that a reply ends before its token limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuxReply:
    """A model's reply to one message."""

    text: str
    truncated: bool
    """Whether the token limit cut it; the text then ends with its last whole sentence."""


async def complete_text(
    model: ChatModel, call_id: CallId, message: Message, tokens: int
) -> AuxReply:
    """Return the model's reply to one message, at most `tokens` tokens, at temperature 0."""
    request = Request(call_id=call_id, messages=(message,), max_tokens=tokens, temperature=0.0)
    completion = await model.complete(request)
    text = (strip_thinking(completion.text) or "").strip()
    truncated = completion.finish != "stop"
    return AuxReply(text=_drop_partial_sentence(text) if truncated else text, truncated=truncated)


async def run_all(calls: Sequence[Coroutine[None, None, T]]) -> list[T]:
    """Return the results of several calls; raise the first error after all have ended."""
    if not calls:
        return []
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(_catch(call)) for call in calls]
    found: list[T] = []
    for result in [task.result() for task in tasks]:
        if isinstance(result, ArenaError):
            raise result
        found.append(result)
    return found


def word_limit(tokens: int, language: Language) -> int:
    """Return the words (Chinese: characters) to request for a limit of `tokens` tokens."""
    return max(10, int(tokens * _WORDS_PER_TOKEN[language]) // 10 * 10)


async def _catch(call: Coroutine[None, None, T]) -> T | ArenaError:
    # A `TaskGroup` would raise an `ExceptionGroup`, and cancel calls that already cost GPU time.
    try:
        return await call
    except ArenaError as error:
        return error


def _drop_partial_sentence(text: str) -> str:
    units = split_sentences(text)
    if len(units) < 2:  # noqa: PLR2004 - one sentence, whole or not, is better than none
        return text
    return text[: text.rindex(units[-1])].strip()
