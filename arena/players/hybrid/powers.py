"""Powers: the secret roles in the rules of a talk, by the names of `SeatPart.power`."""

from typing import Final

SEER: Final = "seer"
WEREWOLF: Final = "werewolf"
POSSESSED: Final = "possessed"
