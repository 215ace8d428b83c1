"""Tracked facts of a match, and the utterances that mention them."""

from collections.abc import Iterator
from dataclasses import dataclass

from arena.core.events import ClueRevealed
from arena.core.seats import SeatId
from eval.played_match import PlayedMatch
from scripts_mm.script import KeyClue, Script


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackedFact:
    """A fact that some seats know initially, or that the host shows to all."""

    id: str
    owners: tuple[SeatId, ...] = ()
    """Seats that know it initially; between several owners no use is counted. Empty: the host."""
    shown_at: int | None = None
    """Index of the event in which the host showed it to all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FactMention:
    """One utterance, or a vote's reason, that contains a fact."""

    event: int
    """Index in the events of the match."""
    seat: SeatId
    fact: str
    public: bool = True
    is_answer: bool = False
    distorted: bool = False
    """Whether its meaning is changed."""


def clue_facts(match: PlayedMatch) -> tuple[TrackedFact, ...]:
    """Return the clues that any seat saw, each with its owners: private viewers or the finder."""
    return tuple(_clue_facts(match))


def key_facts(match: PlayedMatch) -> tuple[TrackedFact, ...]:
    """Return the key facts of a script: its key statements."""
    seats = match.started.seats
    return tuple(
        TrackedFact(id=one.id, owners=tuple(seat for seat in seats if seat in one.holders))
        for one in match.script.truth.key_clues
    )


def proof_chain(script: Script) -> tuple[str, ...]:
    """Return the facts without premises below the deepest key clue: the proof's foundation.

    Empty if the script has no links.
    """
    keys = {one.id: one for one in script.truth.key_clues}
    deepest = max(keys.values(), key=lambda one: one.hops or 0, default=None)
    if deepest is None or not deepest.premises:
        return ()
    return tuple(dict.fromkeys(_leaves(keys, deepest)))


def _clue_facts(match: PlayedMatch) -> Iterator[TrackedFact]:
    seen: dict[str, TrackedFact] = {}
    for number, event in enumerate(match.events):
        if not isinstance(event, ClueRevealed) or event.audience == "host":
            continue
        before = seen.get(event.clue, TrackedFact(id=event.clue))
        if event.audience == "all":
            owners = before.owners or ((event.finder,) if event.finder else ())
            shown = number if before.shown_at is None else before.shown_at
            seen[event.clue] = TrackedFact(id=event.clue, owners=owners, shown_at=shown)
        else:
            owners = tuple(dict.fromkeys((*before.owners, *event.audience)))
            seen[event.clue] = TrackedFact(id=event.clue, owners=owners, shown_at=before.shown_at)
    yield from seen.values()


def _leaves(keys: dict[str, KeyClue], one: KeyClue) -> Iterator[str]:
    if not one.premises:
        yield one.id
    for premise in one.premises:
        yield from _leaves(keys, keys[premise])
