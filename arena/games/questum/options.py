"""Options of the game: one field for each point that the paper leaves open or its code changes."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from arena.core.options import option, require_least
from arena.games.shared.options import VictimOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestumOptions(VictimOptions):
    """The options of `questum`."""

    rounds: int = option(3, "rounds of questions in each stage of the script")
    targets: Literal["one", "all"] = option(
        "one", "a seat that may ask chooses whom, or is asked for a question to each other seat"
    )
    per: Literal["victim", "round", "target"] = option(
        "victim",
        "in a round a seat asks about each victim, or about one that it chooses; target: about "
        "each victim and to each other seat, as it is where targets=all",
    )
    questions: int = option(1, "questions of a seat where it may put one: m of the paper")
    snapshot: Literal["off", "round"] = option(
        "off",
        "each question is answered at once, or all questions of a round are put at the same time "
        "and then all answered at the same time",
    )
    vote: Literal["secret", "none"] = option(
        "secret",
        "a vote on each victim, or none: then no side can win, and the match enters no win rate",
    )
    stages: Literal["apart", "whole"] = option(
        "apart", "each stage of a script is dealt before its own rounds, or all at once"
    )
    clues: Literal["all", "none"] = option(
        "all", "clues without an owner are shown to all when their stage begins, or never"
    )
    murderers_know_each_other: bool = option(False, "several murderers know one another")

    def __post_init__(self) -> None:
        """Raise `ValueError` for unplayable or contradictory values."""
        super(QuestumOptions, self).__post_init__()
        require_least(self, "rounds", 1, most=100)
        require_least(self, "questions", 1, most=10)
        if self.per == "target" and self.targets == "one":
            raise ValueError(
                "options per=target and targets=one contradict each other: a question to each "
                "other seat is targets=all; choose that, or per=victim"
            )


PRESETS: Mapping[str, Mapping[str, object]] = MappingProxyType(
    {
        "default": {},
        "short": {"rounds": 1, "speech_words": 80},
        "paper": {},
        "released": {"targets": "all", "vote": "none"},
    }
)
"""Values that differ from the default, which follows the paper. `short` is for hosts without a GPU.
The paper's code asks every suspect and holds no vote: a quiz after the match, a probe of the
platform, measures the seats' knowledge."""
