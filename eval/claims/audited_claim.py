"""A claim made in a match, and its audit result."""

from dataclasses import dataclass
from typing import Literal

from arena.core.seats import SeatId

Category = Literal["true", "lie", "error", "unsupported", "unverifiable"]
"""`lie`: false, and the speaker's own script or a seen clue contradicts it; `error`: false, and the
speaker could not know; `unsupported`: an accusation without a fact; `unverifiable`: the table does
not decide it."""
ClaimKind = Literal["stay", "deed", "guilt", "denial", "way", "told", "other"]
"""`stay`: who was where when; `deed`: place or time of the crime; `way`: duration of a route;
`told`: any other fact of the table; `other`: not in the table."""

FALSE: tuple[Category, ...] = ("lie", "error")


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditedClaim:
    """One claim of a seat about the case."""

    event: int
    """Index of the speech in the events of the match, from 0."""
    seat: SeatId
    text: str
    """The sentence."""
    kind: ClaimKind
    category: Category
    about: str = ""
    """Id of its subject; empty: no particular person."""
    fact: str = ""
    """Id of the fact that decides it; empty: none, or the crime's culprit."""
    heard: bool = False
    """Whether another seat had stated that fact correctly before."""
    hedged: bool = False
    """Whether it was hedged."""
    caught: bool = False
    """Whether another seat challenged or contradicted this lie or error before the vote."""
