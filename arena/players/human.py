"""A person at a seat. How it is asked is a matter of its desk: a terminal, a page, or a test."""

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
"""The contestant of a side whose seats persons play, all of them."""


class HumanDesk(Protocol):
    """Where a person is asked. It is asked one request at a time."""

    async def ask(
        self, observation: Observation, request: DecisionRequest, seconds: float | None
    ) -> Action:
        """Return the person's answer; it has `seconds` from now, None: any time.

        The desk itself asks again where an answer is none of the options, empty or too long, so
        that no attempt is used up. It is cancelled when the time is over. Raises
        `PersonLeftError` where the person leaves the match.
        """
        ...


Desks = Mapping[SeatId, HumanDesk]
"""The desk of each person, by its seat."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HumanOptions:
    """A person has no options."""


class HumanPlayer:
    """Player of a person: it asks at the desk, and keeps the time of each answer itself.

    Where the time is over, `act` raises `TimeoutError`. It remembers nothing, so a resumed match
    goes on with the request that was open.
    """

    def __init__(self, desk: HumanDesk, time_limit: float | None = None) -> None:
        """Ask at `desk`, and wait `time_limit` seconds at most for an answer."""
        self._desk, self._time_limit = desk, time_limit
        self._free = asyncio.Lock()

    async def act(
        self, observation: Observation, request: DecisionRequest, chance: Random
    ) -> Answer:
        """Return the person's answer; of several requests at once, one after the other.

        Silent ratings are not put to a person: nothing that happens depends on them, and a person
        that knows a role cannot judge as an onlooker.
        """
        del chance
        if request.onlooker or (request.off_path and request.purpose == Purpose.RATE):
            return Answer(action=Skip())
        async with self._free, asyncio.timeout(self._time_limit):
            return Answer(action=await self._desk.ask(observation, request, self._time_limit))


class NoDesk:
    """The desk of a contestant `human` for which nobody sits down."""

    async def ask(
        self, observation: Observation, request: DecisionRequest, seconds: float | None
    ) -> Action:
        """Raise `ConfigError`."""
        del observation, seconds
        raise ConfigError(
            f"no person sits at {request.seat!r}; a person plays with `arena play SCRIPT --as ROLE`"
        )
