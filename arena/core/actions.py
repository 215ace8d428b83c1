"""What a seat is asked for, and what it may answer (PROTOCOLS 1.3)."""

from dataclasses import dataclass
from typing import Literal, NewType

SeatId = NewType("SeatId", str)
"""A seat is named by its role's name, which is unique in a script."""

Verb = Literal[
    "introduce", "speak", "share_and_ask", "ask", "answer", "conclude", "vote", "ballot", "quiz"
]
Phase = Literal["introduction", "clues", "discussion", "reasoning", "voting", "probe"]

Fault = Literal["empty", "not_an_option", "unreadable", "no_reason", "wrong_kind"]
"""Why an answer does not count."""

ABSTAIN = "abstain"
"""The option of a vote that names nobody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """One question to one seat: the verb, and all that it may answer.

    `options` holds the legal choices (seats to question, seats to vote for, option letters); it is
    also the decoding constraint of a model. Empty: free text.
    """

    id: str
    """Unique in a match, and the same whenever the same match is played again."""
    seat: SeatId
    verb: Verb
    phase: Phase
    round: int = 1
    options: tuple[str, ...] = ()
    asker: SeatId | None = None
    """Who put the question that is to be answered."""
    question: str = ""
    """The question that is to be answered: of another seat, or of a quiz."""
    reason: bool = False
    """Whether a vote must come with its motive and method (W11 `vote_with_reason`)."""
    tries: int = 3
    """Answers that may still be given, this one included."""
    fault: Fault | None = None
    """Why the answer before was refused."""
    came: str = ""
    """What the answer before said where it should have been legal."""
    max_chars: int = 4000


@dataclass(frozen=True, slots=True, kw_only=True)
class Speak:
    """Say something: an introduction, an answer, a statement."""

    text: str
    kind: Literal["speak"] = "speak"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareAndAsk:
    """Share what is known, then put a question to one other seat, or to nobody."""

    share: str
    target: SeatId | None
    question: str
    kind: Literal["share_and_ask"] = "share_and_ask"


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Put a question to one other seat."""

    target: SeatId
    text: str
    kind: Literal["question"] = "question"


@dataclass(frozen=True, slots=True, kw_only=True)
class Conclude:
    """State how it was done and why."""

    method: str
    motive: str
    kind: Literal["conclude"] = "conclude"


@dataclass(frozen=True, slots=True, kw_only=True)
class Choose:
    """Choose one of the options: a vote, a ballot, a letter of a quiz."""

    option: str
    reason: str = ""
    kind: Literal["choose"] = "choose"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decline:
    """Do nothing, by the player's own design: no fault. A model's words never become this."""

    kind: Literal["decline"] = "decline"


@dataclass(frozen=True, slots=True, kw_only=True)
class Garbled:
    """Words that are no action: what was missing in them, and what came."""

    missing: str
    raw: str
    share: str = ""
    """The part of a two-part answer that could be read: kept when no try is left."""
    kind: Literal["garbled"] = "garbled"


Action = Speak | ShareAndAsk | Question | Conclude | Choose | Decline | Garbled
