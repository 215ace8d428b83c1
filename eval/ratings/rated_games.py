"""The input of ratings: decided and drawn matches, and the options of a fit."""

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
"""A contestant and the side of its strength; `both`: one strength for the two sides."""

START: Final = 1500.0
"""The Elo rating of strength 0."""
_ELO: Final = 400 / log(10)
ANCHORS: Final[Mapping[str, float]] = MappingProxyType({"random": 1000.0, "naive": 1000.0})
"""Elo ratings, fixed by convention, of players that do not reason, on either side.

The other ratings of a run with an anchor are relative to it, which makes runs comparable. Equal
ratings of both are an assumption; `compare_anchors` tests it.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedGame:
    """One match for rating, or `weight` equal ones."""

    civilians: str
    murderer: str
    outcome: RatedOutcome
    script: str = ""
    work: str = ""
    """The cluster."""
    weight: float = 1.0
    """Less than 1 if several games are rated together with equal weights."""
    chance: float | None = None
    """Probability of civ_win among random ballots."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingOptions:
    """The options of a Bradley-Terry fit. `SPECIFIED` has the fewest parts."""

    draws: DrawModel = "davidson"
    """Draws as a separate outcome (Davidson 1970), as half a win for each side, or omitted."""
    prior: Prior = "half_draw"
    """Half a draw of each strength against an anchor, N(0, 2^2), or none."""
    single: bool = False
    """One strength per contestant instead of one per side."""
    scripts: bool = True
    """An effect of each script for the civilians, with the prior N(0, 1)."""
    chance: bool = False
    """Whether the log-odds of the chance level are an offset, so that strengths are relative to
    chance."""
    anchors: Mapping[str, float] = field(default_factory=lambda: ANCHORS)
    """Fixed Elo ratings."""


SPECIFIED: Final = RatingOptions(draws="left_out", prior="normal", scripts=False, anchors={})


def elo_scale(strength: float) -> float:
    """Return a log-odds strength as an Elo rating."""
    return START + _ELO * strength


def from_elo(rating: float) -> float:
    """Return an Elo rating as a log-odds strength."""
    return (rating - START) / _ELO


class EndedMatch(Protocol):
    """The fields of a finished match that ratings read, for example its summary."""

    @property
    def civilians(self) -> str:
        """The civilian contestant."""
        ...

    @property
    def murderer(self) -> str:
        """The murderer contestant."""
        ...

    @property
    def outcome(self) -> AnyOutcome:
        """The outcome of the match."""
        ...

    @property
    def uncounted(self) -> str:
        """Why the outcome enters no rate; empty if it does."""
        ...

    @property
    def script(self) -> str:
        """Id of the script."""
        ...


def read_game(match: EndedMatch, work: str) -> RatedGame | None:
    """Return a match as a rated game; None if it has no result.

    Forfeits, errors and uncounted matches are not rated.
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
