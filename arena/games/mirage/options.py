"""Options of the game: one field for each point that the paper leaves open or its code changes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from arena.core.options import option, require_least
from arena.core.seats import SeatId
from arena.core.voting import Tie
from arena.games.shared.options import VoteOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class MirageOptions(VoteOptions):
    """The options of `mirage`."""

    tie: Tie = option(
        "none",
        "several seats named: a draw, the murderer wins, one is drawn, a revote, or any murderer "
        "among them counts",
    )
    rounds: int = option(5, "rounds of conversation")
    rounds_in: Literal["stage", "match"] = option(
        "stage", "of a script in stages: so many rounds in each, or shared out over all of them"
    )
    duties: Literal["merged", "separate"] = option(
        "merged", "a seat speaks and acts in one turn, or all speak first and then all act"
    )
    introductions: Literal["first", "each_stage"] = option(
        "first", "in the first stage only, or in every stage"
    )
    clue_draw: Literal["random", "listed", "all"] = option(
        "random", "what a search finds: a clue by lot, the next of the script, or all of the place"
    )
    own_place: bool = option(False, "a seat may search a place that bears the name of its role")
    forced_investigations: int = option(0, "searches of every seat at the end of a stage")
    vote: Literal["accuse_then_vote", "direct", "doubt"] = option(
        "accuse_then_vote",
        "a vote on the seats that were accused, on all seats, or on all seats with a ranking by "
        "doubt",
    )
    accusers_vote: bool = option(True, "who accused a seat may vote for it")
    rank: Literal["votes", "doubt"] = option(
        "votes",
        "order of the seats at the end: by votes, or by votes times seats, plus suspicion, minus "
        "trust",
    )
    raters: Literal["characters", "observer", "none"] = option(
        "characters",
        "who rates suspicion and trust: every seat all others after each round of conversation, a "
        "neutral onlooker each turn of speech, or nobody",
    )
    expose: Literal["none", "every", "once"] = option(
        "none",
        "a confession that the host puts before what the murderer says: never, before every "
        "public speech, or before the introduction",
    )
    reruns: Literal["corrected", "same_prompt"] = option(
        "corrected", "after a faulty answer: the same request with what was wrong, or as it was"
    )
    murderers_know_each_other: bool = option(False, "several murderers know one another")

    def __post_init__(self) -> None:
        """Raise `ValueError` for unplayable or contradictory values."""
        super(MirageOptions, self).__post_init__()
        require_least(self, "rounds", 1, most=100)
        require_least(self, "forced_investigations", 0, most=100)
        if self.ranks_by_doubt and self.raters == "none":
            name = "rank=doubt" if self.rank == "doubt" else "vote=doubt"
            raise ValueError(
                f"options {name} and raters=none contradict each other: doubt is counted from "
                "ratings; choose raters=characters or raters=observer"
            )
        if not self.accusers_vote and self.vote != "accuse_then_vote":
            raise ValueError(
                f"options accusers_vote=no and vote={self.vote} contradict each other: no "
                "accusations precede such a vote; choose vote=accuse_then_vote"
            )

    @property
    def ranks_by_doubt(self) -> bool:
        """Whether doubt counts in the ranking of the seats, not only votes."""
        return "doubt" in {self.vote, self.rank}

    def candidates(
        self, seats: Iterable[SeatId], voter: SeatId, accused: str = ""
    ) -> tuple[SeatId, ...]:
        """Return which of `seats` may be in the vote of `voter`; `accused`: the seat it accused."""
        barred = {
            *(() if self.self_vote else (voter,)),
            *(() if self.accusers_vote else (accused,)),
        }
        return tuple(seat for seat in seats if seat not in barred)


PRESETS: Mapping[str, Mapping[str, object]] = MappingProxyType(
    {
        "default": {},
        "short": {"rounds": 1, "speech_words": 80, "raters": "none"},
        "paper": {"duties": "separate"},
        "released": {
            "raters": "observer",
            "vote": "doubt",
            "self_vote": True,
            "reruns": "same_prompt",
            "attempts": 20,
        },
    }
)
"""Values that differ from the default. `short` is for hosts without a GPU; `paper` and `released`
follow MIRAGE's text and its code (`released` also needs players with a context budget of 1,500
tokens)."""
