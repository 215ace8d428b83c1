"""What is told of a finished match: the object that `--json` prints and `done.json` holds."""

from dataclasses import dataclass

from arena.core.events import Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchSummary:
    """One match in one row (DESIGN section 8)."""

    match: str
    script: str
    protocol: str
    civilians: str
    """The contestant as named on the command line."""
    murderer: str
    model_served: dict[str, str]
    """Faction -> what really answered: a served model's name, or the player if it needs none."""
    outcome: Outcome
    votes: dict[str, str]
    """Seat -> its last vote."""
    truth: tuple[str, ...]
    """The murderers."""
    turns: int
    """Asks answered by a model."""
    rejected: int
    """Answers that were refused."""
    prompt_tokens: int
    cached_tokens: int | None
    """None where a server does not tell."""
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
    """Lines of events.jsonl when the match was whole."""
    readings: int = 0
    """Calls beside the turns in which a picture was read for a seat's notes."""
    summaries: int = 0
    """Calls beside the turns that made a text shorter."""
    marks: tuple[str, ...] = ()
    """`untrained stand-in`, `naive-data:defaulted` and the like."""
