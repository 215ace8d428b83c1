"""Put items to a model concurrently; the first of each prefix group runs before the others.

The first question of a group fills the server's prefix cache for the others; meanwhile other groups
use the free places.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from arena.errors import UnanswerableError
from arena.models.chat import CallId, ChatModel, ChoiceConstraint, Completion, Message, Request
from eval.questions.answer_options import legal_replies, letters_of
from eval.questions.prefix_groups import PrefixGroup, render_demand, render_question
from eval.questions.quiz_answers import QuizAnswer, make_answer, parse_chosen
from eval.questions.quiz_items import QuizItem
from eval.questions.quiz_settings import QuizSettings
from eval.questions.wording import find_wording

_LETTER_TOKENS: Final = 8
"""Tokens of a reply besides two per letter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuizModel:
    """The model of a quiz, and the limit of its thoughts."""

    chats: Sequence[ChatModel]
    """Its replicas; all questions of a group go to one of them."""
    thought_tokens: int
    cache_salt: str = ""
    """Prompts with different salts share no prefix in the server's cache."""


async def ask_groups(
    sheets: Sequence[PrefixGroup],
    asked: QuizModel,
    settings: QuizSettings,
    take: Callable[[QuizAnswer], None],
    *,
    at_once: int,
) -> None:
    """Put all questions, at most `at_once` concurrently; `take` receives each answer.

    Raises the `ModelError` of a failed server; a question that cannot be sent gives an answer with
    a fault.
    """
    queue = _Queue(sheets)

    async def work() -> None:
        while True:
            number, place = await queue.get()
            sheet, chat = sheets[number], asked.chats[number % len(asked.chats)]
            take(await ask_item(sheet.prefix, sheet.items[place], chat, asked, settings))
            queue.finish(number, place)

    try:
        async with asyncio.TaskGroup() as group:
            workers = [group.create_task(work()) for _ in range(at_once)]
            await queue.join()
            for worker in workers:
                worker.cancel()
    except ExceptionGroup as failed:
        raise failed.exceptions[0] from failed


class _Queue:
    """A queue of questions: of the earliest group with an answered first question, or new."""

    def __init__(self, sheets: Sequence[PrefixGroup]) -> None:
        self._sheets = sheets
        self._waiting: asyncio.PriorityQueue[tuple[int, int]] = asyncio.PriorityQueue()
        for number, sheet in enumerate(sheets):
            if sheet.items:
                self._waiting.put_nowait((number, 0))

    async def get(self) -> tuple[int, int]:
        """Wait for the next question; return the numbers of its group and item."""
        return await self._waiting.get()

    def finish(self, number: int, place: int) -> None:
        """Record an answer; the answer to a group's first question releases the others."""
        if place == 0:
            for following in range(1, len(self._sheets[number].items)):
                self._waiting.put_nowait((number, following))
        self._waiting.task_done()

    async def join(self) -> None:
        """Wait until every question is answered."""
        await self._waiting.join()


async def ask_item(
    prefix: tuple[Message, ...],
    item: QuizItem,
    chat: ChatModel,
    asked: QuizModel,
    settings: QuizSettings,
) -> QuizAnswer:
    """Put one question and return its graded answer."""
    say = find_wording(item.script.language)
    question, demand = render_question(item), render_demand(item)
    calls: list[Completion] = []
    try:
        if settings.mode == "cot":
            thinking = Message(role="user", text=f"{question}\n\n{say('cot.thought')}")
            messages = (*prefix, thinking)
            thought = await chat.complete(
                _request(item, messages, asked, settings, is_thought=True)
            )
            calls.append(thought)
            own = Message(role="assistant", text=thought.text, ids=thought.ids)
            messages = (*messages, own, Message(role="user", text=f"{say('cot.now')} {demand}"))
        else:
            messages = (*prefix, Message(role="user", text=f"{question}\n{demand}"))
        reply = await chat.complete(_request(item, messages, asked, settings))
        calls.append(reply)
    except UnanswerableError as error:
        return make_answer(item, None, fault=str(error), **_sum_usage(calls))
    return make_answer(
        item,
        parse_chosen(item, reply.text),
        text=reply.text,
        thought="" if len(calls) == 1 else calls[0].text,
        probabilities=_by_option(item, reply),
        **_sum_usage(calls),
    )


def _request(
    item: QuizItem,
    messages: tuple[Message, ...],
    asked: QuizModel,
    settings: QuizSettings,
    *,
    is_thought: bool = False,
) -> Request:
    legal = legal_replies(letters_of(len(item.shown)), item.question.answer)
    return Request(
        call_id=CallId(
            seat=item.reader, request=item.id, kind="thought" if is_thought else "reply"
        ),
        messages=messages,
        max_tokens=asked.thought_tokens if is_thought else _LETTER_TOKENS + 2 * len(item.shown),
        temperature=settings.temperature,
        constraint=ChoiceConstraint(options=legal) if legal and not is_thought else None,
        cache_salt=asked.cache_salt,
    )


def _by_option(item: QuizItem, reply: Completion) -> tuple[tuple[int, float], ...]:
    """Return the probability of each option, if the reply has letter probabilities."""
    letters = letters_of(len(item.shown))
    return tuple(
        (item.shown[letters.index(letter)], weight)
        for letter, weight in reply.probabilities
        if len(letter) == 1
    )


def _sum_usage(calls: Sequence[Completion]) -> dict[str, object]:
    """Return the tokens and seconds of the calls of one question."""
    cached = [one.cached_tokens for one in calls]
    return {
        "prompt_tokens": sum(one.prompt_tokens for one in calls),
        "cached_tokens": None if None in cached else sum(one or 0 for one in cached),
        "output_tokens": sum(one.output_tokens for one in calls),
        "seconds": sum(one.seconds for one in calls),
    }
