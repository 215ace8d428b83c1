"""Facts whose way through a match is traced, and the utterances that contain them."""

from collections.abc import Iterator
from dataclasses import dataclass

from arena.core.events import ClueRevealed
from arena.core.seats import SeatId
from eval.played_match import PlayedMatch
from scripts_mm.script import KeyClue, Script


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackedFact:
    """Something that some seats know at first, or that the host shows to all."""

    id: str
    owners: tuple[SeatId, ...] = ()
    """Seats that have it of their own; several have no way to each other. Empty: the host's."""
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
    """Its meaning is changed."""


def clue_facts(match: PlayedMatch) -> tuple[TrackedFact, ...]:
    """Return the clues of a match that anybody saw, with who saw them alone or found them."""
    return tuple(_clue_facts(match))


def key_facts(match: PlayedMatch) -> tuple[TrackedFact, ...]:
    """Return the key facts of a script: the statements that a good investigation reaches."""
    seats = match.started.seats
    return tuple(
        TrackedFact(id=one.id, owners=tuple(seat for seat in seats if seat in one.holders))
        for one in match.script.truth.key_clues
    )


def proof_chain(script: Script) -> tuple[str, ...]:
    """Return the facts without premises under the deepest key clue: what the proof rests on.

    Empty where a script does not tell its links.
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
