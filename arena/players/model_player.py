"""A seat played by a model as it is: `direct` and `cot` (PLAYERS 6)."""

from dataclasses import replace
from random import Random

from arena.core.actions import Action, Ask, Garbled, Speak
from arena.core.views import View
from arena.errors import ContextError, ModelError
from arena.models.chat import CallId, ChatModel, Constraint, Message, Request
from arena.players.fitting.fitter import TRIES, Fitter, Wanted
from arena.players.means import Means
from arena.players.parsing import parse, response
from arena.players.player import Answer
from arena.players.prompt_log import Prompt
from arena.players.style import Asking, Style, chooses
from arena.players.wording import wording


class ModelPlayer:
    """Renders the view, asks the model, parses the reply; one object a seat and match."""

    def __init__(self, model: ChatModel, style: Style, means: Means) -> None:
        """Play with `model`; `means` hold what the style asked of pictures and context."""
        self._model = model
        self._asking = Asking(style=style, means=means)
        self._fitter = Fitter(model, means)

    async def act(self, view: View, ask: Ask, chance: Random) -> Answer:
        """Return what the model answers, or raise `ModelError` where it cannot be asked."""
        del chance
        wanted = self._asking.wanted(view, ask)
        while True:
            prompt: Prompt | None = None
            try:
                prompt = await self._fitter.compose(view, ask, wanted)
                action = await self._ask(view, ask, prompt)
            except ContextError as error:
                wanted = self._shorter(view, wanted, prompt, error)
            else:
                return Answer(action=action, notes=prompt.notes)

    def _shorter(
        self, view: View, wanted: Wanted, prompt: Prompt | None, error: ContextError
    ) -> Wanted:
        """Return what to try after a refusal; without a prompt, that of a call for its making."""
        level = max(1, wanted.level) if prompt is None else prompt.level
        if level == TRIES:
            raise ModelError(
                f"{view.seat}'s prompt does not fit even when little is told: {error}"
            ) from error
        refused = wanted.refused
        if not wanted.refusals and prompt is not None:
            refused = self._fitter.length(prompt) + wanted.reply
        return replace(wanted, level=level + 1, refused=refused, refusals=wanted.refusals + 1)

    async def _ask(self, view: View, ask: Ask, prompt: Prompt) -> Action:
        rule = self._asking.rule(view, ask)
        if not self._asking.style.cot:
            return parse(await self._exchange(view, ask, prompt, (rule,)), ask)
        if not self._asking.twice(rule):
            return self._thoughtful(await self._exchange(view, ask, prompt, (None,)), ask)
        return parse(await self._exchange(view, ask, prompt, (None, rule)), ask)

    def _thoughtful(self, reply: str, ask: Ask) -> Action:
        played = response(reply, last_try=ask.tries == 1)
        if played is None:
            return Garbled(missing="### RESPONSE:", raw=reply)
        return (
            Speak(text=played)
            if ask.verb in {"introduce", "speak", "answer"}
            else parse(played, ask)
        )

    async def _exchange(
        self, view: View, ask: Ask, prompt: Prompt, rules: tuple[Constraint | None, ...]
    ) -> str:
        """Call once for each of `rules`, in one conversation; return the last reply."""
        messages = prompt.messages
        for number, rule in enumerate(rules):
            thought = number < len(rules) - 1
            label = self._label(view, prompt, thought=thought)
            completion = await self._model.complete(self._request(ask, label, messages, rule))
            reply = Message(role="assistant", text=completion.text, ids=completion.ids)
            messages = (*messages, reply)
            if thought:
                now = wording(view.language)("cot.now")
                messages = (*messages, Message(role="user", text=now))
        if ask.phase != "probe":
            exchange = messages[len(prompt.messages) - 1 :]
            if self._asking.style.cot and not self._asking.style.keep_thought:
                exchange = _without_thought(exchange)
            self._fitter.keep(prompt, exchange)
        return messages[-1].text

    def _label(self, view: View, prompt: Prompt, *, thought: bool) -> CallId:
        label = self._fitter.label(view, prompt)
        return replace(label, kind="thought") if thought else label

    def _request(
        self, ask: Ask, label: CallId, messages: tuple[Message, ...], rule: Constraint | None
    ) -> Request:
        thinks = label.kind == "thought"
        return Request(
            call_id=label,
            messages=messages,
            max_tokens=self._asking.thought if thinks else self._asking.most(ask, rule),
            temperature=0.0 if chooses(ask, rule) else self._asking.style.temperature,
            constraint=rule,
        )


def _without_thought(exchange: tuple[Message, ...]) -> tuple[Message, ...]:
    asked, reply = exchange[0], exchange[-1]
    played = response(reply.text, last_try=True)
    return (asked, replace(reply, text=played, ids=()) if played else reply)
