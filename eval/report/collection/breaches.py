"""Information leaks between seats: utterances of texts that the speaker cannot know."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from arena.core.seats import SeatId
from eval.metrics.guards.detectors import FATAL
from eval.report.collection.match_facts import MatchFacts


@dataclass(frozen=True, slots=True, kw_only=True)
class Breach:
    """One utterance that repeats a private text that its speaker never observed."""

    match: str
    """The run's and the match's name."""
    event: int
    """The number of the event in the match, from 1."""
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
    """Return the warning about one or more breaches."""
    first = breaches[0]
    return (
        "warning: utterances that repeat a private text that their speaker cannot know: "
        f"{len(breaches)} (first: {first.match}, event {first.event}, seat {first.seat}): "
        "no figure is valid"
    )
