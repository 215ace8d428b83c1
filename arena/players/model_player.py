"""A seat played by a model as it is: `direct` and `cot` (PLAYERS 6)."""

from dataclasses import dataclass, replace
from random import Random
from typing import Literal

from arena.core.actions import Action, Ask, Garbled, Speak
from arena.core.views import View
from arena.errors import ContextError, ModelError
from arena.models.chat import ChatModel, Constraint, Label, Message, OneOf, Request
from arena.players import prompts
from arena.players.overflow import LEVELS
from arena.players.parsing import constraint, parse, response
from arena.players.player import Answer
from arena.players.prompt_log import Prompt, PromptLog
from arena.players.wording import wording
from scripts_mm.script import Language

THOUGHT_TOKENS = 512
_HOTTEST = 2
_CHOICES = {"vote", "ballot", "quiz"}
_FORM_TOKENS = 24
"""What the form of a structured reply takes: braces, names of properties, a target."""
_CHARS_A_TOKEN: dict[Language, int] = {"en": 2, "zh": 1}
"""Low, so that a text that is as long as it may be still fits the reply."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """How a model is asked."""

    cot: bool = False
    cot_calls: Literal[1, 2] = 2
    """Of an ask with options: a free thought and then a choice, or both in one reply."""
    keep_thought: bool = True
    """Whether thoughts stay in the own later prompts; without them the log does not only grow."""
    temperature: float = 0.7
    reply_tokens: int = 1024

    def __post_init__(self) -> None:
        """Refuse what no server would take."""
        if not 0 <= self.temperature <= _HOTTEST or self.reply_tokens < 1:
            raise ValueError(
                f"temperature must be in [0, {_HOTTEST}] and reply_tokens >= 1, got "
                f"{self.temperature:g} and {self.reply_tokens}"
            )


class ModelPlayer:
    """Renders the view, asks the model, parses the reply; one object a seat and match."""

    def __init__(self, model: ChatModel, style: Style) -> None:
        self._model = model
        self._style = style
        self._log = PromptLog()

    async def act(self, view: View, ask: Ask, chance: Random) -> Answer:
        """Return what the model answers, or raise `ModelError` where it cannot be asked."""
        del chance
        level = 0
        while True:
            prompt = self._log.compose(view, ask, self._action(view, ask), level)
            try:
                action = await self._ask(view, ask, prompt)
            except ContextError as error:
                if level == len(LEVELS):
                    raise ModelError(
                        f"{view.seat}'s prompt does not fit even without old talk and pictures: "
                        f"{error}"
                    ) from error
                level += 1
            else:
                return Answer(action=action, notes=(prompt.note,) if prompt.note else ())

    def _action(self, view: View, ask: Ask) -> str:
        action, say, style = prompts.action(view, ask), wording(view.language), self._style
        if not style.cot:
            return action
        twice = style.cot_calls == 2 and self._rule(view, ask) is not None  # noqa: PLR2004
        return f"{action}\n{say('cot.thought' if twice else 'cot.text')}"

    def _rule(self, view: View, ask: Ask) -> Constraint | None:
        room = max(self._style.reply_tokens - _FORM_TOKENS, 1)
        return constraint(ask, chars=room * _CHARS_A_TOKEN[view.language])

    async def _ask(self, view: View, ask: Ask, prompt: Prompt) -> Action:
        rule = self._rule(view, ask)
        if not self._style.cot:
            return parse(await self._exchange(view, ask, prompt, (rule,)), ask)
        if rule is None or self._style.cot_calls == 1:
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
            if self._style.cot and not self._style.keep_thought:
                exchange = _without_thought(exchange)
            self._log.keep(prompt, exchange)
        return messages[-1].text

    def _label(self, view: View, prompt: Prompt, *, thought: bool) -> Label:
        return Label(
            seat=view.seat,
            ask=prompt.ask,
            attempt=prompt.attempt,
            part="thought" if thought else "answer",
            level=prompt.level,
        )

    def _request(
        self, ask: Ask, label: Label, messages: tuple[Message, ...], rule: Constraint | None
    ) -> Request:
        style = self._style
        choice = ask.verb in _CHOICES and isinstance(rule, OneOf)
        longest = max((len(option.encode()) for option in ask.options), default=0)
        thinks = label.part == "thought"
        tokens = min(THOUGHT_TOKENS, style.reply_tokens) if thinks else style.reply_tokens
        return Request(
            label=label,
            messages=messages,
            max_tokens=max(8, longest + 1) if choice else tokens,
            temperature=0.0 if choice else style.temperature,
            constraint=rule,
        )


def _without_thought(exchange: tuple[Message, ...]) -> tuple[Message, ...]:
    asked, reply = exchange[0], exchange[-1]
    played = response(reply.text, last_try=True)
    return (asked, replace(reply, text=played, ids=()) if played else reply)
