"""The one thing that a player must be able to do."""

from dataclasses import dataclass
from random import Random
from typing import Protocol

from arena.core.actions import Action, Ask
from arena.core.views import View


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a seat does, and what the record must hold of how it came to it."""

    action: Action
    notes: tuple[str, ...] = ()


class Player(Protocol):
    """A strategy at one seat. It is told what its seat may know, and answers one ask at a time.

    Its memory must be a function of what it saw and of the replies that it was given, so that a
    match can be resumed from its record (PLAYERS 1.1).
    """

    async def act(self, view: View, ask: Ask, chance: Random) -> Answer:
        """Return the answer of this seat; chance is drawn from `chance` alone."""
        ...
