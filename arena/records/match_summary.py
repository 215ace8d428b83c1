"""Summary of a match: the object that `--json` prints and `done.json` stores."""

from dataclasses import dataclass, field
from typing import Annotated, Final

from pydantic import Field

from arena.core.events import Outcome
from arena.records.record_schema import JsonCodec

Count = Annotated[int, Field(ge=0, lt=2**63)]
"""A number that readers can sum and SQLite can store."""
Seconds = Annotated[float, Field(ge=0, allow_inf_nan=False)]
BUNDLED: Final = "bundled "
"""Prefix of the flag of a match that a bundled model played."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchSummary:
    """Summary of one match."""

    match: str
    script: str
    game: str
    civilians: str
    """The contestant as named on the command line."""
    murderer: str
    model_served: dict[str, str]
    """Faction -> the served model that answered, or the player if it needs none."""
    outcome: Outcome
    votes: dict[str, str]
    """Seat -> its last vote; with several victims, on the last of them."""
    truth: tuple[str, ...]
    """The murderers."""
    turns: Count
    """Requests that a model answered."""
    rejected: Count
    """Answers that were rejected."""
    prompt_tokens: Count
    cached_tokens: Count | None
    """None: no server reports them."""
    output_tokens: Count
    seconds: Seconds
    """Wall time from the first event to the last."""
    record: str
    """The match's folder."""
    forfeit_seat: str | None
    error_cause: str
    seed: Count
    language: str
    run: str
    events: Count
    """Lines of events.jsonl when the match was complete."""
    readings: Count = 0
    """Extra calls that read a picture for a seat's notes."""
    summaries: Count = 0
    """Extra calls that shorten a text."""
    steps: Count = 0
    """Extra calls for the steps of a method."""
    fallbacks: Count = 0
    """Turns without a valid answer, and steps without one."""
    victim_votes: dict[str, dict[str, str]] = field(default_factory=dict[str, dict[str, str]])
    """Victim -> seat -> its last vote on that victim; empty if one vote covers all victims."""
    killers: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """Victim -> the seats that killed it, for the victims in `victim_votes`."""
    uncounted: str = ""
    """Why an outcome of play is excluded from win rates, such as a draw without a vote."""
    flags: tuple[str, ...] = ()
    """For example `untrained stand-in`, `bundled mini` or `naive-data:defaulted`."""


SUMMARY: Final = JsonCodec[MatchSummary](MatchSummary, "the summary of a match")
"""Codec of done.json."""
