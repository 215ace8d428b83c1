"""Options that several games share."""

from dataclasses import dataclass, replace
from typing import Literal

from arena.core.options import GameOptions, option, require_least
from arena.core.voting import Quorum, QuorumBase, Tie, TieAfterRevote, VoteRule


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteOptions(GameOptions):
    """Options of a vote. A game redeclares a field to change its default."""

    quorum: Quorum = option("plurality", "votes that name a seat: most, over half, at least half")
    base: QuorumBase = option("eligible", "half of all who may vote, or of the votes cast")
    tie: Tie = option(
        "draw",
        "several seats named: a draw, the murderer wins, one is drawn, a revote, or any murderer "
        "among them counts",
    )
    revotes: int = option(1, "with tie=revote: how often")
    revote_then: TieAfterRevote = option("none", "with tie=revote: a tie after the last revote")
    self_vote: bool = option(False, "a seat may vote for itself")

    def __post_init__(self) -> None:
        """Raise `ValueError` for unplayable or contradictory values."""
        super(VoteOptions, self).__post_init__()
        require_least(self, "revotes", 1, most=100)
        if self.quorum == "majority" and self.tie == "revote":
            raise ValueError(
                "options quorum=majority and tie=revote contradict each other: two seats never "
                "both have over half of the votes; choose quorum=plurality or quorum=half"
            )

    def vote_rule(self, ballot: int) -> VoteRule:
        """Return the rule of a ballot; `ballot` is 1, for revotes 2 and more."""
        is_last = ballot > self.revotes
        return VoteRule(
            quorum=self.quorum, base=self.base, tie=self.last_tie if is_last else self.tie
        )

    @property
    def last_tie(self) -> TieAfterRevote:
        """Rule for a tie without a further revote; `draw` applies too if the vote names no seat."""
        return self.revote_then if self.tie == "revote" else self.tie

    def last_rule(self) -> VoteRule:
        """Return the rule without a further revote."""
        return replace(self.vote_rule(1), tie=self.last_tie)


MatchRule = Literal["all", "any", "more_than_half"]
"""The murders that the civilians must solve to win a match with several victims."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VictimOptions(VoteOptions):
    """Options of a vote on each victim. The defaults follow Questum's rules."""

    quorum: Quorum = option("half", "votes that name a seat: most, over half, at least half")
    tie: Tie = option(
        "none",
        "several seats named: the murder is undecided, unsolved, one is drawn, a revote, or any "
        "murderer of the victim among them counts",
    )
    self_vote: bool = option(False, "a seat may vote for itself, unless it murdered the victim")
    match_rule: MatchRule = option(
        "all", "the civilians win if they solve all murders, any of them, or more than half"
    )
