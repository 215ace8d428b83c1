"""The options of a match: every ambiguity of a protocol as a field with its alternatives."""

from dataclasses import dataclass, field, fields
from typing import Any, Literal, get_args, get_origin, get_type_hints

from arena.core.voting import Base, Quorum, Tie, VoteRule

Pictures = Literal["image", "ocr", "caption", "none"]
Order = Literal["script", "shuffled", "rotated"]


def _of(default: Any, about: str) -> Any:
    """Return a field with its default and what it means in words."""
    return field(default=default, metadata={"about": about})


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options of the WhodunitBench protocol; W1 to W12 are those of PROTOCOLS 2.3."""

    rounds: int = _of(1, "rounds of discussion (W1)")
    duties: Literal["one_ask", "two_asks"] = _of(
        "one_ask", "share and question in one answer, or speak first and ask then (W2)"
    )
    answers: Literal["immediate", "batched"] = _of(
        "immediate", "each question answered at once, or all questions, then all answers (W3)"
    )
    introductions: Literal["sequential", "together"] = _of(
        "sequential", "later introductions hear earlier ones, or none hears another (W4)"
    )
    clues: Literal["all", "civilians", "at_deal", "owner"] = _of(
        "all",
        "common clues go to all after the introductions, to the civilians alone, to all at the "
        "deal, or are dealt out one by one (W5)",
    )
    reasoning: Literal["heard", "secret", "together"] = _of(
        "heard", "conclusions are heard one after the other, by nobody, or stated together (W6)"
    )
    vote: Literal["secret", "open"] = _of(
        "secret", "votes are heard after the count or at once (W6)"
    )
    quorum: Quorum = _of("plurality", "votes that name a seat: most, over half, at least half (W7)")
    base: Base = _of("eligible", "half of all who may vote, or of the votes cast")
    tie: Tie = _of(
        "draw",
        "several seats named: a draw, nobody is named, one by lot, a revote (then the murderer "
        "wins), or any murderer among them counts",
    )
    revotes: int = _of(1, "with tie=revote, how often")
    electorate: Literal["all", "civilians"] = _of("all", "who votes (W8)")
    self_vote: bool = _of(False, "a seat may vote for itself (W9)")
    strict_one: bool = _of(False, "refuse a script with several murderers (W10)")
    vote_with_reason: bool = _of(False, "a vote comes with method and motive (W11)")
    order: Order = _of(
        "script", "who is asked first: script order, drawn a phase, or rotated a round"
    )
    pictures: Pictures = _of("image", "pictures as they are, their text, their description, none")
    tries: int = _of(3, "answers to one ask, the first one included")
    max_chars: int = _of(4000, "a longer text is cut at the end of a sentence")
    max_faults: int | None = _of(
        None, "asks that a contestant may fail before it forfeits; none: half of its asks"
    )

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


def meanings() -> dict[str, str]:
    """Return what each option means, in words."""
    return {one.name: one.metadata["about"] for one in fields(Options)}


def legal_values() -> dict[str, str]:
    """Return what each option may be, in words: for help texts and errors."""
    hints = get_type_hints(Options)
    return {one.name: _spell(hints[one.name]) for one in fields(Options)}


def _spell(hint: object) -> str:
    if get_origin(hint) is Literal:
        return " | ".join(str(value) for value in get_args(hint))
    if hint is bool:
        return "yes | no"
    return "a whole number" if hint is int else "a whole number or none"
