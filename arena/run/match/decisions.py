"""Decision of one request by one seat, with retries after rejected answers. No rules here."""

from asyncio import timeout
from dataclasses import dataclass, field, replace
from random import Random
from typing import Protocol

from arena.core.action_validation import Invalid, validate
from arena.core.actions import Reply, Skip
from arena.core.chance import generator
from arena.core.events import PlayerEvent
from arena.core.observation import Observation, observe_request
from arena.core.requests import DecisionRequest
from arena.core.state import MatchState
from arena.errors import ArenaError, EndpointUnavailableError, ModelError, UnanswerableError
from arena.models.retrying import Backoff, exponential_backoff, retry_after_seconds
from arena.players.player import Answer, Player
from arena.run.match.answer_clock import AnswerClock

OFF_PATH_AT_ONCE = 8
"""Maximum number of concurrent silent requests of one match."""
_OFF_PATH_DEADLINES = 10
"""Deadline factor of silent requests. They have the lowest priority, so a slow answer says nothing
about the seat.
"""
_MAX_TRIES = 8
"""Maximum attempts at one request whose server fails; with the pauses, at least a minute."""


class ServerHealth(Protocol):
    """Health of a seat's server, and the clock of the deadlines there."""

    @property
    def clock(self) -> AnswerClock:
        """Return the clock that counts while the server could answer."""
        ...

    async def wait_until_up(self, cause: str) -> None:
        """Wait until the server answers again after `cause`, or raise `ModelError`.

        The error says that the server is dead, or that it now serves another model.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatBinding:
    """The player of a seat, and the health of its server (None: it needs no model)."""

    player: Player
    health: ServerHealth | None
    deadlines: int = 1
    """Deadlines of one answer: the number of sequential calls of the player."""
    keeps_time: bool = False
    """The player has its own clock and raises `TimeoutError`: the run's deadline does not apply."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnControl:
    """Deadline of a seat, and the pauses between its attempts."""

    deadline: float
    """Seconds for one call of an attempt, counted while the model could have answered."""
    backoff: Backoff = field(default_factory=exponential_backoff)
    """Pause before a request that its server failed is repeated."""

    def relax(self) -> "TurnControl":
        """Return the control of silent requests."""
        return replace(self, deadline=_OFF_PATH_DEADLINES * self.deadline)


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One answer of a seat after validation, and its player's reports."""

    result: Reply | Skip | Invalid
    reports: tuple[PlayerEvent, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """All attempts at one request; the last one was accepted, or was the last allowed.

    `timed_out`: after these attempts, no answer came in time. `unanswerable`: a silent request that
    cannot be sent to its model, or that the model refuses. `error`: a `ModelError` ends the match
    as an error; any other is raised. Errors take effect after all simultaneous requests are
    decided.
    """

    attempts: tuple[Attempt, ...]
    timed_out: bool = False
    unanswerable: bool = False
    error: ArenaError | None = None


def decision_chance(state: MatchState, request: DecisionRequest) -> Random:
    """Return the generator of one answer; retries and a resumed match get the same draws."""
    return generator(state.started.seed, request.id, request.attempts_left)


async def decide(
    seat: SeatBinding, request: DecisionRequest, state: MatchState, control: TurnControl
) -> Decision:
    """Return the decision of the seat; its corrections neither wait for nor see other seats."""
    observation = observe_request(state, request)
    attempts: list[Attempt] = []
    while True:
        try:
            answer = await _answer(seat, observation, request, control, state)
        except ArenaError as error:
            if request.off_path and isinstance(error, UnanswerableError):
                # The match does not depend on this answer, so a missing answer does not end it.
                return Decision(attempts=tuple(attempts), unanswerable=True)
            return Decision(attempts=tuple(attempts), error=error)
        if answer is None:
            return Decision(attempts=tuple(attempts), timed_out=True)
        result = validate(request, answer.action)
        attempts.append(Attempt(result=result, reports=answer.reports))
        if not isinstance(result, Invalid) or request.attempts_left == 1:
            return Decision(attempts=tuple(attempts))
        request = request.with_error(result.error)


async def _answer(
    seat: SeatBinding,
    observation: Observation,
    request: DecisionRequest,
    control: TurnControl,
    state: MatchState,
) -> Answer | None:
    """Return one answer; None: it came too late.

    A server failure is not the seat's fault. An attempt that the server fails (busy, broken or
    unreachable) is repeated after a pause, with its full deadline. Answered calls of the failed
    attempt are in the record, so they are not repeated.
    """
    clock = None if seat.health is None else seat.health.clock
    seconds = None if seat.keeps_time else seat.deadlines * control.deadline
    for failed in range(1, _MAX_TRIES + 1):
        chance = decision_chance(state, request)
        try:
            async with clock.limit(seconds) if clock and seconds else timeout(seconds):
                return await seat.player.act(observation, request, chance)
        except TimeoutError:
            return None
        except EndpointUnavailableError as error:
            if seat.health is None:
                raise
            if failed == _MAX_TRIES:
                raise ModelError(
                    f"the server failed {failed} times on a request to {request.seat!r}; last "
                    f"error: {error}"
                ) from error
            cause, requested = str(error), retry_after_seconds(error)
        await control.backoff(failed, requested)
        await seat.health.wait_until_up(cause)
    raise AssertionError("the last try returns or raises")
