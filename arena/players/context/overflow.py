"""Overflow: a prompt that does not fit its context, and the policy that shortens it."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from arena.core.events import Adjustment, PromptAdjusted
from arena.core.observation import Observation
from arena.core.requests import DecisionRequest
from arena.errors import UnanswerableError
from arena.models.chat import CallId, Message
from arena.players import prompts
from arena.players.context.log_entries import LogEntry
from arena.players.context.token_budget import UNLIMITED, TokenBudget


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryState:
    """Summary of the lines of a log's first events, and the shortened script."""

    text: str = ""
    """A summary, made safe for quotation marks."""
    covered: int = 0
    """How many events, from the first, `text` covers."""
    kept: tuple[str, ...] = ()
    """Clues and pictures among them that stay unchanged, by name."""
    script: PromptAdjusted | None = None
    """How the private script was shortened; None: it is whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OverflowTask:
    """One request whose prompt must become shorter."""

    observation: Observation
    request: DecisionRequest
    call_id: CallId
    """Id of the request's main call; a policy derives the ids of its calls from it."""
    entries: tuple[LogEntry, ...]
    tail: tuple[Message, ...]
    """Messages between log and instruction: the board."""
    board: tuple[str, ...]
    """The pictures on it, by name."""
    instruction: Message
    budget: TokenBudget
    reply: int
    """Tokens that must stay free for the reply."""
    usual_reply: int
    """Tokens of a reply to a speech request: a basis for results that several requests share."""
    state: SummaryState
    shares: tuple[int, int] = (UNLIMITED, UNLIMITED)
    """Tokens of the private script and of the talk, at most."""
    part: str = ""
    """Name of the part of the observation in the entries; empty: all of it."""

    @property
    def is_step(self) -> bool:
        """Whether the prompt is for a step of a method, so that it enters no log."""
        return bool(self.call_id.chunk)

    @property
    def max_prompt(self) -> int:
        """Maximum tokens of the prompt."""
        return self.budget.max_prompt(self.reply)

    @property
    def usual_max_prompt(self) -> int:
        """Maximum tokens of the prompt of a speech."""
        return self.budget.max_prompt(self.usual_reply)

    def count(self, base: Sequence[Message]) -> int:
        """Return the tokens of the prompt with this base."""
        return self.budget.count(prompts.add_instruction(base, self.instruction))

    def make_adjustment(self, adjustment: Adjustment, **values: Any) -> PromptAdjusted:
        """Return the record of an adjustment; `values` are its other fields."""
        return PromptAdjusted(
            seat=self.request.seat,
            request=self.request.id,
            adjustment=adjustment,
            **values,
        )

    def without_board(self, header: Sequence[Message], least: int) -> "OverflowTask":
        """Return the task; drop its board if the log would otherwise get under `least` tokens."""
        fits = self.max_prompt - self.count((*header, *self.tail)) >= least
        return self if fits else self.drop_board()

    def drop_board(self) -> "OverflowTask":
        """Return the task without its board, and without the lines that point to it."""
        if not self.tail:
            return self
        entries = tuple(entry for entry in self.entries if entry.kind != "placed")
        return replace(self, tail=(), entries=entries)

    def board_adjustment(self, fewer: "OverflowTask") -> tuple[PromptAdjusted, ...]:
        """Return the record of the board that `fewer` lacks."""
        if self.tail == fewer.tail:
            return ()
        return (self.make_adjustment("pictures_dropped", pictures=self.board),)

    def log_budget(self, header: Sequence[Message], least: int) -> int:
        """Return the tokens that are left for the log; raise `UnanswerableError` under `least`."""
        needs = self.count((*header, *self.tail))
        left = self.budget.free(self.reply) - needs
        if left < least:
            raise UnanswerableError(
                f"{self.request.seat}'s prompt does not fit: rules, role and instruction take "
                f"{needs} tokens, the reply {self.reply}, the log {least} or more, and there are "
                f"{self.budget.total}; choose a context_budget, or a model with a context, that is "
                f"larger by at least {least - left}, or fewer reply_tokens"
            )
        return left

    def script_adjustment(self, script: PromptAdjusted) -> tuple[PromptAdjusted, ...]:
        """Return the record of a shortened script, unless the log already has it in that form."""
        known = self.state.script
        same = known is not None and replace(script, request=known.request) == known
        return () if same else (script,)

    def whole_header(self) -> tuple[Message, ...]:
        """Return rules and role with the whole private script."""
        return prompts.header(self.observation)

    def script_budget(self) -> int:
        """Return the maximal tokens of a shortened script.

        Rules, role and script together get half of a prompt; the script at least an eighth of it.
        """
        rest = self.budget.count(prompts.header(self.observation, ""))
        return max(self.usual_max_prompt // 2 - rest, self.usual_max_prompt // 8)

    @property
    def script_dominates(self) -> bool:
        """Whether rules and role take more than half of a prompt because of the script."""
        long = self.budget.count(self.whole_header()) > self.usual_max_prompt // 2
        script = self.observation.own.script
        return long and self.budget.text_tokens(script) > self.script_budget()


@dataclass(frozen=True, slots=True, kw_only=True)
class FittedPrompt:
    """Result of a policy: the base of the new prompt."""

    base: tuple[Message, ...]
    adjustments: tuple[PromptAdjusted, ...]
    state: SummaryState = field(default_factory=SummaryState)
    reusable: bool = True
    """Whether later prompts can extend this one; False: it serves only its request."""


class OverflowPolicy(Protocol):
    """Policy that shortens a prompt."""

    async def fit(self, task: OverflowTask) -> FittedPrompt:
        """Return a base that fits, or raise `ModelError` if even rules and role are too long."""
        ...


def join_base(header: Sequence[Message], *parts: Sequence[Message]) -> tuple[Message, ...]:
    """Return the messages of a new log after its header."""
    return (*header, *prompts.merge_text([message for part in parts for message in part]))
