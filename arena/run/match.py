"""Play one match: ask the players, let the rules decide, hand on what happens. All waits here."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Protocol

from arena.core.actions import Ask, SeatId
from arena.core.asking import asks
from arena.core.events import Event, Noted
from arena.core.rules import Setup, decide, fail, give_up, open_match
from arena.core.state import MatchState, fold
from arena.core.views import view
from arena.errors import ArenaError, DownError, ModelError
from arena.players.player import Answer, Player

MOST_RECOVERIES = 3
"""How often one ask is put again because its server was down."""

Happened = Callable[[MatchState, Event], None]
"""Is handed every event, with the state after it, before anything follows from it."""


class Health(Protocol):
    """Where a seat's model is: asked whether it is there when an answer does not come."""

    async def is_up(self) -> bool:
        """Tell whether the server answers now."""
        ...

    async def wait_until_up(self) -> None:
        """Return when the server answers again, or raise `ModelError` when it is dead."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """Who plays a seat, and where its model is (None: it needs none)."""

    player: Player
    health: Health | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NoAnswer:
    """A seat was too slow."""

    reason: str


Came = Answer | NoAnswer | ArenaError
"""A `ModelError` ends the match as an error; any other is raised once the wave is in."""

GivenUp = frozenset[tuple[str, int]]
"""Asks that a record says were given up, each with the tries that were left."""


async def _go_on() -> None:
    """Let a match that nobody holds back take its turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How long a seat may take, where a record says that it took too long, and when to go on."""

    deadline: float
    """Seconds an ask."""
    given_up: GivenUp = frozenset()
    turn: Callable[[], Awaitable[None]] = _go_on
    """Returns when the match may take its next turns; no deadline runs meanwhile."""

    @property
    def reason(self) -> str:
        """What is written of a seat that is given up."""
        return f"no answer within {self.deadline:g} s"


async def play(
    setup: Setup, seats: Mapping[SeatId, Seat], *, pace: Pace, happened: Happened
) -> MatchState:
    """Play a match to its end.

    A seat that is too slow passes; a server that stays away ends the match as an error. Raises
    what `happened` raises, and a `StoreError` of a player whose calls cannot be kept.
    """
    state = _told(MatchState(script=setup.script), open_match(setup), happened)
    while pending := asks(state):
        await pace.turn()
        for ask, came in await _ask_all(pending, state, seats, pace):
            state = _told(state, _following(state, ask, came), happened)
            if state.closed:
                break
    return state


def _told(state: MatchState, events: Sequence[Event], happened: Happened) -> MatchState:
    for event in events:
        state = fold(state, event)
        happened(state, event)
    return state


def _following(state: MatchState, ask: Ask, came: Came) -> tuple[Event, ...]:
    match came:
        case ModelError():
            return (fail(state, cause=str(came)),)
        case ArenaError():
            raise came
        case NoAnswer(reason=reason):
            return give_up(state, ask, reason=reason)
        case Answer(action=action, notes=notes):
            noted = tuple(Noted(seat=ask.seat, ask=ask.id, note=note) for note in notes)
            return (*noted, *decide(state, ask, action))


async def _ask_all(
    pending: tuple[Ask, ...],
    state: MatchState,
    seats: Mapping[SeatId, Seat],
    pace: Pace,
) -> list[tuple[Ask, Came]]:
    async with asyncio.TaskGroup() as group:
        tasks = [
            group.create_task(ask_seat(seats[ask.seat], ask, state, pace), name=ask.id)
            for ask in pending
        ]
    return [(ask, task.result()) for ask, task in zip(pending, tasks, strict=True)]


async def ask_seat(seat: Seat, ask: Ask, state: MatchState, pace: Pace) -> Came:
    """Put one ask to one seat, again where its server was down; errors come back as values."""
    if (ask.id, ask.tries) in pace.given_up:
        return NoAnswer(reason=pace.reason)
    try:
        for _ in range(MOST_RECOVERIES):
            came = await _try(seat, ask, state, pace)
            if came is not None:
                return came
    except ArenaError as error:
        return error
    return ModelError(f"the server failed {MOST_RECOVERIES} times while {ask.seat} was asked")


async def _try(seat: Seat, ask: Ask, state: MatchState, pace: Pace) -> Came | None:
    """Return what came of the ask; None: the server was down and is up again."""
    chance = Random(f"{state.opening.seed}/{ask.id}/{ask.tries}")
    try:
        async with asyncio.timeout(pace.deadline):
            return await seat.player.act(view(state, ask.seat), ask, chance)
    except TimeoutError:
        if seat.health is None or await seat.health.is_up():
            return NoAnswer(reason=pace.reason)
    except DownError:
        if seat.health is None:
            raise
    await seat.health.wait_until_up()
    return None
