"""Seats of a match and their factions."""

from dataclasses import dataclass
from typing import Literal, NewType

SeatId = NewType("SeatId", str)
"""A seat has the name of its role; names are unique in a script."""

Faction = Literal["civilians", "murderer"]
"""The side of one contestant. The murderer's faction can have several seats."""

Audience = tuple[SeatId, ...] | Literal["all", "host"]
"""Who may know an event: some seats, everyone, or only the record and its readers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatPart:
    """The part of one seat in this match, decided when the match starts."""

    seat: SeatId
    faction: Faction
    power: str = ""
    """A special role in the game's vocabulary, such as a seer; empty: none."""
    guilty_of: tuple[str, ...] = ()
    """Victims that this seat killed."""
    knows: tuple[SeatId, ...] = ()
    """Seats whose faction this seat knows from the start, beyond its own."""
