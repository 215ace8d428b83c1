"""A seat's prompt log: it only grows, so that a prompt begins with the prompt and reply before.

prompt(t+1) = prompt(t) + reply(t) + what was heard since + what is asked now (DESIGN 6.1). Where
the context is too small, the log is *reset*: an explicit, counted act that starts a new one.
"""

from dataclasses import dataclass

from arena.core.views import View
from arena.models.chat import Message
from arena.players import prompts
from arena.players.overflow import condensed


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """Messages for one call, and how many of them stood in the log already."""

    messages: tuple[Message, ...]
    shared: int
    """Messages that an earlier call of this log has sent already, its reply included."""
    base: int
    """Messages before what was heard since: the log, or its head."""
    heard: int
    """How many events of the view the messages tell."""
    number: int
    """Prompts of the log are numbered as they are composed, whenever their replies come."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """An ask that was answered: what was heard before it, what was asked, what came back."""

    heard: int
    number: int
    delta: tuple[Message, ...]
    exchange: tuple[Message, ...]


class PromptLog:
    """The log of one seat in one match."""

    def __init__(self) -> None:
        self._base: tuple[Message, ...] = ()
        self._start = 0
        self._turns: list[Turn] = []
        self._composed = 0
        self.resets = 0

    def compose(self, view: View, action: str) -> Prompt:
        """Return the messages that put `action` to the seat, after all that it heard.

        Asks of one wave have views of one length: none of them sees another's exchange.
        """
        heard = len(view.heard)
        base, cursor = self._told(view, heard)
        delta = prompts.lines(view, cursor, heard)
        asked = Message(role="user", text=action)
        self._composed += 1
        return Prompt(
            messages=(*base, *delta, asked),
            shared=len(base) if self._turns else 0,
            base=len(base),
            heard=heard,
            number=self._composed,
        )

    def keep(self, prompt: Prompt, exchange: tuple[Message, ...]) -> None:
        """Add an answered ask: `exchange` holds what was asked and what came back, in turn."""
        delta = prompt.messages[prompt.base : -1]
        turn = Turn(heard=prompt.heard, number=prompt.number, delta=delta, exchange=exchange)
        self._turns.append(turn)
        self._turns.sort(key=lambda turn: (turn.heard, turn.number))

    def reset(self, view: View) -> str:
        """Start a new log that leaves out older talk; return what was left out, for the record."""
        self.resets += 1
        short = condensed(view, self.resets)
        self._base = (*prompts.header(view), *short.messages)
        self._start = len(view.heard)
        self._turns.clear()
        return short.note

    def _told(self, view: View, heard: int) -> tuple[tuple[Message, ...], int]:
        if heard < self._start:
            return prompts.header(view), 0
        messages = [*(self._base or prompts.header(view))]
        cursor = self._start
        for turn in self._turns:
            if turn.heard >= heard:
                continue
            messages += turn.delta if turn.heard > cursor else ()
            messages += turn.exchange
            cursor = max(cursor, turn.heard)
        return tuple(messages), cursor
