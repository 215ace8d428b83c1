"""A claim that was made in a match, and what the audit says of it."""

from dataclasses import dataclass
from typing import Literal

from arena.core.seats import SeatId

Category = Literal["true", "lie", "error", "unsupported", "unverifiable"]
"""`lie`: false, and the speaker's own script or a clue that it saw says otherwise; `error`: false,
and it could not know; `unsupported`: an accusation without a fact; `unverifiable`: the table is
silent."""
ClaimKind = Literal["stay", "deed", "guilt", "denial", "way", "told", "other"]
"""`stay`: who was where when; `deed`: where or when the deed was done; `way`: how long a way takes;
`told`: anything else that a fact of the table tells; `other`: what no fact tells."""

FALSE: tuple[Category, ...] = ("lie", "error")


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditedClaim:
    """One thing that a seat said of the case."""

    event: int
    """Index of the speech in the events of the match, from 0."""
    seat: SeatId
    text: str
    """The sentence."""
    kind: ClaimKind
    category: Category
    about: str = ""
    """Id of the person it is about; empty: of nobody in particular."""
    fact: str = ""
    """Id of the fact that decides it; empty: none, or the crime's culprit."""
    heard: bool = False
    """Whether another seat had told that fact truly before."""
    hedged: bool = False
    """Whether it was put as a guess."""
    caught: bool = False
    """A lie or an error that another seat challenged or contradicted before the vote."""
