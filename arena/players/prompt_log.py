"""A seat's prompt log: it only grows, so that a prompt begins with the prompt and reply before.

prompt(t+1) = prompt(t) + reply(t) + what was heard since + what is asked now (DESIGN 6.1). Where
the context is too small, an ask starts the log anew from a shorter telling of what was heard.

Example: a seat has heard 4 events and introduces itself (turn 1: delta of events 0-3, action,
reply). Later it has heard 9: the prompt is head, turn 1, delta of events 4-8, action.
"""

from dataclasses import dataclass
from itertools import groupby

from arena.core.actions import Ask
from arena.core.views import View
from arena.models.chat import Message
from arena.players import prompts
from arena.players.overflow import condensed


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """Messages for one call. `base` stood in the log, `delta` was heard since, then the action."""

    heard: int
    """How many events of the view the messages tell."""
    ask: str
    attempt: int
    level: int
    """0: the log went on; else the level of `overflow` with which it started anew."""
    base: tuple[Message, ...]
    delta: tuple[Message, ...]
    action: Message
    note: str = ""
    """What was left out, for the record."""

    @property
    def messages(self) -> tuple[Message, ...]:
        """The whole prompt."""
        return (*self.base, *self.delta, self.action)


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

    def compose(self, view: View, ask: Ask, action: str, level: int = 0) -> Prompt:
        """Return the prompt that puts `action` to the seat, after all that it heard.

        Other asks of the same wave leave no trace in it. With a `level`, older talk is left out.
        """
        heard, note = len(view.heard), ""
        if level:
            short = condensed(view, level)
            base, delta, note = (*self._header(view), *short.messages), (), short.note
        else:
            base, told = self._told(view, ask)
            delta = prompts.lines(view, told, heard)
        return Prompt(
            heard=heard,
            ask=ask.id,
            attempt=view.options.tries - ask.tries + 1,
            level=level,
            base=base,
            delta=delta,
            action=Message(role="user", text=action),
            note=note,
        )

    def keep(self, prompt: Prompt, exchange: tuple[Message, ...]) -> None:
        """Add an answered ask: `exchange` holds what was asked and what came back, in turn."""
        self._turns.append(_Turn(prompt=prompt, exchange=exchange))
        self._turns.sort(key=lambda turn: turn.place)

    def _header(self, view: View) -> tuple[Message, ...]:
        """Return rules and role, which stay the same through the match."""
        self._head = self._head or prompts.header(view)
        return self._head

    def _told(self, view: View, ask: Ask) -> tuple[tuple[Message, ...], int]:
        """Return the messages of earlier turns, and how many events they tell."""
        heard = len(view.heard)
        earlier = (
            turn
            for turn in self._turns
            if turn.prompt.heard < heard
            or (turn.prompt.heard == heard and turn.prompt.ask == ask.id)
        )
        messages, told = [*self._header(view)], 0
        for count, wave in groupby(earlier, key=lambda turn: turn.prompt.heard):
            turns = list(wave)
            deepest = max(turns, key=lambda turn: turn.prompt.level).prompt
            if deepest.level:
                messages = [*deepest.base]
            elif count > told:
                messages += turns[0].prompt.delta
            messages += (message for turn in turns for message in turn.exchange)
            told = count
        return tuple(messages), told
