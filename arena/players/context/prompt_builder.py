"""Prompt builder: makes prompts from observation and request that fit and reuse the log."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Final

from arena.core.events import Adjustment, PromptAdjusted
from arena.core.observation import Observation
from arena.core.requests import DecisionRequest
from arena.core.seats import SeatId
from arena.memory.memory_index import MemoryIndex
from arena.models.chat import CallId, ChatModel, Message
from arena.players import prompts
from arena.players.context.drop_oldest import DropOldest
from arena.players.context.keep_whole import KeepWhole
from arena.players.context.log_entries import LogEntry, list_entries
from arena.players.context.overflow import FittedPrompt, OverflowPolicy, OverflowTask
from arena.players.context.picture_policy import (
    PicturePlan,
    PicturePolicy,
    PictureRef,
    drop_picture,
    older_pictures,
)
from arena.players.context.retrieve import Retrieve
from arena.players.context.script_summary import ScriptSummarizer
from arena.players.context.summarise import Summarise
from arena.players.context.talk_tokens import TalkTokens
from arena.players.context.token_budget import UNLIMITED, TokenBudget, make_budget
from arena.players.model_limits import ModelLimits
from arena.players.prompt_log import LogSnapshot, Prompt, PromptLog
from arena.players.wording import find_wording

MAX_SHRINKS: Final = 5
"""How often a prompt is shortened after refusals of the server, at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptRequest:
    """Required content of a prompt, and the tokens of its replies."""

    instruction: str
    reply: int
    usual_reply: int
    """Of a speech."""
    level: int = 0
    """Level of the new prompt; 0: the log can grow."""
    refused: int = 0
    """Tokens of the first prompt that the server refused, and of its reply."""
    refusals: int = 0
    """How often the server refused a prompt of this request."""
    step: str = ""
    """The step of a method and its attempt; empty: the prompt is for the request itself."""


class PromptBuilder:
    """The prompts of one seat in one match."""

    def __init__(
        self,
        model: ChatModel,
        limits: ModelLimits,
        *,
        share_with: "PromptBuilder | None" = None,
        reader: str = "",
    ) -> None:
        """Build the prompts of a seat with a separate log.

        `share_with`: another builder of the seat; both share picture notes and the script summary,
        which are made once per match. `reader` names a reader other than the seat.
        """
        self._budget = make_budget(limits)
        self._log = PromptLog()
        self._is_excerpt = share_with is not None
        self._pictures = (
            PicturePolicy(model, limits.picture_mode, self._budget, reader=reader)
            if share_with is None
            else share_with._pictures
        )
        self._script = ScriptSummarizer(model) if share_with is None else share_with._script
        self._policy = _make_policy(model, limits, self._script)
        self._shares = limits.shares if limits.overflow == "retrieve" else None
        self._talk = TalkTokens(self._budget.sizes)

    async def build(
        self, observation: Observation, request: DecisionRequest, wanted: PromptRequest
    ) -> Prompt:
        """Return a prompt that fits according to our token counts.

        Raises `ModelError` if rules and role alone are too long, and the errors of the calls that
        read pictures and summarise texts.
        """
        log = self._log.snapshot(observation, request)
        plan = await self._pictures.plan(observation, request, log.asked)
        budget = self._tighten(log, wanted)
        prompt = self._grow(observation, request, wanted, log, plan)
        board = tuple(ref.id for ref in plan.board)
        shares = None if self._shares is None else self._shares.of(request)

        def entries() -> tuple[LogEntry, ...]:
            return list_entries(observation, plan.show, self._pictures.limit, board)

        is_within = shares is None or self._is_within(shares, observation)
        can_grow = wanted.level == 0 and log.reusable and is_within
        # Growing is the normal case: the server has the whole beginning of the prompt in its cache.
        # A policy starts from the entries instead and pays a new prefill, so it runs only here.
        if can_grow and _fits(prompt, budget, wanted):
            return prompt
        task = OverflowTask(
            observation=observation,
            request=request,
            call_id=replace(
                self.call_id(request, prompt), level=max(1, wanted.level), chunk=wanted.step
            ),
            entries=entries(),
            tail=self._pictures.board(observation, plan),
            board=board,
            instruction=prompt.instruction,
            budget=budget,
            reply=wanted.reply,
            usual_reply=wanted.usual_reply,
            state=log.state,
            shares=shares or (UNLIMITED, UNLIMITED),
            part=_name_part(entries()) if self._is_excerpt else "",
        )
        return _reset(prompt, task, await self._policy.fit(task))

    def append(self, prompt: Prompt, replies: tuple[Message, ...]) -> None:
        """Add an answered prompt to the log."""
        self._log.append(prompt, replies)

    def mark_answered_elsewhere(self, observation: Observation, request: DecisionRequest) -> None:
        """Note that another player answered `request`: its words become lines of the log."""
        self._log.mark_answered_elsewhere(request.id, _attempt(observation, request))

    def count_tokens(self, prompt: Prompt) -> int:
        """Return the tokens of a prompt."""
        return self._budget.count(prompt.messages)

    @staticmethod
    def call_id(request: DecisionRequest, prompt: Prompt) -> CallId:
        """Return the id of the calls of a prompt."""
        return CallId(
            seat=request.seat,
            request=prompt.request,
            attempt=prompt.attempt,
            level=prompt.level,
        )

    def _is_within(self, shares: tuple[int, int], observation: Observation) -> bool:
        """Return whether script and talk are within their shares of a prompt."""
        script, dialogue = shares
        if self._budget.text_tokens(observation.own.script) > script:
            return False
        return self._talk.count(observation) <= dialogue

    def _tighten(self, log: LogSnapshot, wanted: PromptRequest) -> TokenBudget:
        """Return the budget of a request, reduced by earlier refusals of the server."""
        budget = self._budget
        if log.observed_limit:
            total = min(budget.total, log.observed_limit)
            budget = replace(budget, total=total, is_observed=True)
        if not wanted.refusals:
            return budget
        return budget.tighten(wanted.refused or UNLIMITED, wanted.refusals)

    def _grow(
        self,
        observation: Observation,
        request: DecisionRequest,
        wanted: PromptRequest,
        log: LogSnapshot,
        plan: PicturePlan,
    ) -> Prompt:
        """Return the prompt that extends the log; drop pictures beyond the limit."""
        now = len(observation.events)
        board = self._pictures.board(observation, plan) if plan.is_new else ()
        replied = self._log.requests_with_reply
        lines = prompts.lines(observation, log.events_covered, now, show=plan.show, replied=replied)
        prompt = Prompt(
            events_covered=now,
            request=request.id,
            attempt=_attempt(observation, request),
            base=log.messages,
            delta=(*lines, *board),
            instruction=Message(role="user", text=wanted.instruction),
            adjustments=plan.adjustments + (_record_board(request, plan) if board else ()),
        )
        return (
            prompt
            if self._pictures.limit is None
            else self._drop_pictures(observation, request, prompt, plan)
        )

    def _drop_pictures(
        self, observation: Observation, request: DecisionRequest, prompt: Prompt, plan: PicturePlan
    ) -> Prompt:
        """Return a prompt with its newest pictures; reset the log if any is dropped."""
        messages, say = (*prompt.base, *prompt.delta), find_wording(observation.language)
        most = self._pictures.limit
        old = set[int]() if most is None else older_pictures(messages, most)
        if not old:
            return prompt
        log = [
            drop_picture(say, message) if place in old else message
            for place, message in enumerate(messages)
        ]
        header = tuple(log[: prompts.HEADER_LENGTH])
        reset = replace(
            prompt,
            update="reset",
            base=(*header, *prompts.merge_text(log[prompts.HEADER_LENGTH :])),
            delta=(),
        )
        marked = PromptAdjusted(seat=request.seat, request=prompt.request, adjustment="log_reset")
        if plan.board:
            return replace(reset, adjustments=(*prompt.adjustments, marked))
        # A log always omits the oldest pictures first, so it holds the newest ones.
        held = plan.shown[-sum(message.picture is not None for message in messages) :]
        dropped = _record(request.seat, prompt.request, "pictures_dropped", held[: len(old)])
        return replace(reset, adjustments=(*prompt.adjustments, dropped, marked))


