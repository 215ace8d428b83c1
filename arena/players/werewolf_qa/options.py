"""Options of the player: one field wherever the paper is silent or differs from its code."""

from dataclasses import dataclass
from typing import Literal

from arena.players.searching import SearchingOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class WerewolfQaOptions(SearchingOptions):
    """Options of `werewolf-qa`."""

    target: Literal["robin", "model"] = "robin"
    """Whom the seat asks: the others one after the other, from a random one on, or whom the model
    names when it picks the question."""
    exchanges: int = 5
    """Exchanges that prompts for questions and answers hold of the talk: those nearest in meaning
    to what is asked; 0: all of it."""

    def __post_init__(self) -> None:
        """Refuse a negative number of exchanges."""
        super(WerewolfQaOptions, self).__post_init__()
        if self.exchanges < 0:
            raise ValueError(f"exchanges must be >= 0, got {self.exchanges}")
