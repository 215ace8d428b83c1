"""Player of a person. A desk shows the requests: a terminal, a web page, or a test."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Final, Protocol

from arena.core.actions import Action, Skip
from arena.core.observation import Observation
from arena.core.purposes import Purpose
from arena.core.requests import DecisionRequest
from arena.core.seats import SeatId
from arena.errors import ConfigError
from arena.players.player import Answer

HUMAN_PLAYER: Final = "human"
"""The contestant of a faction in which persons play all seats."""


class HumanDesk(Protocol):
    """Interface to a person. It gets one request at a time."""

    async def ask(
        self, observation: Observation, request: DecisionRequest, seconds: float | None
    ) -> Action:
        """Return the person's answer within `seconds`; None: without a time limit.

        The desk itself repeats the request if an answer is not an option, empty or too long, so
        that it costs no attempt. The caller cancels it at the time limit. Raises `PersonLeftError`
        if the person leaves the match.
        """
        ...


Desks = Mapping[SeatId, HumanDesk]
"""The desk of each person, by seat."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HumanOptions:
    """Options of a person: there are none."""


class HumanPlayer:
    """Player of a person: it forwards requests to the desk and enforces the time limit itself.

    After the time limit `act` raises `TimeoutError`. The player has no memory, so a resumed match
    continues with the open request.
    """

    def __init__(self, desk: HumanDesk, time_limit: float | None = None) -> None:
        """Ask at `desk`, and wait at most `time_limit` seconds for each answer."""
        self._desk, self._time_limit = desk, time_limit
        self._free = asyncio.Lock()

    async def act(
        self, observation: Observation, request: DecisionRequest, chance: Random
    ) -> Answer:
        """Return the person's answer; simultaneous requests wait for one another.

        A person gets no silent ratings, since the match does not depend on them, and no onlooker
        requests, since someone who knows a role cannot judge as an onlooker.
        """
        del chance
        if request.onlooker or (request.off_path and request.purpose == Purpose.RATE):
            return Answer(action=Skip())
        async with self._free, asyncio.timeout(self._time_limit):
            return Answer(action=await self._desk.ask(observation, request, self._time_limit))


class NoDesk:
    """Desk of a contestant `human` without a person."""

    async def ask(
        self, observation: Observation, request: DecisionRequest, seconds: float | None
    ) -> Action:
        """Raise `ConfigError`."""
        del observation, seconds
        raise ConfigError(
            f"no person sits at {request.seat!r}; a person plays with `arena play SCRIPT --as ROLE`"
        )
