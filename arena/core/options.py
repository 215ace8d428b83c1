"""The options of a match: every ambiguity of a protocol as a field with its alternatives."""

from dataclasses import dataclass, fields
from typing import Literal, get_args, get_origin, get_type_hints

from arena.core.voting import Base, Quorum, Tie, VoteRule

Pictures = Literal["image", "ocr", "caption", "none"]
Order = Literal["script", "shuffled", "rotated"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options of the WhodunitBench protocol; W1 to W12 are those of PROTOCOLS 2.3."""

    rounds: int = 1
    """W1: rounds of discussion."""
    duties: Literal["one_ask", "two_asks"] = "one_ask"
    """W2: sharing and questioning in one ask, or speak first and ask then."""
    answers: Literal["immediate", "batched"] = "immediate"
    """W3: each question answered at once, or all questions and then all answers in one wave."""
    introductions: Literal["sequential", "together"] = "sequential"
    """W4."""
    clues: Literal["all", "civilians", "at_deal", "owner"] = "all"
    """W5: who sees the common clues, and when; `owner` deals them round robin."""
    reasoning: Literal["heard", "secret", "together"] = "heard"
    """W6: heard one after the other; by nobody; or stated in one wave, then heard."""
    vote: Literal["secret", "open"] = "secret"
    """W6."""
    quorum: Quorum = "plurality"
    """W7."""
    base: Base = "eligible"
    tie: Tie = "draw"
    revotes: int = 1
    """With `tie=revote`: how often the tied seats are voted on again; then the murderer wins."""
    electorate: Literal["all", "civilians"] = "all"
    """W8."""
    self_vote: bool = False
    """W9: whether a seat may vote for itself."""
    strict_one: bool = False
    """W10: refuse a script with several murderers."""
    vote_with_reason: bool = False
    """W11."""
    order: Order = "script"
    pictures: Pictures = "image"
    tries: int = 3
    max_chars: int = 4000
    max_faults: int | None = None
    """Fallbacks that a contestant may have; None: half of its asks, judged at the end."""

    def __post_init__(self) -> None:
        """Refuse values that no match could be played with."""
        for name, least in (("rounds", 1), ("revotes", 0), ("tries", 1), ("max_chars", 1)):
            if getattr(self, name) < least:
                raise ValueError(f"option {name!r} must be >= {least}, got {getattr(self, name)}")
        if self.max_faults is not None and self.max_faults < 0:
            raise ValueError(f"option 'max_faults' must be >= 0, got {self.max_faults}")

    @property
    def vote_rule(self) -> VoteRule:
        """How ballots are counted."""
        return VoteRule(quorum=self.quorum, base=self.base, tie=self.tie)


def legal_values() -> dict[str, str]:
    """Return what each option may be, in words: for help texts and errors."""
    hints = get_type_hints(Options)
    return {field.name: _spell(hints[field.name]) for field in fields(Options)}


def _spell(hint: object) -> str:
    if get_origin(hint) is Literal:
        return " | ".join(str(value) for value in get_args(hint))
    if hint is bool:
        return "yes | no"
    return "a whole number" if hint is int else "a whole number or none"
