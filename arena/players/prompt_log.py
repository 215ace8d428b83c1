"""Prompt log of a seat: append-only, so each prompt begins with the last prompt and reply.

prompt(t+1) = prompt(t) + reply(t) + new observations + instruction. So the server has all but the
end of each prompt in its prefix cache. If the context is too small, a request resets the log: it
restarts from a shorter form of the observations, and grows from there.

Example: a seat has observed 4 events and introduces itself (turn 1: lines of events 0-3 with the
instruction, reply). Later it has observed 9: the prompt is header, turn 1, lines of events 4-8 with
the next instruction.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Literal

from arena.core.events import PromptAdjusted
from arena.core.observation import Observation
from arena.core.requests import DecisionRequest
from arena.models.chat import Message
from arena.players import prompts
from arena.players.context.overflow import SummaryState

LogUpdate = Literal["grow", "reset", "single_use"]
"""Effect of a prompt on its log: `grow` adds `delta`, `reset` replaces the log with `base`, and
`single_use` serves only its request."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """Messages for one request: the log, the observations since, and the instruction."""

    events_covered: int
    """How many events of the observation the messages cover."""
    request: str
    attempt: int
    level: int = 0
    """How many times the prompt was shortened to fit the context; 0: it is complete."""
    update: LogUpdate = "grow"
    base: tuple[Message, ...]
    delta: tuple[Message, ...] = ()
    instruction: Message
    adjustments: tuple[PromptAdjusted, ...] = ()
    """Omissions and replacements, for the record."""
    state: SummaryState | None = None
    """Summary state after a reset; None: the summary covers the same as before."""
    observed_limit: int = 0
    """Tokens that the server accepts, derived from its refusals; 0: it refused no prompt."""

    @property
    def messages(self) -> tuple[Message, ...]:
        """The whole prompt."""
        return prompts.add_instruction((*self.base, *self.delta), self.instruction)


@dataclass(frozen=True, slots=True, kw_only=True)
class LogSnapshot:
    """A log before a request."""

    messages: tuple[Message, ...]
    events_covered: int
    """How many events the messages cover."""
    state: SummaryState = field(default_factory=SummaryState)
    observed_limit: int = 0
    """The minimum over all prompts so far; 0: the server refused no prompt."""
    asked: tuple[int, ...] = ()
    """Number of observed events at each earlier request, in order."""
    reusable: bool = True
    """Whether the next prompt can extend it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Turn:
    """An answered prompt and the messages after it, the reply last."""

    prompt: Prompt
    replies: tuple[Message, ...]

    @property
    def order(self) -> tuple[int, str, int]:
        """Sort key of the turn in the log; it does not depend on when the reply came."""
        return self.prompt.events_covered, self.prompt.request, self.prompt.attempt


class PromptLog:
    """The log of one seat in one match. Its content does not depend on the timing of replies.

    Requests of a seat after the same events are simultaneous: none of them sees the reply to
    another. So a snapshot is computed from the turns each time, sorted by events, request and
    attempt, instead of extended in the order of replies. A resumed match gets the same prompts.
    """

    def __init__(self) -> None:
        self._turns: list[_Turn] = []
        self._headers: dict[str, tuple[Message, ...]] = {}
        """By private script, which differs between the requests of a reference reader."""
        self._answered_elsewhere: set[str] = set()

    @property
    def requests_with_reply(self) -> frozenset[str]:
        """The requests whose accepted reply is in the log as a reply."""
        found = {turn.prompt.request for turn in self._turns}
        return frozenset(found - self._answered_elsewhere)

    def append(self, prompt: Prompt, replies: tuple[Message, ...]) -> None:
        """Add an answered prompt: `replies` come after its instruction."""
        self._turns.append(_Turn(prompt=prompt, replies=replies))
        self._turns.sort(key=lambda turn: turn.order)

    def mark_answered_elsewhere(self, request: str, attempt: int) -> None:
        """Note that another player answered `request`: its words become lines of the log.

        A reply of this player to the same attempt was never used, so the log drops it.
        """
        self._answered_elsewhere.add(request)
        self._turns = [
            turn
            for turn in self._turns
            if (turn.prompt.request, turn.prompt.attempt) != (request, attempt)
        ]

    def snapshot(self, observation: Observation, request: DecisionRequest) -> LogSnapshot:
        """Return the log before `request`, without requests that are simultaneous with it."""
        now = len(observation.events)
        earlier = (
            turn
            for turn in self._turns
            if turn.prompt.events_covered < now
            or (turn.prompt.events_covered == now and turn.prompt.request == request.id)
        )
        script = observation.own.script
        if script not in self._headers:
            self._headers[script] = prompts.header(observation)
        log = LogSnapshot(messages=self._headers[script], events_covered=0)
        for _, turns in groupby(earlier, key=lambda turn: turn.prompt.events_covered):
            log = _add_turns(log, list(turns), request.id)
        return log


def _add_turns(log: LogSnapshot, turns: Sequence[_Turn], request: str) -> LogSnapshot:
    """Return the log after simultaneous turns, or after the attempts at one request."""
    first = turns[0].prompt
    messages, state, reusable = log.messages, log.state, log.reusable
    reset = _find_reset(turns)
    if reset is not None:
        # The reset's base covers the earlier attempts at its request, so drop those. It does not
        # cover turns of other requests, so these follow it.
        own = [
            turn
            for turn in turns
            if turn.prompt.request == reset.request and turn.prompt.attempt >= reset.attempt
        ]
        turns = [*own, *(turn for turn in turns if turn.prompt.request != reset.request)]
        messages, state = reset.base, reset.state or state
        # A single-use base only serves further attempts at the same request.
        reusable = reset.update == "reset" or reset.request == request
    elif first.events_covered > log.events_covered:
        # Simultaneous turns have the same delta: add it once.
        messages = (*messages, *first.delta)
    for turn in turns:
        messages = (*prompts.add_instruction(messages, turn.prompt.instruction), *turn.replies)
    limits = (log.observed_limit, *(turn.prompt.observed_limit for turn in turns))
    return LogSnapshot(
        messages=messages,
        events_covered=first.events_covered,
        state=state,
        observed_limit=min((limit for limit in limits if limit), default=0),
        asked=(*log.asked, first.events_covered),
        reusable=reusable,
    )


def _find_reset(turns: Sequence[_Turn]) -> Prompt | None:
    """Return the prompt that resets the log; of several simultaneous ones, the shortest form."""
    resets = [turn.prompt for turn in turns if turn.prompt.update != "grow"]
    if not resets:
        return None
    deepest = max(resets, key=lambda prompt: prompt.level)
    return [prompt for prompt in resets if prompt.request == deepest.request][-1]
