"""A seat played by a model as it is: `direct` and `cot` (PLAYERS 6)."""

from dataclasses import dataclass, replace
from random import Random
from typing import Literal

from arena.core.actions import Action, Ask, Garbled, Speak
from arena.core.views import View
from arena.errors import ContextError, ModelError
from arena.models.chat import ChatModel, Constraint, Label, Message, OneOf, Request
from arena.players import prompts
from arena.players.fitting.fitter import TRIES, Fitter, Wanted
from arena.players.means import Means, Overflow, PictureMode
from arena.players.parsing import constraint, parse, response
from arena.players.player import Answer
from arena.players.prompt_log import Prompt
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
    picture_mode: PictureMode | None = None
    """None: what the model's profile says."""
    overflow: Overflow | None = None
    """None: what the model's profile says, else `drop_oldest`."""
    context_budget: int = 0
    """Tokens of a prompt and its reply together; 0: what the profile says, else all there are."""

    def __post_init__(self) -> None:
        """Refuse what no server would take."""
        if not 0 <= self.temperature <= _HOTTEST or self.reply_tokens < 1:
            raise ValueError(
                f"temperature must be in [0, {_HOTTEST}] and reply_tokens >= 1, got "
                f"{self.temperature:g} and {self.reply_tokens}"
            )
        if self.context_budget < 0:
            raise ValueError(f"context_budget must be >= 0 tokens, got {self.context_budget}")


class ModelPlayer:
    """Renders the view, asks the model, parses the reply; one object a seat and match."""

    def __init__(self, model: ChatModel, style: Style, means: Means) -> None:
        """Play with `model`; `means` hold what the style asked of pictures and context."""
        self._model = model
        self._style = style
        self._count, self._stop = means.count, means.stop
        self._fitter = Fitter(model, means)

    async def act(self, view: View, ask: Ask, chance: Random) -> Answer:
        """Return what the model answers, or raise `ModelError` where it cannot be asked."""
        del chance
        wanted = self._wanted(view, ask)
        while True:
            prompt: Prompt | None = None
            try:
                prompt = await self._fitter.compose(view, ask, wanted)
                action = await self._ask(view, ask, prompt)
            except ContextError as error:
                wanted = self._shorter(view, wanted, prompt, error)
            else:
                return Answer(action=action, notes=prompt.notes)

    def _wanted(self, view: View, ask: Ask) -> Wanted:
        speech = Ask(id="", seat=view.seat, verb="speak", phase="discussion")
        return Wanted(
            action=self._action(view, ask),
            reply=self._reply(view, ask),
            usual_reply=self._reply(view, speech),
        )

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

    def _reply(self, view: View, ask: Ask) -> int:
        """Return the tokens that replies to an ask may add, a thought before the last included."""
        rule = self._rule(view, ask)
        last = self._most(ask, rule)
        if not self._twice(rule):
            return last
        now = Message(role="user", text=wording(view.language)("cot.now"))
        return self._thought + self._count((now, now)) + last

    def _action(self, view: View, ask: Ask) -> str:
        action, say, style = prompts.action(view, ask), wording(view.language), self._style
        if not style.cot:
            return action
        twice = self._twice(self._rule(view, ask))
        return f"{action}\n{say('cot.thought' if twice else 'cot.text')}"

    def _twice(self, rule: Constraint | None) -> bool:
        """Tell whether the seat thinks in a call of its own.

        One whose replies end at a text does so always: the marks of a thought and a response in one
        reply hold that text, and half of such a reply would be a thought said aloud.
        """
        if not self._style.cot:
            return False
        return bool(self._stop) or (self._style.cot_calls == 2 and rule is not None)  # noqa: PLR2004

    def _rule(self, view: View, ask: Ask) -> Constraint | None:
        room = max(self._style.reply_tokens - _FORM_TOKENS, 1)
        return constraint(ask, chars=room * _CHARS_A_TOKEN[view.language])

    async def _ask(self, view: View, ask: Ask, prompt: Prompt) -> Action:
        rule = self._rule(view, ask)
        if not self._style.cot:
            return parse(await self._exchange(view, ask, prompt, (rule,)), ask)
        if not self._twice(rule):
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
            self._fitter.keep(prompt, exchange)
        return messages[-1].text

    def _label(self, view: View, prompt: Prompt, *, thought: bool) -> Label:
        label = self._fitter.label(view, prompt)
        return replace(label, part="thought") if thought else label

    def _request(
        self, ask: Ask, label: Label, messages: tuple[Message, ...], rule: Constraint | None
    ) -> Request:
        thinks = label.part == "thought"
        return Request(
            label=label,
            messages=messages,
            max_tokens=self._thought if thinks else self._most(ask, rule),
            temperature=0.0 if _chooses(ask, rule) else self._style.temperature,
            constraint=rule,
        )

    @property
    def _thought(self) -> int:
        """Tokens of a thought, at most."""
        return min(THOUGHT_TOKENS, self._style.reply_tokens)

    def _most(self, ask: Ask, rule: Constraint | None) -> int:
        """Return the tokens of a reply, at most."""
        if not _chooses(ask, rule):
            return self._style.reply_tokens
        return max(8, max(len(option.encode()) for option in ask.options) + 1)


def _chooses(ask: Ask, rule: Constraint | None) -> bool:
    return ask.verb in _CHOICES and isinstance(rule, OneOf)


def _without_thought(exchange: tuple[Message, ...]) -> tuple[Message, ...]:
    asked, reply = exchange[0], exchange[-1]
    played = response(reply.text, last_try=True)
    return (asked, replace(reply, text=played, ids=()) if played else reply)
