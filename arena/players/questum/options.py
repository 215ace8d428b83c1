"""Options of the player: one field wherever the paper is silent or differs from its code."""

from dataclasses import dataclass
from typing import Literal

from arena.players.methods.search_options import SearchOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestumPlayerOptions(SearchOptions):
    """Options of `questum`. The defaults follow the paper."""

    beta: float = 0.2
    """Weight of the information that a seat brought before, against what it promises."""
    epsilon: float = 0.1
    """Probability of asking a random seat."""
    targets: Literal["one", "all"] = "one"
    """Whom the seat asks: the suspect with the best score, or, without a score, all suspects in
    turn; where the game names whom to ask, `all` asks suspects alone."""
    credit: Literal["asked", "all"] = "asked"
    """To whom the gain of a round is credited: those who were asked, or all suspects."""
    dense: bool = False
    """Whether a round in which a seat was not asked counts as a gain of 0."""
    random_from: Literal["suspects", "anyone"] = "suspects"
    """From whom a random seat is drawn."""
    regrow: bool = False
    """Whether a seat that was struck off may become a suspect again."""
    reuse: bool = False
    """Whether the shortening of the list uses what was read of a seat before it was asked."""
    joint: bool = False
    """Whether the shortening of the list reads all of a suspect in one call instead of four."""
    killer_frames: bool = False
    """Whether the killer asks whom the others suspect most."""
    vote_from: Literal["all", "suspects"] = "all"
    """For whom the seat may vote."""

    def __post_init__(self) -> None:
        """Refuse weights and probabilities outside of [0, 1]."""
        super(QuestumPlayerOptions, self).__post_init__()
        if not (0 <= self.beta <= 1 and 0 <= self.epsilon <= 1):
            raise ValueError(
                f"beta and epsilon must be in [0, 1], got {self.beta:g} and {self.epsilon:g}"
            )
