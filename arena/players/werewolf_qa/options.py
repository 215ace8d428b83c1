"""Options of the player: one field wherever the paper is silent or differs from its code."""

from dataclasses import dataclass
from typing import Literal

from arena.players.methods.search_options import SearchOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class WerewolfQaOptions(SearchOptions):
    """Options of `werewolf-qa`."""

    target: Literal["robin", "model"] = "robin"
    """Whom the seat asks: the others one after the other, from a random one on, or whom the model
    names when it picks the question."""
    targets: Literal["one", "all"] = "one"
    """Whether a turn asks the seat of `target`, or, as in the released code, every seat is asked
    about a victim before any is asked again, in the order of the script. A game that gives a seat a
    turn for each of the others names whom to ask itself."""
    exchanges: int = 5
    """Exchanges that prompts for questions and answers hold of the talk: those nearest in meaning
    to what is asked; 0: all of it."""

    def __post_init__(self) -> None:
        """Refuse a negative number of exchanges, and two rules for whom to ask."""
        super(WerewolfQaOptions, self).__post_init__()
        if self.exchanges < 0:
            raise ValueError(f"exchanges must be >= 0, got {self.exchanges}")
        if self.targets == "all" and self.target == "model":
            raise ValueError("all seats are asked in turn, so target=model has nothing to choose")
