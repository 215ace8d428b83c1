"""Token budget of a prompt: counted before a call, tightened after a server refused one."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from arena.models.chat import Message
from arena.players.model_limits import ModelLimits

UNLIMITED: Final = 1 << 40
"""The context of a server that does not report it, until it refuses a prompt."""
_TIGHTER: Final = 0.8
_STEP: Final = 128
"""Tokens. Tightened budgets are multiples of it, so that simultaneous requests get equal ones."""
_UNSURE: Final = 50
"""If token counts are estimates, 1 / this share of the budget stays free."""
_BEFORE: Final = Message(role="user", text="-")


class TokenSizes:
    """Token counts of one seat, cached: its script and its observations do not change.

    If the model's tokenizer allows it, texts are counted separately and the template's tokens of a
    message once: counting whole prompts instead would take seconds per match.
    """

    def __init__(self, limits: ModelLimits) -> None:
        self._limits = limits
        self._frame: int | None = None
        self._texts: dict[str, int] = {}
        self._prompts: dict[tuple[Message, ...], int] = {}

    def prompt_tokens(self, messages: tuple[Message, ...]) -> int:
        """Return the tokens of a prompt."""
        if messages not in self._prompts:
            self._prompts[messages] = self._limits.count(messages)
        return self._prompts[messages]

    def text_tokens(self, text: str) -> int:
        """Return an upper estimate of the tokens that `text` adds to a prompt as a message."""
        if text not in self._texts:
            self._texts[text] = self._count_text(text)
        return self._texts[text]

    def message_tokens(self, message: Message) -> int:
        """Return an upper estimate of the tokens that a message adds to a prompt."""
        if message.picture is None:
            return self.text_tokens(message.text)
        return self.prompt_tokens((_BEFORE, message)) - self.prompt_tokens((_BEFORE,))

    def _count_text(self, text: str) -> int:
        alone, framed = self._limits.count_text, Message(role="user", text=text)
        if alone is None:
            return self._limits.count((_BEFORE, framed)) - self.prompt_tokens((_BEFORE,))
        if self._frame is None:
            whole = self.prompt_tokens((_BEFORE, _BEFORE)) - self.prompt_tokens((_BEFORE,))
            # One more: at the boundary of two texts, tokens can differ from those of each text.
            self._frame = max(0, whole - alone(_BEFORE.text)) + 1
        return self._frame + alone(text)


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenBudget:
    """Budget of a prompt and its reply together in tokens, with the method of counting."""

    limits: ModelLimits
    total: int
    sizes: TokenSizes
    is_observed: bool = False
    """Whether the total was derived from refusals of the server."""

    def free(self, reply: int) -> int:
        """Return the tokens left for a prompt besides `reply`; can be negative."""
        margin = 0 if self.limits.exact else self.total // _UNSURE
        return self.total - reply - margin

    def max_prompt(self, reply: int) -> int:
        """Return the maximal tokens of a prompt that leaves `reply` tokens free."""
        return max(0, self.free(reply))

    def count(self, messages: Sequence[Message]) -> int:
        """Return the tokens of a prompt."""
        return self.sizes.prompt_tokens(tuple(messages))

    def message_tokens(self, message: Message) -> int:
        """Return an upper estimate of the tokens that a message adds to a prompt."""
        return self.sizes.message_tokens(message)

    def text_tokens(self, text: str) -> int:
        """Return an upper estimate of the tokens that `text` adds to a prompt as a message."""
        return self.sizes.text_tokens(text)

    def tighten(self, refused: int, times: int) -> "TokenBudget":
        """Return the budget to try after `times` refusals of the server.

        `refused`: tokens of the first refused prompt and its reply.
        """
        total = int(_TIGHTER**times * min(self.total, refused))
        return replace(self, total=max(1, total // _STEP * _STEP or total), is_observed=True)


def make_budget(limits: ModelLimits) -> TokenBudget:
    """Return the budget: the model's context, or less if an option sets `context_budget`.

    If token counts are estimates (which are high), only a refusal of the server sets a limit.
    """
    context = limits.context_tokens if limits.exact else None
    known = [n for n in (context, limits.context_budget) if n]
    return TokenBudget(limits=limits, total=min(known, default=UNLIMITED), sizes=TokenSizes(limits))
