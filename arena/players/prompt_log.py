"""A seat's prompt log: it only grows, so that a prompt begins with the prompt and reply before.

prompt(t+1) = prompt(t) + reply(t) + what was observed since, with what is asked now. Where the
context is too small, a request resets the log: it starts again from a shorter form of what was
observed, and then grows from there.

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
"""What a prompt does to its log: it adds `delta`, it replaces the log with `base`, or it was made
for its request alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """Messages for one request: the log, what was observed since, and the instruction."""

    events_covered: int
    """How many events of the observation the messages tell."""
    request: str
    attempt: int
    level: int = 0
    """0: nothing was left out to fit the context; else how often it was tried with less."""
    update: LogUpdate = "grow"
    base: tuple[Message, ...]
    delta: tuple[Message, ...] = ()
    instruction: Message
    adjustments: tuple[PromptAdjusted, ...] = ()
    """What was left out or replaced, for the record."""
    state: SummaryState | None = None
    """Of a log that was reset; None: what the summary covers did not change."""
    observed_limit: int = 0
    """Tokens that a server was found to take after it refused a prompt; 0: it refused none."""

    @property
    def messages(self) -> tuple[Message, ...]:
        """The whole prompt."""
        return prompts.add_instruction((*self.base, *self.delta), self.instruction)


@dataclass(frozen=True, slots=True, kw_only=True)
class LogSnapshot:
    """A log as it is before a request."""

    messages: tuple[Message, ...]
    events_covered: int
    """How many events the messages tell."""
    state: SummaryState = field(default_factory=SummaryState)
    observed_limit: int = 0
    """The least that a server was found to take; 0: it refused no prompt."""
    asked: tuple[int, ...] = ()
    """How many events had been observed at each earlier request, in order."""
    reusable: bool = True
    """Whether the prompt may go on from it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Turn:
    """A prompt that was answered, and the messages after it, its reply last."""

    prompt: Prompt
    replies: tuple[Message, ...]

    @property
    def place(self) -> tuple[int, str, int]:
        """Where the turn belongs in the log, whenever its reply came."""
        return self.prompt.events_covered, self.prompt.request, self.prompt.attempt


class PromptLog:
    """The log of one seat in one match. What it contains does not depend on when replies came.

    Requests at which the seat had observed the same events belong to one wave: none of them sees
    the reply to another.
    """

    def __init__(self) -> None:
        self._turns: list[_Turn] = []
        self._header: tuple[Message, ...] = ()
        self._answered_elsewhere: set[str] = set()

    @property
    def replied(self) -> frozenset[str]:
        """The requests whose accepted reply the log holds, or will hold."""
        found = {turn.prompt.request for turn in self._turns}
        return frozenset(found - self._answered_elsewhere)

    def append(self, prompt: Prompt, replies: tuple[Message, ...]) -> None:
        """Add an answered prompt: `replies` come after its instruction."""
        self._turns.append(_Turn(prompt=prompt, replies=replies))
        self._turns.sort(key=lambda turn: turn.place)

    def mark_answered_elsewhere(self, request: str, attempt: int) -> None:
        """Note that another player answered `request`: its words become lines of the log.

        A reply of this player to the same attempt was never heard, so that it is forgotten.
        """
        self._answered_elsewhere.add(request)
        self._turns = [
            turn
            for turn in self._turns
            if (turn.prompt.request, turn.prompt.attempt) != (request, attempt)
        ]

    def snapshot(self, observation: Observation, request: DecisionRequest) -> LogSnapshot:
        """Return the log before `request`; other requests of its wave leave no trace."""
        now = len(observation.events)
        earlier = (
            turn
            for turn in self._turns
            if turn.prompt.events_covered < now
            or (turn.prompt.events_covered == now and turn.prompt.request == request.id)
        )
        self._header = self._header or prompts.header(observation)
        log = LogSnapshot(messages=self._header, events_covered=0)
        for _, wave in groupby(earlier, key=lambda turn: turn.prompt.events_covered):
            log = _add_wave(log, list(wave), request.id)
        return log


def _add_wave(log: LogSnapshot, turns: Sequence[_Turn], request: str) -> LogSnapshot:
    """Return the log after the turns of one wave, or the attempts at one request."""
    first = turns[0].prompt
    messages, state, reusable = log.messages, log.state, log.reusable
    reset = _find_reset(turns)
    if reset is not None:
        # What came before an attempt that reset the log is told by that attempt, or not at all.
        own = [
            turn
            for turn in turns
            if turn.prompt.request == reset.request and turn.prompt.attempt >= reset.attempt
        ]
        turns = [*own, *(turn for turn in turns if turn.prompt.request != reset.request)]
        messages, state = reset.base, reset.state or state
        reusable = reset.update == "reset" or reset.request == request
    elif first.events_covered > log.events_covered:
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
    """Return the prompt with which a wave reset the log: the one that left out most."""
    resets = [turn.prompt for turn in turns if turn.prompt.update != "grow"]
    if not resets:
        return None
    deepest = max(resets, key=lambda prompt: prompt.level)
    return [prompt for prompt in resets if prompt.request == deepest.request][-1]
