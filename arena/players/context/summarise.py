"""The policy `summarise`: a summary replaces the older half of the log.

The summary costs one more call, or several if the older half does not fit into one. The log starts
again with it and then only grows, until it is too long again. Clues stay whole if they fit. A
script that fills half of a prompt is summarised first, once. Silent probes after the same event
share one summary, because their replies enter no log.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from arena.core.events import PromptAdjusted
from arena.core.quoting import quote
from arena.errors import ContextLengthError
from arena.memory.chunking import chunk_lines, truncate
from arena.models.chat import ChatModel, Message
from arena.players import prompts
from arena.players.context.auxiliary_calls import complete_text, word_limit
from arena.players.context.log_entries import LogEntry, clue_names, picture_names, to_messages
from arena.players.context.overflow import FittedPrompt, OverflowTask, SummaryState, join_base
from arena.players.context.script_summary import ScriptSummarizer
from arena.players.context.split import LogSplit, split_log, summary_messages
from arena.players.wording import find_wording

_LEAST = 64
"""Minimum tokens for the log: a summary and some lines."""
_SHORTEST = 16
_LONGEST = 1024
"""Tokens of a summary, at least and at most."""
_SHARE = 4
"""The summary may take 1 / this part of the room for the log."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Summary:
    text: str
    adjustments: tuple[PromptAdjusted, ...]


class Summarise:
    """Policy that summarises the seat's observation with the seat's own model."""

    def __init__(self, model: ChatModel, script: ScriptSummarizer) -> None:
        self._model, self._script = model, script
        self._off_path: dict[tuple[int, int], FittedPrompt | ContextLengthError] = {}
        self._lock = asyncio.Lock()

    async def fit(self, task: OverflowTask) -> FittedPrompt:
        """Return rules, role, clues, a summary and the newest lines."""
        if task.request.off_path and task.call_id.level == 1:
            fitted = await self._share(task)
            if task.count(fitted.base) <= task.room:
                return fitted
        return await self._fit(task)

    async def _share(self, task: OverflowTask) -> FittedPrompt:
        """Return the prompt that all probes after one event share, with the room of a speech.

        It does not depend on the question of a probe, so it is the same regardless of which probe
        comes first.
        """
        events = len(task.observation.events)
        call_id = replace(task.call_id, request=f"probe/{events}", attempt=1, chunk="")
        instruction = Message(role="user", text="")
        shared = replace(task, call_id=call_id, instruction=instruction, reply=task.usual_reply)
        async with self._lock:
            key = events, task.budget.total
            if key not in self._off_path:
                try:
                    self._off_path[key] = await self._fit(shared)
                except ContextLengthError as error:
                    self._off_path[key] = error
        found = self._off_path[key]
        if isinstance(found, ContextLengthError):
            raise found
        own = tuple(replace(one, request=task.request.id) for one in found.adjustments)
        return replace(found, adjustments=own)

    async def _fit(self, task: OverflowTask) -> FittedPrompt:
        header, script = await self._make_header(task)
        adjustments = task.script_adjustment(script) if script else ()
        whole, task = task, task.without_board(header, _LEAST)
        adjustments = (*adjustments, *whole.board_adjustment(task))
        left = task.log_room(header, _LEAST)
        split = split_log(task, left)
        state = replace(task.state, script=script, covered=split.covered)
        if split.older:
            summary = await self._summarize(task, split, left)
            state = replace(state, text=summary.text)
            adjustments = (*adjustments, *summary.adjustments)
        if split.gone:
            names = picture_names(split.gone)
            adjustments = (*adjustments, task.make_adjustment("pictures_dropped", pictures=names))
        fitted = _cut_to_room(task, header, split, state)
        return replace(fitted, adjustments=(*adjustments, *fitted.adjustments))

    async def _make_header(
        self, task: OverflowTask
    ) -> tuple[tuple[Message, ...], PromptAdjusted | None]:
        """Return rules and role, and how the script was shortened."""
        if not task.script_dominates:
            return task.whole_header(), None
        # Raise before the call if not even the shortest script would fit.
        bare = prompts.header(task.observation, "")
        task.drop_board().log_room(bare, _LEAST + task.script_room())
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


def _cut_to_room(
    task: OverflowTask, header: Sequence[Message], split: LogSplit, state: SummaryState
) -> FittedPrompt:
    """Return a base that fits. The sum of entry sizes may be less than the size of the prompt."""
    before, fitted = split.kept, _make_fitted(task, header, split, state)
    while split.kept and task.count(fitted.base) > task.room:
        split = split.halve()
        fitted = _make_fitted(task, header, split, state)
    gone = before[: len(before) - len(split.kept)]
    adjustments: tuple[PromptAdjusted, ...] = ()
    if gone:
        dropped = task.make_adjustment(
            "log_dropped",
            clues=clue_names(gone),
            pictures=picture_names(gone),
            **_describe_range(task, gone),
        )
        adjustments = (dropped,)
    if state.text and task.count(fitted.base) > task.room:
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
    """Return how many entries these are and of which events, for the record."""
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
