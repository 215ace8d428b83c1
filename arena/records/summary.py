"""The summary of a match: the object that `--json` prints and `done.json` holds."""

from dataclasses import dataclass
from typing import Final

from arena.core.events import Outcome
from arena.records.schema import JsonCodec


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
    """Seat -> its last vote."""
    truth: tuple[str, ...]
    """The murderers."""
    turns: int
    """Requests that a model answered."""
    rejected: int
    """Answers that were rejected."""
    prompt_tokens: int
    cached_tokens: int | None
    """None: no server reports them."""
    output_tokens: int
    seconds: float
    """Wall time from the first event to the last."""
    record: str
    """The match's folder."""
    forfeit_seat: str | None
    error_cause: str
    seed: int
    language: str
    run: str
    events: int
    """Lines of events.jsonl when the match was complete."""
    readings: int = 0
    """Extra calls that read a picture for a seat's notes."""
    summaries: int = 0
    """Extra calls that made a text shorter."""
    flags: tuple[str, ...] = ()
    """`untrained stand-in`, `naive-data:defaulted` and the like."""


SUMMARY: Final = JsonCodec[MatchSummary](MatchSummary, "the summary of a match")
"""How done.json reads."""
