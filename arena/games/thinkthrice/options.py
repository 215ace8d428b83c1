"""Options of the game: one field for each point that the paper leaves open or its code changes."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from arena.core.options import Order, option, require_least
from arena.core.seats import SeatId
from arena.core.voting import Tie
from arena.games.shared.options import VoteOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class ThinkThriceOptions(VoteOptions):
    """The options of `thinkthrice`."""

    order: Order = option(
        "shuffled",
        "who is asked first: script order, drawn for each phase, or rotated each round",
    )
    rounds_before: int = option(2, "rounds of open questions before the clue cards")
    rounds_after: int = option(3, "rounds of open questions after the clue cards")
    first_questions: Literal["chain", "together"] = option(
        "chain",
        "questions after an introduction: each is answered before the next one is put, or all are "
        "put at the same time, then all answered at the same time",
    )
    cards: Literal["all", "dealt"] = option(
        "all", "each clue card is shown to all, or dealt to one seat, which may speak of it"
    )
    refuse: bool = option(False, "the murderer may refuse to answer a question")
    vote: Literal["choice", "free_text"] = option(
        "choice",
        "a vote is one of the names, or a text: it counts for the one seat whose name it holds",
    )
    ballots: int = option(10, "ballots of each seat, none of which knows of another")
    count: Literal["elections", "pooled"] = option(
        "elections",
        "several ballots are elections of their own, the first of which decides the match, or all "
        "are counted together",
    )
    tell_count: bool = option(True, "all hear how many votes each seat has")
    tie: Tie = option(
        "none",
        "several seats named: a draw, the murderer wins, one is drawn, a revote, or any murderer "
        "among them counts",
    )
    self_vote: bool = option(True, "a seat may vote for itself")
    stages: Literal["whole", "apart"] = option(
        "whole",
        "a script in stages is read as a whole, or its later stages are dealt with the clue cards",
    )

    def __post_init__(self) -> None:
        """Raise `ValueError` for unplayable or contradictory values."""
        super(ThinkThriceOptions, self).__post_init__()
        for name in ("rounds_before", "rounds_after"):
            require_least(self, name, 0, most=100)
        require_least(self, "ballots", 1, most=100)
        if self.ballots > 1 and self.tie == "revote":
            raise ValueError(
                f"options ballots={self.ballots} and tie=revote contradict each other: a vote is "
                "held again only where each seat has one ballot; choose ballots=1 or another tie"
            )

    @property
    def elections(self) -> int:
        """Number of counts: one for each ballot, or one for all."""
        return self.ballots if self.count == "elections" else 1

    def candidates(self, seats: tuple[SeatId, ...], voter: SeatId) -> tuple[SeatId, ...]:
        """Return the candidates among `seats` for the vote of `voter`."""
        return tuple(seat for seat in seats if self.self_vote or seat != voter)


PRESETS: Mapping[str, Mapping[str, object]] = MappingProxyType(
    {
        "default": {},
        "short": {"rounds_before": 1, "rounds_after": 1, "ballots": 1, "speech_words": 80},
        "paper": {},
        "released": {"ballots": 1, "tell_count": False},
    }
)
"""Values that differ from the default. `short` is for hosts without a GPU. The default is the most
literal reading of the paper; its code takes one ballot of each seat and does not count them, so
`released` hides the count, which only labels the match, from the seats."""
