"""Answers to silent probes. They are not events, because play does not depend on them."""

from dataclasses import dataclass
from typing import Final, Literal

from arena.core.events import PlayerEvent
from arena.core.seats import SeatId
from arena.records.record_schema import JsonCodec

ProbeKind = Literal["ballot", "quiz_before", "quiz_after", "quiz_at"]
"""`quiz_at`: a later question about any moment of a recorded match; not stored in records."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeAnswer:
    """Answer of a seat to a question outside of the game."""

    kind: ProbeKind
    seat: SeatId
    event: int
    """The seat knew the first `event` events of the match."""
    question: str = ""
    """Id of a quiz question."""
    candidate: str | None = None
    """For a ballot: the named seat; None: no legal answer."""
    options: tuple[int, ...] | None = None
    """For a quiz: the indexes in the script of the chosen options; None: no legal answer."""
    shown: tuple[int, ...] = ()
    """For a quiz: the indexes in the script of all options, in displayed order."""
    reports: tuple[PlayerEvent, ...] = ()
    """Reports of contents that did not fit the prompts of the attempts, in order."""


PROBES: Final = JsonCodec[ProbeAnswer](ProbeAnswer, "the answer to a probe")
"""Codec of the lines of probes.jsonl."""
