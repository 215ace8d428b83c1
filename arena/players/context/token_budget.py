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


class Sizes:
    """Token counts of one seat, each made once: its script and what it heard do not change.

    A text is counted by itself, where the model's tokenizer can be asked for that, and the frame
    of a message is measured once; to count whole prompts for it would take seconds a match.
    """

    def __init__(self, means: Means) -> None:
        self._means = means
        self._frame: int | None = None
        self._texts: dict[str, int] = {}
        self._counted: dict[tuple[Message, ...], int] = {}

    def count(self, messages: tuple[Message, ...]) -> int:
        """Return the tokens of a prompt."""
        if messages not in self._counted:
            self._counted[messages] = self._means.count(messages)
        return self._counted[messages]

    def words(self, text: str) -> int:
        """Return how many tokens `text` adds to a prompt as a message; rather too many."""
        if text not in self._texts:
            self._texts[text] = self._text(text)
        return self._texts[text]

    def adds(self, message: Message) -> int:
        """Return how many tokens a message adds to a prompt; rather too many than too few."""
        if message.picture is None:
            return self.words(message.text)
        return self.count((_BEFORE, message)) - self.count((_BEFORE,))

    def _text(self, text: str) -> int:
        alone, framed = self._means.words, Message(role="user", text=text)
        if alone is None:
            return self._means.count((_BEFORE, framed)) - self.count((_BEFORE,))
        if self._frame is None:
            whole = self.count((_BEFORE, _BEFORE)) - self.count((_BEFORE,))
            # One more: two texts that meet may make another token than each alone.
            self._frame = max(0, whole - alone(_BEFORE.text)) + 1
        return self._frame + alone(text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """The tokens of a prompt and its reply together, and how they are counted."""

    means: Means
    total: int
    sizes: Sizes
    tight: bool = False
    """Whether the total was learned from prompts that the server refused."""

    def free(self, reply: int) -> int:
        """Return what `reply` tokens leave for a prompt; below 0 where they leave nothing."""
        margin = 0 if self.means.exact else self.total // _UNSURE
        return self.total - reply - margin

    def room(self, reply: int) -> int:
        """Return how long a prompt may be that leaves `reply` tokens free."""
        return max(0, self.free(reply))

    def count(self, messages: Sequence[Message]) -> int:
        """Return the tokens of a prompt."""
        return self.sizes.count(tuple(messages))

    def adds(self, message: Message) -> int:
        """Return how many tokens a message adds to a prompt; rather too many than too few."""
        return self.sizes.adds(message)

    def words(self, text: str) -> int:
        """Return how many tokens `text` adds to a prompt as a message of its own."""
        return self.sizes.words(text)

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
    return Budget(means=means, total=min(known, default=ENDLESS), sizes=Sizes(means))
