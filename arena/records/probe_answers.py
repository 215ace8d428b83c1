"""Answers to silent probes. They are no events, because no play depends on them."""

from dataclasses import dataclass
from typing import Final, Literal

from arena.core.events import PlayerEvent
from arena.core.seats import SeatId
from arena.records.record_schema import JsonCodec

ProbeKind = Literal["ballot", "quiz_before", "quiz_after", "quiz_at"]
"""`quiz_at`: put later at any moment of a recorded match; no record holds it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeAnswer:
    """Answer of a seat to a question outside of the game."""

    kind: ProbeKind
    seat: SeatId
    event: int
    """The seat knew the first `event` events of the match."""
    question: str = ""
    """The id of a quiz question."""
    candidate: str | None = None
    """Of a ballot: the seat that was named; None: no legal answer."""
    options: tuple[int, ...] | None = None
    """Of a quiz: the indexes in the script of the chosen options; None: no legal answer."""
    shown: tuple[int, ...] = ()
    """Of a quiz: the indexes in the script of all options, in the order shown."""
    reports: tuple[PlayerEvent, ...] = ()
    """What the prompts of all attempts could not hold, in order."""


PROBES: Final = JsonCodec[ProbeAnswer](ProbeAnswer, "the answer to a probe")
"""How the lines of probes.jsonl read."""
