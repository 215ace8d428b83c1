"""Options of the player: one field for each point the paper leaves open or its code changes."""

from dataclasses import dataclass
from typing import Literal

from arena.players.methods.search_options import SearchOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class WerewolfQaOptions(SearchOptions):
    """Options of `werewolf-qa`."""

    target: Literal["robin", "model"] = "robin"
    """Whom the seat asks: the others in turn, from a random one, or the seat that the model names
    when it picks the question."""
    targets: Literal["one", "all"] = "one"
    """Whether a turn asks the seat of `target`, or, as in the released code, every seat is asked
    about a victim before any is asked again, in the order of the script. A game that gives a seat a
    turn for each of the others names whom to ask itself."""
    exchanges: int = 5
    """Exchanges in prompts for questions and answers: those with embeddings nearest to the
    question; 0: all."""

    def __post_init__(self) -> None:
        """Raise `ValueError` for negative `exchanges`, and for two rules of the target."""
        super(WerewolfQaOptions, self).__post_init__()
        if self.exchanges < 0:
            raise ValueError(f"exchanges must be >= 0, got {self.exchanges}")
        if self.targets == "all" and self.target == "model":
            raise ValueError("all seats are asked in turn, so target=model has nothing to choose")