def _name_part(entries: Sequence[LogEntry]) -> str:
    """Return a name for these entries, since each step can have another excerpt."""
    return sha256(repr(entries).encode()).hexdigest()[:12]


def _attempt(observation: Observation, request: DecisionRequest) -> int:
    return observation.options.attempts - request.attempts_left + 1


def _fits(prompt: Prompt, budget: TokenBudget, wanted: PromptRequest) -> bool:
    if budget.total >= UNLIMITED:
        return True
    return budget.count(prompt.messages) <= budget.max_prompt(wanted.reply)


def _record_board(request: DecisionRequest, plan: PicturePlan) -> tuple[PromptAdjusted, ...]:
    gone = plan.shown[: len(plan.shown) - len(plan.board)]
    composed = _record(request.seat, request.id, "pictures_composed", plan.board)
    if not gone:
        return (composed,)
    return (composed, _record(request.seat, request.id, "pictures_dropped", gone))


def _record(
    seat: SeatId, request: str, adjustment: Adjustment, refs: tuple[PictureRef, ...]
) -> PromptAdjusted:
    names = tuple(ref.id for ref in refs)
    return PromptAdjusted(seat=seat, request=request, adjustment=adjustment, pictures=names)


def _reset(prompt: Prompt, task: OverflowTask, fitted: FittedPrompt) -> Prompt:
    """Return the prompt that resets the log.

    Its last adjustment records the tokens of the prompt that would have extended the log, those of
    the new prompt, and the limit; all include the instruction.
    """
    sizes = task.make_adjustment(
        "log_reset",
        tokens_before=task.budget.count(prompt.messages),
        tokens_after=task.count(fitted.base),
        token_limit=task.max_prompt,
    )
    # Entries hold no earlier requests and thoughts, so a reset loses those of the old log.
    has_turns = any(message.role == "assistant" for message in prompt.base)
    lost = (task.make_adjustment("own_turns_dropped"),) if has_turns else ()
    return replace(
        prompt,
        level=task.call_id.level,
        update="reset" if fitted.reusable else "single_use",
        base=fitted.base,
        delta=(),
        adjustments=(*prompt.adjustments, *fitted.adjustments, *lost, sizes),
        state=fitted.state,
        observed_limit=task.budget.total if task.budget.is_observed else 0,
    )


def _make_policy(model: ChatModel, limits: ModelLimits, script: ScriptSummarizer) -> OverflowPolicy:
    if limits.keeps_whole:
        return KeepWhole()
    match limits.overflow:
        case "summarise":
            return Summarise(model, script)
        case "retrieve":
            return Retrieve(MemoryIndex(limits.embedder, limits.searches))
        case "drop_oldest" | None:
            return DropOldest()
