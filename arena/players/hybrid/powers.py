"""The secret roles that the rules of a talk know, by the names of `SeatPart.power`."""

from typing import Final

SEER: Final = "seer"
WEREWOLF: Final = "werewolf"
POSSESSED: Final = "possessed"
