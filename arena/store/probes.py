"""Answers of silent probes: they are no events, since nothing heard depends on them."""

from dataclasses import dataclass
from typing import Literal

from pydantic import TypeAdapter


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeAnswer:
    """What a seat answered to a question that is not part of the game (PROTOCOLS 1.12)."""

    kind: Literal["ballot", "quiz_before", "quiz_after"]
    seat: str
    event: int
    """The probe saw the first `event` events of the match."""
    question: str = ""
    """The id of a quiz question."""
    options: tuple[str, ...] = ()
    """As shown; of a quiz, the options' indexes in the script in the order shown."""
    answer: str | None = None
    """A seat, or the index of an option in the script, of several joined by commas where the
    question takes several; None: no legal answer."""
    notes: tuple[str, ...] = ()
    """What the prompts of the answer left out or told otherwise, of each try in turn."""


_PROBE = TypeAdapter(ProbeAnswer)


def encode_probe(probe: ProbeAnswer) -> str:
    """Return `probe` as one line of JSON."""
    return _PROBE.dump_json(probe).decode()


def decode_probe(line: str) -> ProbeAnswer:
    """Return the probe of one line."""
    return _PROBE.validate_json(line)
