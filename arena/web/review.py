"""Review of a match with its truth: silent ballots, and the audit of its claims.

The scores are computed elsewhere: the caller that starts the server passes a `Reviewer`.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import groupby

from arena.records.match_record import MatchRecord

CATEGORIES = ("true", "lie", "error", "unsupported", "unverifiable")
"""Categories of audited claims, in the order of a table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SilentVote:
    """Suspicion of a seat after the first `event` events, queried outside of the game."""

    seat: str
    event: int
    top: str
    """The likeliest candidate; empty: no legal answer."""
    share: float | None
    """Probability of the killers; None: no legal answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimNote:
    """A claim of a seat, and its audit result."""

    seat: str
    event: int
    """Number of the speech."""
    text: str
    category: str
    """One of `CATEGORIES`."""
    is_hedged: bool = False
    is_caught: bool = False
    """Whether a false claim was challenged or contradicted by another seat before the vote."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """Contents of a match page with the truth."""

    ballots: tuple[SilentVote, ...] = ()
    claims: tuple[ClaimNote, ...] = ()
    fault: str = ""
    """Why it cannot be read; empty: it can."""

    def claims_by_event(self) -> Mapping[int, tuple[ClaimNote, ...]]:
        """Return the claims of each speech."""
        ordered = sorted(self.claims, key=lambda one: one.event)
        return {number: tuple(some) for number, some in groupby(ordered, lambda one: one.event)}

    def counts(self) -> Mapping[str, Counter[str]]:
        """Return the number of claims in each category by seat."""
        found: dict[str, Counter[str]] = {}
        for one in self.claims:
            found.setdefault(one.seat, Counter())[one.category] += 1
        return found


Reviewer = Callable[[MatchRecord], Review]
"""Reviews a finished match; raises `ArenaError` if its record cannot be read."""


def review_nothing(record: MatchRecord) -> Review:
    """Return an empty review."""
    del record
    return Review()
