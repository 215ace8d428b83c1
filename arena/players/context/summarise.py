"""The policy `summarise`: the older half of the log becomes a summary (PLAYERS 1.2).

The summary is made by one more call, or by a few where the older half does not fit into one, and
stays for the rest of the match: the log begins anew with it and then only grows, until it is too
long again. Clues stay as they are where they fit. A script that fills half of a prompt is
summarised first, once. Probes of one moment, which no log holds, share one summary.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from arena.errors import ContextError
from arena.models.chat import ChatModel, Message
from arena.players import prompts
from arena.players.fitting.aside import most_words, said
from arena.players.fitting.case import Case, Fitted, Memory
from arena.players.fitting.scripts import ScriptSummary, calls
from arena.players.fitting.stretches import clipped, stretches
from arena.players.fitting.units import Unit, named, span, told
from arena.players.wording import quoted, wording

_LEAST = 64
"""Tokens of a log that can be summarised and go on."""
_SHORTEST = 16
_MOST = 1024
"""Tokens of a summary, at least and at most."""
_SUMMARY, _CLUES, _TALK, _PICTURES = 4, 4, 3, 3
"""Of what is left for the log, one part in so many may be summary, older clues, newest talk or
pictures; the rest is free at first, so that the log can grow again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Split:
    """A log in two: what is still told, and what only the summary tells."""

    clues: tuple[Unit, ...]
    """Older ones that stay as they are."""
    rest: tuple[Unit, ...]
    """The newest lines, which stay as they are."""
    older: tuple[Unit, ...]
    gone: tuple[Unit, ...]
    """Pictures that no summary can tell."""
    covered: int
    size: int
    """Tokens of all that is still told."""

    @property
    def kept(self) -> int:
        """How many units are still told."""
        return len(self.clues) + len(self.rest)

    def shorter(self) -> "_Split":
        """Return the split without the older half of what is still told."""
        gone = -(-self.kept // 2)
        rest = self.rest[max(0, gone - len(self.clues)) :]
        return replace(self, clues=self.clues[gone:], rest=rest)


class Summarise:
    """Summarises by the seat's own model, from the seat's own view."""

    def __init__(self, model: ChatModel, script: ScriptSummary) -> None:
        self._model, self._script = model, script
        self._probed: dict[tuple[int, int], Fitted | ContextError] = {}
        self._probing = asyncio.Lock()

    async def fit(self, case: Case) -> Fitted:
        """Return rules, role, clues, a summary and the newest lines."""
        if case.ask.phase == "probe" and case.label.level == 1:
            fitted = await self._of_a_moment(case)
            if case.count(fitted.base) <= case.room:
                return fitted
        return await self._fit(case)

    async def _of_a_moment(self, case: Case) -> Fitted:
        """Return what all probes of a moment share: made with the room of a speech, once.

        It depends on no probe's question, so that it is the same whichever comes first.
        """
        heard = len(case.view.heard)
        label = replace(case.label, request=f"probe/{heard}", attempt=1)
        action = Message(role="user", text="")
        shared = replace(case, label=label, action=action, reply=case.usual_reply)
        async with self._probing:
            key = heard, case.budget.total
            if key not in self._probed:
                try:
                    self._probed[key] = await self._fit(shared)
                except ContextError as error:
                    self._probed[key] = error
        came = self._probed[key]
        if isinstance(came, ContextError):
            raise came
        return came

    async def _fit(self, case: Case) -> Fitted:
        header, script = await self._header(case)
        notes = case.news(script) if script else ()
        whole, case = case, case.without_board(header, _LEAST)
        notes = (*notes, *whole.lost(case))
        left = case.left(header, _LEAST)
        split = _split(case, left)
        memory = replace(case.memory, script=script, covered=split.covered)
        if split.older:
            text, note = await self._summary(case, split, left)
            memory, notes = replace(memory, text=text), (*notes, note)
        if split.gone:
            notes = (*notes, f"context overflow: left out pictures {named(split.gone)}")
        fitted, kept = _fitted(case, header, split, memory), (*split.clues, *split.rest)
        while split.kept and case.count(fitted.base) > case.room:
            # Sizes that were added up may be less than what the whole takes.
            split = split.shorter()
            fitted = _fitted(case, header, split, memory)
        gone = [unit for unit in kept if unit not in {*split.clues, *split.rest}]
        if gone:
            names = f", of them {named(gone)}" if named(gone) else ""
            notes = (*notes, f"context overflow: left out {len(gone)} lines more{names}")
        if memory.text and case.count(fitted.base) > case.room:
            fitted = _fitted(case, header, split, replace(memory, text=""))
            notes = (*notes, "context overflow: left out what was remembered")
        return replace(fitted, notes=notes)

    async def _header(self, case: Case) -> tuple[tuple[Message, ...], str]:
        """Return rules and role, and the note of a script that was shortened."""
        if not case.heavy:
            return case.whole_header(), ""
        # Where not even a short script fits, no call is made.
        bare = prompts.header(case.view, "")
        case.boardless().left(bare, _LEAST + case.share())
        script, note = await self._script.of(case)
        return prompts.header(case.view, script), note

    async def _summary(self, case: Case, split: _Split, left: int) -> tuple[str, str]:
        view, budget = case.view, case.budget
        free = left - split.size - sum(budget.adds(one) for one in _remembered(case, " "))
        most = min(left // _SUMMARY, free, _MOST, budget.means.reply_tokens)
        if most < _SHORTEST:
            gone = span(split.older, len(view.heard))
            gone += " and what was remembered" if case.memory.text else ""
            return "", f"context overflow: left out {gone}: no room for a summary"
        return await self._made(case, split, most)

    async def _made(self, case: Case, split: _Split, tokens: int) -> tuple[str, str]:
        view, budget = case.view, case.budget
        lines = [unit.message.text for unit in split.older]
        # What is remembered already may be as long as what will be.
        frame = budget.count((_asked(case, "", " ", tokens),)) + _LEAST // 2
        frame += max(tokens, budget.words(case.memory.text))
        room = max(_LEAST, budget.room(tokens) - frame)
        found = stretches(lines, room, budget.words)
        text = case.memory.text
        for number, part in enumerate(found, start=1):
            label = replace(case.label, kind="summary", chunk=f"{number}/{len(found)}")
            came = await said(self._model, label, _asked(case, part, text, tokens), tokens)
            text = clipped(quoted(came.text), tokens, budget.words, view.language) or text
        # What was remembered before may be longer than there is room for now.
        text = clipped(text, tokens, budget.words, view.language)
        before = sum(budget.words(line) for line in lines)
        note = (
            f"context overflow: summarised {span(split.older, len(view.heard))} in "
            f"{calls(len(found))} ({before} -> {budget.words(text) if text else 0} tokens)"
        )
        kept = named([*split.clues, *split.rest])
        return text, f"{note}; as they were: {kept}" if kept else note


def _split(case: Case, left: int) -> _Split:
    """Return what is summarised: at least the older half, in tokens, of what stands in the log."""
    memory, adds = case.memory, case.budget.adds
    found = [u for u in case.units if u.event >= memory.covered or u.name in memory.kept]
    sizes = {id(unit): adds(unit.message) for unit in found}
    remembered = sum(adds(message) for message in _remembered(case, memory.text))
    if sum(sizes.values()) + remembered <= left - left // (_SUMMARY + 1):
        cut, shown, clues = sum(u.event < memory.covered for u in found), found, found
    else:
        shown = _pictures(found, sizes, left)
        left -= sum(sizes[id(unit)] for unit in shown)
        lines = [unit for unit in found if unit.message.picture is None]
        total = sum(sizes[id(unit)] for unit in lines)
        cut = _cut(found, sizes, min(total // 2, left // _TALK))
        clues = _clues(found[:cut], sizes, left // _CLUES)
    kept = {
        id(unit) for unit in (*shown, *clues, *(u for u in found[cut:] if not u.message.picture))
    }
    lost = [unit for unit in found if id(unit) not in kept and unit.kind != "placed"]
    rest = found[cut:]
    return _Split(
        clues=tuple(unit for unit in found[:cut] if id(unit) in kept),
        rest=tuple(unit for unit in rest if id(unit) in kept),
        older=tuple(unit for unit in lost if unit.message.picture is None),
        gone=tuple(unit for unit in lost if unit.message.picture is not None),
        covered=rest[0].event if rest else len(case.view.heard),
        size=sum(sizes[one] for one in kept),
    )


def _fitted(case: Case, header: Sequence[Message], split: _Split, memory: Memory) -> Fitted:
    base = (
        *header,
        *told(split.clues),
        *_remembered(case, memory.text),
        *told(split.rest),
        *case.tail,
    )
    kept = tuple(unit.name for unit in split.clues)
    return Fitted(base=base, notes=(), memory=replace(memory, kept=kept))


def _pictures(found: Sequence[Unit], sizes: dict[int, int], left: int) -> list[Unit]:
    """Return the newest pictures that stay: one if it can, more if they take but a part."""
    kept: list[Unit] = []
    tokens = 0
    for unit in reversed(found):
        if unit.message.picture is None:
            continue
        tokens += sizes[id(unit)]
        if tokens > (left // _PICTURES if kept else left // 2):
            break
        kept.append(unit)
    return kept


def _cut(found: Sequence[Unit], sizes: dict[int, int], most: int) -> int:
    """Return from where on what was heard stays as it is: whole events, `most` tokens of them.

    Pictures are not counted.
    """
    cut, tokens = len(found), 0
    for place in range(len(found) - 1, -1, -1):
        tokens += 0 if found[place].message.picture else sizes[id(found[place])]
        if tokens > most:
            break
        if place == 0 or found[place - 1].event != found[place].event:
            cut = place
    return cut


def _clues(older: Sequence[Unit], sizes: dict[int, int], most: int) -> list[Unit]:
    """Return the newest of the older clues and notes of pictures, `most` tokens of them."""
    kept: list[Unit] = []
    for unit in reversed(older):
        told = unit.kind in {"clue", "picture"} and unit.message.picture is None
        if told and sizes[id(unit)] <= most:
            most -= sizes[id(unit)]
            kept.append(unit)
    return kept


def _remembered(case: Case, text: str) -> tuple[Message, ...]:
    if not text:
        return ()
    told = wording(case.view.language)("log.remembered", text=text)
    return (Message(role="user", text=told),)


def _asked(case: Case, text: str, before: str, tokens: int) -> Message:
    say, language = wording(case.view.language), case.view.language
    told = say(
        "summary.log",
        seat=case.view.seat,
        words=most_words(tokens, language),
        before=say("summary.before", text=before) if before else "",
        text=text,
    )
    return Message(role="user", text=told)
