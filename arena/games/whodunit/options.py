"""Options of the game: one field for each point that the paper leaves open or its code changes."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from arena.core.options import option, require_least
from arena.games.shared.options import VoteOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class WhodunitOptions(VoteOptions):
    """The options of `whodunit`."""

    rounds: int = option(
        3, "rounds of discussion; of a script in stages, in each stage that is read apart"
    )
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
        shares_most="at_deal",
    )
    reasoning: Literal["heard", "secret", "together"] = option(
        "heard", "conclusions are heard one after the other, by no other seat, or stated together"
    )
    vote: Literal["secret", "open"] = option(
        "secret",
        "votes are public after the count, or at once; an open vote becomes secret where a player "
        "never votes, since the seat that is missing would give the murderer away",
    )
    electorate: Literal["all", "civilians"] = option("all", "who votes")
    stages: Literal["whole", "apart"] = option(
        "whole",
        "a script in stages is read as a whole, or each stage before its own rounds of discussion",
    )
    strict_one: bool = option(False, "refuse a script with several murderers")
    murderers_know_each_other: bool = option(False, "several murderers know one another")
    vote_with_reason: bool = option(False, "a vote comes with method and motive")

    def __post_init__(self) -> None:
        """Raise `ValueError` for unplayable or contradictory values."""
        super(WhodunitOptions, self).__post_init__()
        require_least(self, "rounds", 1, most=100)
        if self.electorate == "civilians" and self.vote == "open":
            raise ValueError(
                "options electorate=civilians and vote=open contradict each other: the seat that "
                "does not vote would be seen to be the murderer; choose vote=secret"
            )

    def tells_ballots(self, *, all_vote: bool) -> bool:
        """Return whether all seats see who voted for whom after the count.

        False if a revote is possible and some seat never votes: this would expose the murderer.
        `all_vote`: no player of the match declares that it never votes.
        """
        return self.tie != "revote" or (all_vote and self.electorate == "all")


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
"""Values that differ from the default. `short` is for hosts without a GPU, `long` is for the
benchmarks' reference workload; `paper` and `released` follow WhodunitBench's text and its data
(`released` also needs the player `naive-data`); `wide` lets as many seats as possible decide
simultaneously."""
