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
    """Action of a seat, and its player's reports for the record."""

    action: Action
    reports: tuple[PlayerEvent, ...] = ()


class Player(Protocol):
    """A strategy at one seat. It gets the seat's observation and answers one request at a time.

    Its memory must be a function of its observations and of the model's replies, so that a match
    can be resumed from its record.
    """

    async def act(
        self, observation: Observation, request: DecisionRequest, chance: Random
    ) -> Answer:
        """Return the answer of this seat; `chance` is the only source of randomness."""
        ...


@runtime_checkable
class Restorable(Protocol):
    """A player with a memory that a resumed match rebuilds from the record."""

    async def restore(
        self,
        observation: Observation,
        request: DecisionRequest,
        chance: Random,
        *,
        accepted: Reply | Skip | None,
    ) -> None:
        """Restore an earlier decision of this seat; the match calls this for each one, in order.

        `chance` is in the same state as at the decision.
        `accepted`: the accepted answer, possibly of another player or a person; None: the answer
        was rejected or missing.
        """
        ...
