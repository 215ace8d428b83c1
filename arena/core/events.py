"""What happened, in the past tense. A match is nothing but a list of these; none has a clock."""

from dataclasses import dataclass
from typing import Literal

from arena.core.actions import Fault, Phase, SeatId, Verb
from arena.core.options import Options

Outcome = Literal["civ_win", "murderer_win", "draw", "forfeit", "error"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """The match began: which script, which rules, who plays what."""

    script: str
    script_sha256: str
    language: str
    protocol: str
    options: Options
    seed: int
    seats: tuple[SeatId, ...]
    murderers: tuple[SeatId, ...]
    electorate: tuple[SeatId, ...]
    """Seats that vote."""
    civilian_player: str
    murderer_player: str
    """Contestants as named by the user."""
    civilian_served: str = ""
    murderer_served: str = ""
    """What really answers for them: the name under which a model is served; empty: no model."""
    marks: tuple[str, ...] = ()
    """What a reader of results must know, as `naive-data:defaulted`."""
    kind: Literal["opened"] = "opened"


@dataclass(frozen=True, slots=True, kw_only=True)
class Began:
    """A phase began; `order` is the order in which seats are asked, drawn or not."""

    phase: Phase
    round: int
    verbs: tuple[Verb, ...]
    """What each seat is asked for, in turn; empty where only the host acts."""
    order: tuple[SeatId, ...]
    candidates: tuple[SeatId, ...] = ()
    """A revote: the only seats that may be voted for."""
    kind: Literal["began"] = "began"


@dataclass(frozen=True, slots=True, kw_only=True)
class Revealed:
    """A clue came to the eyes of the seats `to`."""

    clue: str
    to: tuple[SeatId, ...]
    pictures: tuple[str, ...] = ()
    """Content hashes of its pictures, in order."""
    kind: Literal["revealed"] = "revealed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoke:
    """A seat said something that all hear: verb introduce, speak, share_and_ask or answer."""

    seat: SeatId
    ask: str
    verb: Verb
    text: str
    to: SeatId | None = None
    cut: bool = False
    """The text was longer than allowed and was cut at the end of a sentence."""
    kind: Literal["spoke"] = "spoke"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A seat put a question to another, which owes an answer."""

    seat: SeatId
    ask: str
    to: SeatId
    text: str
    cut: bool = False
    kind: Literal["asked"] = "asked"


@dataclass(frozen=True, slots=True, kw_only=True)
class Concluded:
    """A seat stated method and motive; all hear it unless reasoning is secret."""

    seat: SeatId
    ask: str
    method: str
    motive: str
    cut: bool = False
    kind: Literal["concluded"] = "concluded"


@dataclass(frozen=True, slots=True, kw_only=True)
class Voted:
    """A seat voted; nobody knows before the count unless the vote is open."""

    seat: SeatId
    ask: str
    choice: str
    """A seat, or `abstain`."""
    reason: str = ""
    cut: bool = False
    """Of the reason."""
    kind: Literal["voted"] = "voted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected:
    """A seat answered what it may not; it is asked again."""

    seat: SeatId
    ask: str
    fault: Fault
    came: str
    """What stood where something legal was wanted, at most 80 characters."""
    kind: Literal["rejected"] = "rejected"


@dataclass(frozen=True, slots=True, kw_only=True)
class Passed:
    """A seat gave no answer that counts; what the verb falls back to is what follows."""

    seat: SeatId
    ask: str
    verb: Verb
    reason: str
    fault: bool
    """False where the player declined by design."""
    kind: Literal["passed"] = "passed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """Something about how a seat answered that the record must hold, as an overflow of context."""

    seat: SeatId
    ask: str
    note: str
    kind: Literal["noted"] = "noted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """The votes were counted and told to all."""

    round: int
    votes: tuple[tuple[str, int], ...]
    leaders: tuple[str, ...]
    named: tuple[str, ...]
    kind: Literal["counted"] = "counted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Closed:
    """The match ended, and the truth is told."""

    outcome: Outcome
    murderers: tuple[SeatId, ...]
    forfeit_seat: SeatId | None = None
    """A seat of the contestant that used up its fault budget."""
    cause: str = ""
    """Of a forfeit or an error."""
    kind: Literal["closed"] = "closed"


Event = (
    Opened
    | Began
    | Revealed
    | Spoke
    | Asked
    | Concluded
    | Voted
    | Rejected
    | Passed
    | Noted
    | Counted
    | Closed
)
