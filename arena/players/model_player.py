"""A seat played by a model as it is: `direct` and `cot` (PLAYERS 6)."""

from dataclasses import dataclass, replace
from random import Random
from typing import Literal

from arena.core.actions import Action, Ask, Garbled, Speak
from arena.core.views import View
from arena.errors import ContextError, ModelError
from arena.models.chat import ChatModel, Constraint, Label, Message, Request
from arena.players import prompts
from arena.players.overflow import LEVELS
from arena.players.parsing import constraint, parse, response
from arena.players.player import Answer
from arena.players.prompt_log import Prompt, PromptLog
from arena.players.wording import wording

THOUGHT_TOKENS = 512
_CHOICES = {"vote", "ballot", "quiz"}


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
        if self.temperature < 0 or self.reply_tokens < 1:
            raise ValueError(
                f"temperature must be >= 0 and reply_tokens >= 1, got {self.temperature:g} and "
                f"{self.reply_tokens}"
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
        notes: list[str] = []
        while True:
            try:
                return Answer(action=await self._ask(view, ask), notes=tuple(notes))
            except ContextError as error:
                if self._log.resets >= len(LEVELS):
                    raise ModelError(
                        f"{view.seat}'s prompt does not fit even without old talk and pictures: "
                        f"{error}"
                    ) from error
                notes.append(self._log.reset(view))

    async def _ask(self, view: View, ask: Ask) -> Action:
        action = prompts.action(view, ask)
        rule = constraint(ask, reply_chars=self._style.reply_tokens)
        if not self._style.cot:
            return parse(await self._exchange(view, ask, [action], rule), ask)
        say = wording(view.language)
        if rule is None or self._style.cot_calls == 1:
            reply = await self._exchange(view, ask, [f"{action}\n{say('cot.text')}"], None)
            return self._thoughtful(reply, ask)
        thought, now = f"{action}\n{say('cot.thought')}", say("cot.now")
        return parse(await self._exchange(view, ask, [thought, now], rule), ask)

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
        self, view: View, ask: Ask, actions: list[str], rule: Constraint | None
    ) -> str:
        """Ask once for each of `actions`, in one conversation; return the last reply."""
        prompt = self._log.compose(view, actions[0])
        messages, shared, replies = prompt.messages, prompt.shared, list[str]()
        for number, text in enumerate(actions):
            if number:
                messages = (*messages, Message(role="user", text=text))
            last = number == len(actions) - 1
            request = self._request(view, ask, messages, rule if last else None, thought=not last)
            completion = await self._model.complete(replace(request, shared=shared))
            replies.append(completion.text)
            shared = len(messages) + 1
            messages = (*messages, Message(role="assistant", text=completion.text))
        self._remember(ask, prompt, messages)
        return replies[-1]

    def _request(
        self,
        view: View,
        ask: Ask,
        messages: tuple[Message, ...],
        rule: Constraint | None,
        *,
        thought: bool,
    ) -> Request:
        style = self._style
        choice = ask.verb in _CHOICES and not ask.reason and rule is not None
        longest = max((len(option.encode()) for option in ask.options), default=0)
        tokens = min(THOUGHT_TOKENS, style.reply_tokens) if thought else style.reply_tokens
        return Request(
            label=Label(
                seat=view.seat,
                ask=ask.id,
                attempt=view.options.tries - ask.tries + 1,
                part="thought" if thought else "answer",
                log=self._log.resets,
            ),
            messages=messages,
            shared=0,
            max_tokens=max(8, longest + 1) if choice else tokens,
            temperature=0.0 if choice else style.temperature,
            constraint=rule,
        )

    def _remember(self, ask: Ask, prompt: Prompt, messages: tuple[Message, ...]) -> None:
        """Add the exchange to the log; what only probes the seat leaves no trace in it."""
        if ask.phase == "probe":
            return
        exchange = messages[len(prompt.messages) - 1 :]
        if self._style.cot and not self._style.keep_thought:
            exchange = _without_thought(exchange)
        self._log.keep(prompt, exchange)


def _without_thought(exchange: tuple[Message, ...]) -> tuple[Message, ...]:
    asked, reply = exchange[0], exchange[-1]
    return (asked, replace(reply, text=response(reply.text, last_try=True) or reply.text))
