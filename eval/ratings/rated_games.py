"""What ratings are made of: decided and drawn matches, and how they are to be read."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import log
from types import MappingProxyType
from typing import Final, Literal, Protocol

from arena.core.events import Outcome as AnyOutcome

RatedOutcome = Literal["civ_win", "murderer_win", "draw"]
RatingSide = Literal["civilians", "murderer", "both"]
DrawModel = Literal["davidson", "half", "left_out"]
Prior = Literal["half_draw", "normal", "none"]
StrengthKey = tuple[str, RatingSide]
"""A contestant and the side on which it has this strength; `both`: one strength for the two."""

START: Final = 1500.0
"""The Elo rating of strength 0."""
_ELO: Final = 400 / log(10)
ANCHORS: Final[Mapping[str, float]] = MappingProxyType({"random": 1000.0, "naive": 1000.0})
"""Elo ratings, fixed by convention, of players that do not reason, on either side.

All other ratings of a run in which one plays are relative to it, so that two runs compare. That
both have the same is an assumption; `compare_anchors` says whether the matches speak against it.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedGame:
    """One match as ratings see it, or `weight` equal ones."""

    civilians: str
    murderer: str
    outcome: RatedOutcome
    script: str = ""
    work: str = ""
    """The cluster."""
    weight: float = 1.0
    """Less than 1 where several games are rated together and each is to count the same."""
    chance: float | None = None
    """Probability of civ_win among random ballots."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingOptions:
    """How Bradley-Terry strengths are fitted. `SPECIFIED` has the fewest parts."""

    draws: DrawModel = "davidson"
    """A probability of its own (Davidson 1970), half a win for each side, or left out."""
    prior: Prior = "half_draw"
    """Half a draw of each strength against an anchor, N(0, 2^2), or none."""
    single: bool = False
    """One strength a contestant instead of one a side."""
    scripts: bool = True
    """An effect of each script for the civilians, with the prior N(0, 1)."""
    chance: bool = False
    """The log-odds of the chance level are added, so that strengths are those beyond chance."""
    anchors: Mapping[str, float] = field(default_factory=lambda: ANCHORS)
    """Elo ratings that are not fitted."""


SPECIFIED: Final = RatingOptions(draws="left_out", prior="normal", scripts=False, anchors={})


def elo_scale(strength: float) -> float:
    """Return a log-odds strength as an Elo rating."""
    return START + _ELO * strength


def from_elo(rating: float) -> float:
    """Return an Elo rating as a log-odds strength."""
    return (rating - START) / _ELO


class EndedMatch(Protocol):
    """What ratings read of a match that came to an end, such as its summary."""

    @property
    def civilians(self) -> str:
        """The contestant."""
        ...

    @property
    def murderer(self) -> str:
        """The contestant."""
        ...

    @property
    def outcome(self) -> AnyOutcome:
        """How it ended."""
        ...

    @property
    def uncounted(self) -> str:
        """Why the outcome enters no rate; empty where it does."""
        ...

    @property
    def script(self) -> str:
        """Id of the script."""
        ...


def read_game(match: EndedMatch, work: str) -> RatedGame | None:
    """Return a match as ratings see it; None where it has no result.

    Forfeits, errors and matches whose game says that they do not count are not rated.
    """
    outcome = match.outcome
    if match.uncounted or outcome == "forfeit" or outcome == "error":  # noqa: PLR1714 - narrows the type
        return None
    return RatedGame(
        civilians=match.civilians,
        murderer=match.murderer,
        outcome=outcome,
        script=match.script,
        work=work,
    )
