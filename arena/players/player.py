"""Player: the interface of a strategy."""

from dataclasses import dataclass
from random import Random
from typing import Protocol, runtime_checkable

from arena.core.actions import Action, Reply, Skip
from arena.core.events import PlayerEvent
from arena.core.observation import Observation
from arena.core.requests import DecisionRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Action of a seat, and what its player reports of its work, for the record."""

    action: Action
    reports: tuple[PlayerEvent, ...] = ()


class Player(Protocol):
    """A strategy at one seat. It sees what its seat may know, and answers one request at a time.

    Its memory must be a function of what it saw and of the replies that it was given, so that a
    match can be resumed from its record.
    """

    async def act(
        self, observation: Observation, request: DecisionRequest, chance: Random
    ) -> Answer:
        """Return the answer of this seat; chance is drawn from `chance` alone."""
        ...


@runtime_checkable
class Restorable(Protocol):
    """A player with a memory, which a resumed match rebuilds from the record."""

    async def restore(
        self,
        observation: Observation,
        request: DecisionRequest,
        chance: Random,
        *,
        accepted: Reply | Skip | None,
    ) -> None:
        """Remember an earlier decision of this seat: the match calls this for each, in order.

        `chance` draws what it drew then.
        `accepted` is the answer that counted; None: it did not count, or did not come. Another
        player, or a person, may have given it.
        """
        ...
