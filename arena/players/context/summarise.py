"""The policy `summarise`: a summary replaces the older half of the log.

The summary costs one more call, or several if the older half does not fit into one. The log starts
from it and then only grows, until it is too long again. Clues stay whole if they fit. A
script that fills half of a prompt is summarised first, once.

Silent probes after the same event share one summary, because their replies enter no log. The steps
of a turn and the request that they prepare share one too.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from arena.core.events import PromptAdjusted
from arena.core.quoting import quote
from arena.errors import ContextLengthError
from arena.memory.chunking import chunk_lines, truncate
from arena.models.chat import CallId, ChatModel, Message
from arena.players import prompts
from arena.players.context.auxiliary_calls import complete_text, word_limit
from arena.players.context.log_entries import LogEntry, clue_names, picture_names, to_messages
from arena.players.context.log_split import LogSplit, split_log, summary_messages
from arena.players.context.overflow import FittedPrompt, OverflowTask, SummaryState, join_base
from arena.players.context.script_summary import ScriptSummarizer
from arena.players.wording import find_wording

_LEAST = 64
"""Minimum tokens for the log: a summary and some lines."""
_SHORTEST = 16
_LONGEST = 1024
"""Tokens of a summary, at least and at most."""
_SHARE = 4
"""The summary takes at most 1 / this share of the room for the log."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Summary:
    text: str
    adjustments: tuple[PromptAdjusted, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _ShortenedLog:
    """A log whose older half is a summary."""

    task: OverflowTask
    header: tuple[Message, ...]
    split: LogSplit
    state: SummaryState
    adjustments: tuple[PromptAdjusted, ...]

    def serves(self, task: OverflowTask) -> bool:
        """Whether `task` can use it: whole, or in part if its prompt enters no log."""
        if not (task.request.off_path or task.is_step):
            whole = _make_fitted(self.task, self.header, self.split, self.state)
            return task.count(whole.base) <= task.max_prompt
        return task.max_prompt - task.count((*self.header, *self.task.tail)) >= _LEAST

    def fit(self, task: OverflowTask) -> FittedPrompt:
        """Return the base of the prompt of `task`, cut to its room."""
        own = replace(
            self.task, request=task.request, instruction=task.instruction, reply=task.reply
        )
        fitted = _cut_to_budget(own, self.header, self.split, self.state)
        adjustments = tuple(replace(one, request=task.request.id) for one in self.adjustments)
        return replace(fitted, adjustments=(*adjustments, *fitted.adjustments))


class Summarise:
    """Policy that summarises the seat's observation with the seat's own model."""

    def __init__(self, model: ChatModel, script: ScriptSummarizer) -> None:
        self._model, self._script = model, script
        self._shared: dict[CallId, _ShortenedLog | ContextLengthError] = {}
        self._lock = asyncio.Lock()

    async def fit(self, task: OverflowTask) -> FittedPrompt:
        """Return rules, role, clues, a summary and the newest lines."""
        shared = await self._share(task)
        if shared is None or not shared.serves(task):
            shared = await self._shorten(task)
        return shared.fit(task)

    async def _share(self, task: OverflowTask) -> _ShortenedLog | None:
        """Return the shortened log that several prompts share; None if there is none.

        Its budget is that of a speech and it does not depend on the question, so it is the same for
        any order of probes and steps. A request makes none: it uses that of its steps.
        """
        call_id = _make_shared_call_id(task)
        instruction = Message(role="user", text="")
        shared = replace(task, call_id=call_id, instruction=instruction, reply=task.usual_reply)
        async with self._lock:
            if call_id not in self._shared:
                if not (task.request.off_path or task.is_step):
                    return None
                try:
                    self._shared[call_id] = await self._shorten(shared)
                except ContextLengthError as error:
                    self._shared[call_id] = error
        found = self._shared[call_id]
        if isinstance(found, ContextLengthError):
            raise found
        return found

    async def _shorten(self, task: OverflowTask) -> _ShortenedLog:
        header, script = await self._make_header(task)
        adjustments = task.script_adjustment(script) if script else ()
        whole, task = task, task.without_board(header, _LEAST)
        adjustments = (*adjustments, *whole.board_adjustment(task))
        left = task.log_budget(header, _LEAST)
        split = split_log(task, left)
        state = replace(task.state, script=script, covered=split.covered)
        if split.older:
            summary = await self._summarize(task, split, left)
            state = replace(state, text=summary.text)
            adjustments = (*adjustments, *summary.adjustments)
        if split.gone:
            names = picture_names(split.gone)
            adjustments = (*adjustments, task.make_adjustment("pictures_dropped", pictures=names))
        return _ShortenedLog(
            task=task, header=header, split=split, state=state, adjustments=adjustments
        )

    async def _make_header(
        self, task: OverflowTask
    ) -> tuple[tuple[Message, ...], PromptAdjusted | None]:
        """Return rules and role, and the record of the shortened script."""
        if not task.script_dominates:
            return task.whole_header(), None
        # Raise before the call if not even the shortest script would fit.
        bare = prompts.header(task.observation, "")
        task.drop_board().log_budget(bare, _LEAST + task.script_budget())
        script, adjustment = await self._script.summarize(task)
        return prompts.header(task.observation, script), adjustment

    async def _summarize(self, task: OverflowTask, split: LogSplit, left: int) -> _Summary:
        budget = task.budget
        free = left - split.size
        free -= sum(budget.message_tokens(one) for one in summary_messages(task, " "))
        most = min(left // _SHARE, free, _LONGEST, budget.limits.reply_tokens)
        if most >= _SHORTEST:
            return await self._call(task, split, most)
        dropped = (task.make_adjustment("log_dropped", **_describe_range(task, split.older)),)
        if task.state.text:
            dropped = (*dropped, task.make_adjustment("summary_dropped"))
        return _Summary(text="", adjustments=dropped)

    async def _call(self, task: OverflowTask, split: LogSplit, tokens: int) -> _Summary:
        budget, language = task.budget, task.observation.language
        lines = [entry.message.text for entry in split.older]
        # Each call repeats the summary so far, which may become as long as the new one may be.
        frame = budget.count((_prompt(task, "", " ", tokens),)) + _LEAST // 2
        frame += max(tokens, budget.text_tokens(task.state.text))
        room = max(_LEAST, budget.max_prompt(tokens) - frame)
        chunks = chunk_lines(lines, room, budget.text_tokens)
        text = task.state.text
        for number, chunk in enumerate(chunks, start=1):
            part = "/".join(filter(None, (task.call_id.chunk, f"{number}/{len(chunks)}")))
            call_id = replace(task.call_id, kind="summary", chunk=part)
            prompt = _prompt(task, chunk, text, tokens)
            reply = await complete_text(self._model, call_id, prompt, tokens)
            text = truncate(quote(reply.text), tokens, budget.text_tokens, language) or text
        # If all replies were empty, the earlier summary remains, and may be too long now.
        text = truncate(text, tokens, budget.text_tokens, language)
        shown = (*split.clues, *split.rest)
        summarised = task.make_adjustment(
            "log_summarised",
            calls=len(chunks),
            tokens_before=sum(budget.text_tokens(line) for line in lines),
            tokens_after=budget.text_tokens(text) if text else 0,
            kept=(*clue_names(shown), *picture_names(shown)),
            **_describe_range(task, split.older),
        )
        return _Summary(text=text, adjustments=(summarised,))


def _make_shared_call_id(task: OverflowTask) -> CallId:
    """Return the id of the summary call that the probes of a moment or steps of a turn share."""
    budget, is_probe = task.budget, task.request.off_path
    parts = (
        "" if is_probe else "steps",
        task.part,
        str(budget.total) if budget.is_observed else "",
    )
    return replace(
        task.call_id,
        request=f"probe/{len(task.observation.events)}" if is_probe else task.request.id,
        attempt=1,
        level=1,
        chunk="/".join(filter(None, parts)),
    )


def _cut_to_budget(
    task: OverflowTask, header: Sequence[Message], split: LogSplit, state: SummaryState
) -> FittedPrompt:
    """Return a base that fits; check it, since entry sizes can add up to less than the prompt."""
    before, fitted = split.remaining, _make_fitted(task, header, split, state)
    while split.remaining and task.count(fitted.base) > task.max_prompt:
        split = split.halve()
        fitted = _make_fitted(task, header, split, state)
    gone = before[: len(before) - len(split.remaining)]
    adjustments: tuple[PromptAdjusted, ...] = ()
    if gone:
        dropped = task.make_adjustment(
            "log_dropped",
            clues=clue_names(gone),
            pictures=picture_names(gone),
            **_describe_range(task, gone),
        )
        adjustments = (dropped,)
    if state.text and task.count(fitted.base) > task.max_prompt:
        fitted = _make_fitted(task, header, split, replace(state, text=""))
        adjustments = (*adjustments, task.make_adjustment("summary_dropped"))
    return replace(fitted, adjustments=adjustments)


def _make_fitted(
    task: OverflowTask, header: Sequence[Message], split: LogSplit, state: SummaryState
) -> FittedPrompt:
    base = join_base(
        header,
        to_messages(split.clues),
        summary_messages(task, state.text),
        to_messages(split.rest),
        task.tail,
    )
    kept = tuple(entry.name for entry in split.clues)
    return FittedPrompt(base=base, adjustments=(), state=replace(state, kept=kept))


def _describe_range(task: OverflowTask, chosen: Sequence[LogEntry]) -> dict[str, int]:
    """Return the number and the event range of `chosen`, for the record."""
    return {
        "lines": len(chosen),
        "total_lines": len(task.entries),
        "first_event": chosen[0].event + 1,
        "last_event": chosen[-1].event + 1,
        "total_events": len(task.observation.events),
    }


def _prompt(task: OverflowTask, text: str, before: str, tokens: int) -> Message:
    observation = task.observation
    say = find_wording(observation.language)
    prompt = say(
        "summary.log",
        seat=observation.seat,
        words=word_limit(tokens, observation.language),
        before=say("summary.before", text=before) if before else "",
        text=text,
    )
    return Message(role="user", text=prompt)
