"""Holes in the wall between the seats' secrets: who said aloud what it cannot know."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from arena.core.seats import SeatId
from eval.metrics.guards.detectors import FATAL
from eval.report.collection.match_facts import MatchFacts


@dataclass(frozen=True, slots=True, kw_only=True)
class Breach:
    """One utterance that repeats a private text which its speaker never heard."""

    match: str
    """Its run and its name."""
    event: int
    """Its number in the events of the match, from 1."""
    seat: SeatId


def find_breaches(matches: Iterable[MatchFacts]) -> tuple[Breach, ...]:
    """Return every breach, in the order of the matches and their events."""
    return tuple(
        Breach(match=match.place, event=hit.event + 1, seat=hit.seat)
        for match in matches
        for hit in match.hits
        if hit.detector == FATAL
    )


def describe_breaches(breaches: Sequence[Breach]) -> str:
    """Return what a terminal says of one or more breaches."""
    first = breaches[0]
    return (
        "warning: utterances that repeat a private text which their speaker cannot know: "
        f"{len(breaches)} (first: {first.match}, event {first.event}, seat {first.seat}): "
        "trust no figure"
    )
