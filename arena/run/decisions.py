"""Put one request to one seat, and put it again after a rejected answer. No rules here."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from arena.core.actions import Reply, Skip
from arena.core.chance import generator
from arena.core.events import PromptAdjusted
from arena.core.observation import Observation, observe
from arena.core.requests import DecisionRequest
from arena.core.state import MatchState
from arena.core.validation import Invalid, validate
from arena.errors import ArenaError, EndpointUnavailableError, ModelError
from arena.players.player import Answer, Player

_MAX_RECOVERIES = 3
"""Attempts at one request while its server goes down again and again."""


class HealthProbe(Protocol):
    """Health of a seat's server, checked if a reply does not arrive."""

    async def is_up(self) -> bool:
        """Return whether the server answers now."""
        ...

    async def wait_until_up(self) -> None:
        """Wait until the server answers again, or raise `ModelError` if it is dead."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatBinding:
    """The player of a seat, and the health of its server (None: it needs no model)."""

    player: Player
    health: HealthProbe | None


async def _run_on() -> None:
    """Return at once: this match never pauses."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnControl:
    """Deadline of a seat, and the permission of its match to continue."""

    deadline: float
    """Seconds for one attempt."""
    wait_runnable: Callable[[], Awaitable[None]] = _run_on
    """Returns once the match may start its next turns; the deadline does not run before that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One answer of a seat after validation, and how its prompt was adjusted."""

    result: Reply | Skip | Invalid
    adjustments: tuple[PromptAdjusted, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """All attempts at one request, the last one accepted, or rejected with none left.

    `timed_out`: no answer came in time after those attempts. `error`: a `ModelError` ends the match
    as an error; any other is raised when all simultaneous requests are in.
    """

    attempts: tuple[Attempt, ...]
    timed_out: bool = False
    error: ArenaError | None = None


async def decide(
    seat: SeatBinding, request: DecisionRequest, state: MatchState, control: TurnControl
) -> Decision:
    """Return the decision of the seat; its corrections neither wait for nor see other seats."""
    observation = observe(state, request.seat)
    seed = state.started.seed
    attempts: list[Attempt] = []
    while True:
        try:
            answer = await _answer(seat, observation, request, control, seed)
        except ArenaError as error:
            return Decision(attempts=tuple(attempts), error=error)
        if answer is None:
            return Decision(attempts=tuple(attempts), timed_out=True)
        result = validate(request, answer.action)
        attempts.append(Attempt(result=result, adjustments=answer.adjustments))
        if not isinstance(result, Invalid) or request.attempts_left == 1:
            return Decision(attempts=tuple(attempts))
        request = request.after(result.error)


async def _answer(
    seat: SeatBinding,
    observation: Observation,
    request: DecisionRequest,
    control: TurnControl,
    seed: int,
) -> Answer | None:
    """Return one answer, after further requests if the server was down; None: it came too late."""
    for _ in range(_MAX_RECOVERIES):
        chance = generator(seed, request.id, request.attempts_left)
        try:
            async with asyncio.timeout(control.deadline):
                return await seat.player.act(observation, request, chance)
        except TimeoutError:
            # Only a server that is up proves that the seat was slow. If it is down, the seat is not
            # at fault: wait for the server and ask again.
            if seat.health is None or await seat.health.is_up():
                return None
        except EndpointUnavailableError:
            if seat.health is None:
                raise
        await seat.health.wait_until_up()
    raise ModelError(f"the server failed {_MAX_RECOVERIES} times while {request.seat!r} was asked")
