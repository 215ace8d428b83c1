"""How many tokens a prompt may take: counted before a call, tightened where a server refuses."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from arena.models.chat import Message
from arena.players.means import Means

ENDLESS: Final = 1 << 40
"""The context of a server that does not tell it, until it refuses a prompt."""
_TIGHTER: Final = 0.8
_STEP: Final = 128
"""Budgets that are tightened end at whole steps, so that asks of one moment agree on one."""
_UNSURE: Final = 50
"""Where tokens are guessed, one part in so many is kept free."""
_BEFORE: Final = Message(role="user", text="-")


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """The tokens of a prompt and its reply together, and how they are counted."""

    means: Means
    total: int
    tight: bool = False
    """Whether the total was learned from prompts that the server refused."""

    def room(self, reply: int) -> int:
        """Return how long a prompt may be that leaves `reply` tokens free."""
        margin = 0 if self.means.exact else self.total // _UNSURE
        return max(0, self.total - reply - margin)

    def count(self, messages: Sequence[Message]) -> int:
        """Return the tokens of a prompt."""
        return self.means.count(messages)

    def adds(self, message: Message) -> int:
        """Return how many tokens a message adds to a prompt; rather too many than too few."""
        return self.count((_BEFORE, message)) - self.count((_BEFORE,))

    def words(self, text: str) -> int:
        """Return how many tokens `text` adds to a prompt as a message of its own."""
        return self.adds(Message(role="user", text=text))

    def tighter(self, refused: int, times: int) -> "Budget":
        """Return the budget to try after the server refused `times` times.

        `refused`: how long the first prompt was that it refused, with the reply wanted.
        """
        total = int(_TIGHTER**times * min(self.total, refused))
        return replace(self, total=max(1, total // _STEP * _STEP or total), tight=True)


def budget_of(means: Means) -> Budget:
    """Return what a model's context holds, or less where a budget was given.

    Where tokens are guessed, which gives too many, the server itself says what its context holds.
    """
    context = means.context_tokens if means.exact else None
    known = [n for n in (context, means.context_budget) if n]
    return Budget(means=means, total=min(known, default=ENDLESS))
