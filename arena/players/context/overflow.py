"""A prompt that does not fit, and what a policy makes of it."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from arena.core.actions import Ask
from arena.core.views import View
from arena.errors import ModelError
from arena.models.chat import CallId, Message
from arena.players import prompts
from arena.players.fitting.budget import Budget
from arena.players.fitting.units import Unit


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """What a seat remembers of events that its log no longer tells."""

    text: str = ""
    """A summary, made safe to stand in quotation marks."""
    covered: int = 0
    """How many events, from the first, are told by `text`."""
    kept: tuple[str, ...] = ()
    """Clues and pictures among them that still stand as they were, by name."""
    script: str = ""
    """The note of how the log tells the private script in a shorter form; empty: it is whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One ask whose prompt must become shorter."""

    view: View
    ask: Ask
    label: CallId
    """Of the ask's own call; a policy's calls are named after it."""
    units: tuple[Unit, ...]
    tail: tuple[Message, ...]
    """What stands between log and action: the board."""
    board: tuple[str, ...]
    """The pictures on it, by name."""
    action: Message
    budget: Budget
    reply: int
    """Tokens that must stay free for the reply."""
    usual_reply: int
    """Of a speech: what is made once for the match does not depend on the ask."""
    memory: Memory

    @property
    def room(self) -> int:
        """How long the prompt may be, in tokens."""
        return self.budget.room(self.reply)

    @property
    def usual_room(self) -> int:
        """How long the prompt of a speech may be, in tokens."""
        return self.budget.room(self.usual_reply)

    def count(self, base: Sequence[Message]) -> int:
        """Return the tokens of the prompt with this base."""
        return self.budget.count((*base, self.action))

    def without_board(self, header: Sequence[Message], least: int) -> "Case":
        """Return the case without its board, where that leaves under `least` tokens for the log."""
        fits = self.room - self.count((*header, *self.tail)) >= least
        return self if fits else self.boardless()

    def boardless(self) -> "Case":
        """Return the case without its board, and without the lines that point to it."""
        if not self.tail:
            return self
        units = tuple(unit for unit in self.units if unit.kind != "placed")
        return replace(self, tail=(), units=units)

    def lost(self, fewer: "Case") -> tuple[str, ...]:
        """Return the note of the board that `fewer` does without."""
        if self.tail == fewer.tail:
            return ()
        return (f"context overflow: left out the board of {', '.join(self.board)}",)

    def left(self, header: Sequence[Message], least: int) -> int:
        """Return the tokens that are left for the log; raise `ModelError` for under `least`."""
        needs = self.count((*header, *self.tail))
        left = self.budget.free(self.reply) - needs
        if left < least:
            raise ModelError(
                f"{self.view.seat}'s prompt does not fit: rules, role and the question take "
                f"{needs} tokens, the reply {self.reply}, what was heard {least} or more, and "
                f"there are {self.budget.total}; choose a context_budget, or a model with a "
                f"context, that is larger by at least {least - left}, or fewer reply_tokens"
            )
        return left

    def news(self, script: str) -> tuple[str, ...]:
        """Return the note of a shortened script, where it was not told like that before."""
        return () if script == self.memory.script else (script,)

    def whole_header(self) -> tuple[Message, ...]:
        """Return rules and role with the whole private script."""
        return prompts.header(self.view)

    def share(self) -> int:
        """Return how many tokens a shortened script may take.

        Rules, role and script together get half of a prompt; the script at least an eighth of it.
        """
        rest = self.budget.count(prompts.header(self.view, ""))
        return max(self.usual_room // 2 - rest, self.usual_room // 8)

    @property
    def heavy(self) -> bool:
        """Whether the script is what makes rules and role take more than half of a prompt."""
        long = self.budget.count(self.whole_header()) > self.usual_room // 2
        return long and self.budget.words(self.view.script) > self.share()


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """What a policy made: the base of the new prompt."""

    base: tuple[Message, ...]
    notes: tuple[str, ...]
    """What is not told any more, for the record."""
    memory: Memory = field(default_factory=Memory)
    lasting: bool = True
    """Whether later prompts may go on from this one; else it was made for its ask alone."""


class Policy(Protocol):
    """One way to make a prompt shorter."""

    async def fit(self, case: Case) -> Fitted:
        """Return a base that fits; raise `ModelError` where rules and role alone do not."""
        ...
