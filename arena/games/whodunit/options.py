"""The options of the game: one field wherever the paper is silent or differs from its code."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from arena.core.options import GameOptions, option, require_least
from arena.core.voting import Quorum, QuorumBase, Tie, TieAfterRevote, VoteRule


@dataclass(frozen=True, slots=True, kw_only=True)
class WhodunitOptions(GameOptions):
    """The options of `whodunit`."""

    rounds: int = option(3, "rounds of discussion")
    duties: Literal["one_ask", "two_asks"] = option(
        "one_ask", "share and question in one answer, or in two"
    )
    answers: Literal["immediate", "batched"] = option(
        "immediate", "each question answered at once, or all questions, then all answers"
    )
    introductions: Literal["sequential", "together"] = option(
        "sequential", "later introductions hear earlier ones, or none hears another"
    )
    clues: Literal["all", "civilians", "at_deal", "owner"] = option(
        "all",
        "common clues are shown to all after the introductions, to the civilians only, to all "
        "before the introductions, or dealt to one seat each",
    )
    reasoning: Literal["heard", "secret", "together"] = option(
        "heard", "conclusions are heard one after the other, by no other seat, or stated together"
    )
    vote: Literal["secret", "open"] = option(
        "secret",
        "votes are public after the count, or at once; an open vote becomes secret where a player "
        "never votes, since the seat that is missing would give the murderer away",
    )
    quorum: Quorum = option("plurality", "votes that name a seat: most, over half, at least half")
    base: QuorumBase = option("eligible", "half of all who may vote, or of the votes cast")
    tie: Tie = option(
        "draw",
        "several seats named: a draw, the murderer wins, one is drawn, a revote, or any murderer "
        "among them counts",
    )
    revotes: int = option(1, "with tie=revote: how often")
    revote_then: TieAfterRevote = option("none", "with tie=revote: a tie after the last revote")
    electorate: Literal["all", "civilians"] = option("all", "who votes")
    self_vote: bool = option(False, "a seat may vote for itself")
    strict_one: bool = option(False, "refuse a script with several murderers")
    murderers_know_each_other: bool = option(False, "several murderers know one another")
    vote_with_reason: bool = option(False, "a vote comes with method and motive")

    def __post_init__(self) -> None:
        """Refuse values with which no match can be played, or that contradict each other."""
        super(WhodunitOptions, self).__post_init__()
        require_least(self, "rounds", 1, most=100)
        require_least(self, "revotes", 1, most=100)
        if self.electorate == "civilians" and self.vote == "open":
            raise ValueError(
                "options electorate=civilians and vote=open contradict each other: the seat that "
                "does not vote would be seen to be the murderer; choose vote=secret"
            )
        if self.quorum == "majority" and self.tie == "revote":
            raise ValueError(
                "options quorum=majority and tie=revote contradict each other: two seats never "
                "both have over half of the votes; choose quorum=plurality or quorum=half"
            )

    def tells_ballots(self, *, all_vote: bool) -> bool:
        """Tell whether all hear who voted for whom once the votes are counted.

        Not where a revote may follow and some seat never votes: it would be seen to be the
        murderer. `all_vote`: no player of the match declares that it never votes.
        """
        return self.tie != "revote" or (all_vote and self.electorate == "all")

    def vote_rule(self, ballot: int) -> VoteRule:
        """Return how the ballots of a vote are counted; `ballot` is 1, for a revote 2 and more."""
        is_last = ballot > self.revotes
        return VoteRule(
            quorum=self.quorum, base=self.base, tie=self.last_tie if is_last else self.tie
        )

    @property
    def last_tie(self) -> TieAfterRevote:
        """Result of a tie without a further revote; no accusation is a draw if that is one."""
        return self.revote_then if self.tie == "revote" else self.tie


PRESETS: Mapping[str, Mapping[str, object]] = MappingProxyType(
    {
        "default": {},
        "short": {"rounds": 1, "speech_words": 80},
        "long": {"rounds": 5},
        "paper": {"rounds": 1, "speech_words": 150, "vote": "open", "quorum": "majority"},
        "released": {
            "rounds": 1,
            "speech_words": 150,
            "electorate": "civilians",
            "self_vote": True,
        },
        "wide": {"introductions": "together", "answers": "batched", "reasoning": "together"},
    }
)
"""Values that differ from the default. `short` is for hosts without a GPU, `long` is what the
benchmarks' reference workload plays; `paper` and `released`
follow WhodunitBench's text and its data (`released` also wants the player `naive-data`); `wide`
lets as many seats as possible decide at the same time."""
