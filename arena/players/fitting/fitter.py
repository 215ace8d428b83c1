"""From a view and an ask to a prompt that fits: pictures as wanted, and a log as long as may be."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from arena.core.actions import Ask
from arena.core.views import View
from arena.models.chat import ChatModel, Label, Message
from arena.players import prompts
from arena.players.fitting.budget import ENDLESS, Budget, budget_of
from arena.players.fitting.case import Case, Fitted, Policy
from arena.players.fitting.drop_oldest import DropOldest
from arena.players.fitting.pictures import MOST_ON_BOARD, Gallery, name, newest, places
from arena.players.fitting.retrieve import Retrieve
from arena.players.fitting.scripts import ScriptSummary
from arena.players.fitting.summarise import Summarise
from arena.players.fitting.units import units
from arena.players.means import Means, Overflow
from arena.players.prompt_log import Prompt, PromptLog, Told
from arena.players.prompts import Show
from arena.players.wording import wording

TRIES: Final = 5
"""How often a prompt that the server refuses is made shorter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What an ask puts to the seat, and how many tokens its replies may take."""

    action: str
    reply: int
    usual_reply: int
    """Of a speech."""
    level: int = 0
    """The level of the prompt that is wanted; 0: the log may go on."""
    refused: int = 0
    """Tokens of the first prompt that the server refused, and of its reply."""
    refusals: int = 0
    """How often the server refused what was made for the ask."""


class Fitter:
    """The prompts of one seat in one match."""

    def __init__(self, model: ChatModel, means: Means) -> None:
        self._budget = budget_of(means)
        self._log = PromptLog()
        self._gallery = Gallery(model, means.picture_mode, self._budget)
        self._policy = _policies(model)[means.overflow or "drop_oldest"]

    async def compose(self, view: View, ask: Ask, wanted: Wanted) -> Prompt:
        """Return a prompt that fits, as far as can be counted.

        Raises `ModelError` where rules and role alone are too long, and what the calls raise by
        which pictures are read and texts are summarised.
        """
        show = await self._gallery.show(view)
        told = self._log.told(view, ask)
        budget = self._tightened(told, wanted)
        prompt = self._grown(view, ask, wanted, told, show)
        goes_on = wanted.level == 0 and told.lasting
        if goes_on and self._fits(prompt, budget, wanted):
            return prompt
        label = self.label(view, prompt)
        case = Case(
            view=view,
            ask=ask,
            label=replace(label, level=max(1, wanted.level)),
            units=units(view, show, self._pictures),
            tail=self._gallery.board(view),
            action=prompt.action,
            budget=budget,
            reply=wanted.reply,
            usual_reply=wanted.usual_reply,
            memory=told.memory,
        )
        return _anew(prompt, case, await self._policy.fit(case))

    def keep(self, prompt: Prompt, exchange: tuple[Message, ...]) -> None:
        """Add an answered ask to the log."""
        self._log.keep(prompt, exchange)

    def length(self, prompt: Prompt) -> int:
        """Return the tokens of a prompt."""
        return self._budget.count(prompt.messages)

    @staticmethod
    def label(view: View, prompt: Prompt) -> Label:
        """Return how the calls of a prompt are named."""
        return Label(seat=view.seat, ask=prompt.ask, attempt=prompt.attempt, level=prompt.level)

    @property
    def _pictures(self) -> int | None:
        """How many pictures a prompt may hold; one at least, else none of a clue were seen."""
        means = self._budget.means
        return None if means.pictures is None else max(1, means.pictures)

    def _tightened(self, told: Told, wanted: Wanted) -> Budget:
        """Return the budget of an ask, with what refusals have taught of the server."""
        budget = self._budget
        if told.total:
            budget = replace(budget, total=min(budget.total, told.total), tight=True)
        if not wanted.refusals:
            return budget
        return budget.tighter(wanted.refused or ENDLESS, wanted.refusals)

    def _fits(self, prompt: Prompt, budget: Budget, wanted: Wanted) -> bool:
        if budget.total >= ENDLESS:
            return True
        return budget.count(prompt.messages) <= budget.room(wanted.reply)

    def _grown(self, view: View, ask: Ask, wanted: Wanted, told: Told, show: Show) -> Prompt:
        """Return the prompt with which the log goes on; pictures beyond the limit are taken out."""
        heard = len(view.heard)
        delta = prompts.lines(view, told.events, heard, show)
        board = self._gallery.board(view) if _new_pictures(view, told.events) else ()
        prompt = Prompt(
            heard=heard,
            ask=ask.id,
            attempt=view.options.tries - ask.tries + 1,
            base=told.messages,
            delta=(*delta, *board),
            action=Message(role="user", text=wanted.action),
            notes=self._notes(view, told.events, board),
        )
        most = 1 if board else self._pictures
        return prompt if most is None else _thinned(view, prompt, most, board=bool(board))

    def _notes(self, view: View, start: int, board: Sequence[Message]) -> tuple[str, ...]:
        """Return what the record is told of the pictures that were revealed since `start`."""
        new = _new_pictures(view, start)
        if self._budget.means.picture_mode == "notes" and new:
            return (f"pictures: read for notes: {', '.join(new)}",)
        if board:
            names = [name(place) for place in places(view)]
            shown, gone = names[-MOST_ON_BOARD:], names[:-MOST_ON_BOARD]
            note = f"pictures: composed into one board: {', '.join(shown)}"
            return (f"{note}; no longer shown: {', '.join(gone)}" if gone else note,)
        return ()


def _thinned(view: View, prompt: Prompt, most: int, *, board: bool) -> Prompt:
    """Return a prompt with its newest pictures; the log starts anew where any is taken out."""
    told = (*prompt.base, *prompt.delta)
    kept, gone = newest(wording(view.language), told, most)
    if not gone:
        return prompt
    known = {place[0].pictures[place[1] - 1].sha256: name(place) for place in places(view)}
    names = ", ".join(known.get(picture.sha256, "?") for picture in gone)
    note = f"pictures: {most} at most in a prompt: no longer shown: {names}"
    notes = prompt.notes if board else (*prompt.notes, note)
    return replace(prompt, level=1, base=kept, delta=(), notes=notes)


def _anew(prompt: Prompt, case: Case, fitted: Fitted) -> Prompt:
    before, after = case.budget.count(prompt.messages), case.count(fitted.base)
    # What a seat was asked, and what it thought, is in no log that is told anew.
    told = fitted.notes or ("context overflow: left out earlier questions and thoughts",)
    sizes = f"prompt {before} -> {after} of {case.room} tokens"
    return replace(
        prompt,
        level=case.label.level,
        base=fitted.base,
        delta=(),
        notes=(*prompt.notes, *told[:-1], f"{told[-1]}; {sizes}"),
        memory=fitted.memory,
        lasting=fitted.lasting,
        total=case.budget.total if case.budget.tight else 0,
    )


def _new_pictures(view: View, start: int) -> list[str]:
    """Return the names of the pictures that were revealed from event `start` on."""
    seen = {event.clue for event in view.heard[:start] if event.kind == "revealed"}
    return [name(place) for place in places(view) if place[0].id not in seen]


def _policies(model: ChatModel) -> Mapping[Overflow, Policy]:
    return {
        "drop_oldest": DropOldest(),
        "summarise": Summarise(model, ScriptSummary(model)),
        "retrieve": Retrieve(),
    }
