"""From a view and an ask to a prompt that fits: pictures as wanted, and a log as long as may be."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from arena.core.actions import Ask
from arena.core.views import View
from arena.models.chat import CallId, ChatModel, Message
from arena.players import prompts
from arena.players.fitting.budget import ENDLESS, Budget, budget_of
from arena.players.fitting.case import Case, Fitted, Policy
from arena.players.fitting.drop_oldest import DropOldest
from arena.players.fitting.pictures import Exhibits, Gallery, beyond, name, unpictured
from arena.players.fitting.retrieve import Retrieve
from arena.players.fitting.scripts import ScriptSummary
from arena.players.fitting.summarise import Summarise
from arena.players.fitting.units import units
from arena.players.means import Means, Overflow
from arena.players.prompt_log import Prompt, PromptLog, Told
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
        told = self._log.told(view, ask)
        exhibits = await self._gallery.exhibit(view, told.asked)
        budget = self._tightened(told, wanted)
        prompt = self._grown(view, ask, wanted, told, exhibits)
        goes_on = wanted.level == 0 and told.lasting
        if goes_on and self._fits(prompt, budget, wanted):
            return prompt
        label = self.label(view, prompt)
        case = Case(
            view=view,
            ask=ask,
            label=replace(label, level=max(1, wanted.level)),
            units=units(
                view, exhibits.show, self._gallery.limit, [name(one) for one in exhibits.board]
            ),
            tail=self._gallery.board(view, exhibits),
            board=tuple(map(name, exhibits.board)),
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
    def label(view: View, prompt: Prompt) -> CallId:
        """Return how the calls of a prompt are named."""
        return CallId(
            seat=view.seat, request=prompt.ask, attempt=prompt.attempt, level=prompt.level
        )

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

    def _grown(
        self, view: View, ask: Ask, wanted: Wanted, told: Told, exhibits: Exhibits
    ) -> Prompt:
        """Return the prompt with which the log goes on; pictures beyond the limit are taken out."""
        heard = len(view.heard)
        board = self._gallery.board(view, exhibits) if exhibits.new else ()
        prompt = Prompt(
            heard=heard,
            ask=ask.id,
            attempt=view.options.tries - ask.tries + 1,
            base=told.messages,
            delta=(*prompts.lines(view, told.events, heard, exhibits.show), *board),
            action=Message(role="user", text=wanted.action),
            notes=(*exhibits.notes, *(_board_note(exhibits) if board else ())),
        )
        most = self._gallery.limit
        return prompt if most is None else _thinned(view, prompt, most, exhibits)


def _board_note(exhibits: Exhibits) -> tuple[str, ...]:
    """Return what the record is told of a new board."""
    gone = exhibits.shown[: len(exhibits.shown) - len(exhibits.board)]
    note = f"pictures: composed into one board: {', '.join(map(name, exhibits.board))}"
    return (f"{note}; no longer shown: {', '.join(map(name, gone))}" if gone else note,)


def _thinned(view: View, prompt: Prompt, most: int, exhibits: Exhibits) -> Prompt:
    """Return a prompt with its newest pictures; the log starts anew where any is taken out."""
    told, say = (*prompt.base, *prompt.delta), wording(view.language)
    old = beyond(told, most)
    if not old:
        return prompt
    kept = tuple(
        unpictured(say, message) if place in old else message for place, message in enumerate(told)
    )
    notes = prompt.notes
    if not exhibits.board:
        # Whatever a log has left out, what it holds are the newest: their places name them.
        held = exhibits.shown[-sum(message.picture is not None for message in told) :]
        gone = ", ".join(map(name, held[: len(old)]))
        notes = (*notes, f"pictures: {most} at most in a prompt: no longer shown: {gone}")
    return replace(prompt, anew=True, base=kept, delta=(), notes=notes)


def _anew(prompt: Prompt, case: Case, fitted: Fitted) -> Prompt:
    """Return the prompt with which the log starts anew.

    Its last note ends with `prompt A -> B of C tokens`: the prompt with which the log would have
    gone on, the one that is sent instead, and how long a prompt may be; all with the question.
    """
    before, after = case.budget.count(prompt.messages), case.count(fitted.base)
    # What a seat was asked, and what it thought, is in no log that is told anew.
    own = any(message.role == "assistant" for message in prompt.base)
    lost = ("context overflow: left out own earlier questions and thoughts",) if own else ()
    told = (*fitted.notes, *lost) or ("context overflow: told the log anew",)
    sizes = f"prompt {before} -> {after} of {case.room} tokens"
    return replace(
        prompt,
        level=case.label.level,
        anew=True,
        base=fitted.base,
        delta=(),
        notes=(*prompt.notes, *told[:-1], f"{told[-1]}; {sizes}"),
        memory=fitted.memory,
        lasting=fitted.lasting,
        total=case.budget.total if case.budget.tight else 0,
    )


def _policies(model: ChatModel) -> Mapping[Overflow, Policy]:
    return {
        "drop_oldest": DropOldest(),
        "summarise": Summarise(model, ScriptSummary(model)),
        "retrieve": Retrieve(),
    }
