"""The summary of a match: the object that `--json` prints and `done.json` holds."""

from dataclasses import dataclass, field
from typing import Annotated, Final

from pydantic import Field

from arena.core.events import Outcome
from arena.records.record_schema import JsonCodec

Count = Annotated[int, Field(ge=0, lt=2**63)]
"""A number that every reader can add up, and SQLite can hold."""
Seconds = Annotated[float, Field(ge=0, allow_inf_nan=False)]
BUNDLED: Final = "bundled "
"""The flag of a match that a model which comes with the arena played begins so."""


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
    """Faction -> the served model that answered, or the player where it needs none."""
    outcome: Outcome
    votes: dict[str, str]
    """Seat -> its last vote; of several victims, on the last of them."""
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
    """Extra calls that made a text shorter."""
    steps: Count = 0
    """Extra calls that are questions of a method to its own model."""
    fallbacks: Count = 0
    """Turns without a valid answer, and steps without one."""
    victim_votes: dict[str, dict[str, str]] = field(default_factory=dict[str, dict[str, str]])
    """Victim -> seat -> its last vote on that victim; empty where there is one vote for all."""
    killers: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """Victim -> the seats that killed it, of the victims in `victim_votes`."""
    uncounted: str = ""
    """Why an outcome of play enters no rate of wins, such as a draw without a vote."""
    flags: tuple[str, ...] = ()
    """`untrained stand-in`, `bundled mini`, `naive-data:defaulted` and the like."""


SUMMARY: Final = JsonCodec[MatchSummary](MatchSummary, "the summary of a match")
"""How done.json reads."""
