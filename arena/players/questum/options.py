"""Options of the player: one field for each point the paper leaves open or its code changes."""

from dataclasses import dataclass
from typing import Literal

from arena.players.methods.search_options import SearchOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestumPlayerOptions(SearchOptions):
    """Options of `questum`. The defaults follow the paper."""

    beta: float = 0.2
    """Weight of a seat's information gain so far, against the promise of further questions."""
    epsilon: float = 0.1
    """Probability of asking a random seat."""
    targets: Literal["one", "all"] = "one"
    """Whom the seat asks: the suspect with the best score, or, without a score, all suspects in
    turn; if the game names the target, `all` asks only suspects."""
    credit: Literal["asked", "all"] = "asked"
    """Seats that get credit for the gain of a round: the asked ones, or all suspects."""
    dense: bool = False
    """Whether a round in which a seat was not asked counts as a gain of 0."""
    random_from: Literal["suspects", "anyone"] = "suspects"
    """Seats from which a random target is drawn."""
    regrow: bool = False
    """Whether a pruned seat can become a suspect again."""
    reuse: bool = False
    """Whether pruning reuses the readings of a seat from before it was asked."""
    joint: bool = False
    """Whether pruning reads a suspect with one call instead of four."""
    killer_frames: bool = False
    """Whether the killer asks the seat that the others suspect most."""
    vote_from: Literal["all", "suspects"] = "all"
    """Candidates for the seat's vote."""

    def __post_init__(self) -> None:
        """Raise `ValueError` for weights and probabilities outside of [0, 1]."""
        super(QuestumPlayerOptions, self).__post_init__()
        if not (0 <= self.beta <= 1 and 0 <= self.epsilon <= 1):
            raise ValueError(
                f"beta and epsilon must be in [0, 1], got {self.beta:g} and {self.epsilon:g}"
            )
