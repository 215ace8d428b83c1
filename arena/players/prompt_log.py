"""A seat's prompt log: it only grows, so that a prompt begins with the prompt and reply before.

prompt(t+1) = prompt(t) + reply(t) + what was heard since + what is asked now (DESIGN 6.1). Where
the context is too small, an ask starts the log anew from a shorter telling of what was heard.

Example: a seat has heard 4 events and introduces itself (turn 1: delta of events 0-3, action,
reply). Later it has heard 9: the prompt is head, turn 1, delta of events 4-8, action.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby

from arena.core.actions import Ask
from arena.core.views import View
from arena.models.chat import Message
from arena.players import prompts
from arena.players.fitting.case import Memory


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """Messages for one call. `base` stood in the log, `delta` was heard since, then the action."""

    heard: int
    """How many events of the view the messages tell."""
    ask: str
    attempt: int
    level: int = 0
    """0: nothing was left out to fit the context; else how often the ask was tried with less."""
    anew: bool = False
    """Whether the log started anew with `base`; else it went on."""
    base: tuple[Message, ...]
    delta: tuple[Message, ...] = ()
    action: Message
    notes: tuple[str, ...] = ()
    """What was left out or told otherwise, for the record."""
    memory: Memory | None = None
    """Of a log that was started anew; None: what was remembered stays as it was."""
    lasting: bool = True
    """Whether later asks go on from here; else the prompt was made for its ask alone."""
    total: int = 0
    """Tokens that a server was found to take after it refused a prompt; 0: it refused none."""

    @property
    def messages(self) -> tuple[Message, ...]:
        """The whole prompt."""
        return (*self.base, *self.delta, self.action)


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A log before an ask: what it says, and what is known of how it came to be."""

    messages: tuple[Message, ...]
    events: int
    """How many events the messages tell."""
    memory: Memory = field(default_factory=Memory)
    total: int = 0
    """The least that a server was found to take; 0: it refused no prompt."""
    asked: tuple[int, ...] = ()
    """How many events had been heard at each of the earlier asks, in order."""
    lasting: bool = True
    """Whether the ask may go on from it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Turn:
    """A prompt that was answered, and what was asked and came back."""

    prompt: Prompt
    exchange: tuple[Message, ...]

    @property
    def place(self) -> tuple[int, str, int]:
        """Where the turn stands in the log, whenever its reply came."""
        return self.prompt.heard, self.prompt.ask, self.prompt.attempt


class PromptLog:
    """The log of one seat in one match. What it composes depends on no reply's time."""

    def __init__(self) -> None:
        self._turns: list[_Turn] = []
        self._head: tuple[Message, ...] = ()

    def keep(self, prompt: Prompt, exchange: tuple[Message, ...]) -> None:
        """Add an answered ask: `exchange` holds what was asked and what came back, in turn."""
        self._turns.append(_Turn(prompt=prompt, exchange=exchange))
        self._turns.sort(key=lambda turn: turn.place)

    def told(self, view: View, ask: Ask) -> Told:
        """Return the log as it stands before `ask`: other asks of its wave leave no trace."""
        heard = len(view.heard)
        earlier = (
            turn
            for turn in self._turns
            if turn.prompt.heard < heard
            or (turn.prompt.heard == heard and turn.prompt.ask == ask.id)
        )
        told = Told(messages=self._header(view), events=0)
        for _, wave in groupby(earlier, key=lambda turn: turn.prompt.heard):
            told = _gone_on(told, list(wave), ask)
        return told

    def _header(self, view: View) -> tuple[Message, ...]:
        """Return rules and role, which stay the same through the match."""
        self._head = self._head or prompts.header(view)
        return self._head


def _gone_on(told: Told, turns: Sequence[_Turn], ask: Ask) -> Told:
    """Return the log after the turns of one wave, or the tries of one ask."""
    first = turns[0].prompt
    messages, memory, lasting = told.messages, told.memory, told.lasting
    anew = _anew(turns)
    if anew is not None:
        # What came before a try that started anew is told by it, or by nothing.
        own = [t for t in turns if t.prompt.ask == anew.ask and t.prompt.attempt >= anew.attempt]
        turns = [*own, *(turn for turn in turns if turn.prompt.ask != anew.ask)]
        messages, memory = anew.base, anew.memory or memory
        lasting = anew.lasting or anew.ask == ask.id
    elif first.heard > told.events:
        messages = (*messages, *first.delta)
    refused = [n for n in (told.total, *(turn.prompt.total for turn in turns)) if n]
    return Told(
        messages=(*messages, *(message for turn in turns for message in turn.exchange)),
        events=first.heard,
        memory=memory,
        total=min(refused, default=0),
        lasting=lasting,
        asked=(*told.asked, first.heard),
    )


def _anew(turns: Sequence[_Turn]) -> Prompt | None:
    """Return the prompt with which a wave began the log anew: that which left out most."""
    begun = [turn.prompt for turn in turns if turn.prompt.anew]
    if not begun:
        return None
    deepest = max(begun, key=lambda prompt: prompt.level)
    return [prompt for prompt in begun if prompt.ask == deepest.ask][-1]
