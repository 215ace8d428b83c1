"""Put one request to one seat, with its corrections. Everything here may wait; nothing decides."""

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
"""How often one request is put again because its server was down."""


class HealthProbe(Protocol):
    """A seat's server: asked whether it answers when a reply does not come."""

    async def is_up(self) -> bool:
        """Tell whether the server answers now."""
        ...

    async def wait_until_up(self) -> None:
        """Return when the server answers again, or raise `ModelError` when it is dead."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatBinding:
    """Who plays a seat, and where its model is served (None: it needs none)."""

    player: Player
    health: HealthProbe | None


async def _run_on() -> None:
    """Let a match that is never paused take its turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnControl:
    """How long a seat may take, and when its match may go on."""

    deadline: float
    """Seconds for one attempt."""
    wait_runnable: Callable[[], Awaitable[None]] = _run_on
    """Returns when the match may take its next turns; no deadline runs meanwhile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One answer of a seat as validation judged it, and how its prompt was adjusted."""

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
    """Return what the seat decides; corrections wait for no other seat and see nothing new."""
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
    """Return one answer, asked for again where the server was down; None: it came too late."""
    for _ in range(_MAX_RECOVERIES):
        chance = generator(seed, request.id, request.attempts_left)
        try:
            async with asyncio.timeout(control.deadline):
                return await seat.player.act(observation, request, chance)
        except TimeoutError:
            if seat.health is None or await seat.health.is_up():
                return None
        except EndpointUnavailableError:
            if seat.health is None:
                raise
        await seat.health.wait_until_up()
    raise ModelError(f"the server failed {_MAX_RECOVERIES} times while {request.seat!r} was asked")
