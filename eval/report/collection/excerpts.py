"""The most significant moments of a match, selected by metrics without a model."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, Literal

from arena.core.events import QuestionAsked, Said
from arena.core.seats import SeatId
from eval.claims.audited_claim import AuditedClaim
from eval.metrics.accusation_curves import CurvePoint
from eval.metrics.guards.detectors import DetectorHit
from eval.played_match import PlayedMatch
from eval.report.collection.claim_weights import weigh_claim

ExcerptKind = Literal["turn", "caught_lie", "lie", "confession", "leak"]
KINDS: Final[tuple[ExcerptKind, ...]] = ("turn", "caught_lie", "lie", "confession", "leak")
LEAKS: Final = frozenset({"verbatim_foreign", "prompt_leak", "faction_leak"})
"""Detectors whose hits are reported as leaks."""
_MOST_CHARACTERS: Final = 600
_LEAST_MOVE: Final = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """One notable utterance."""

    kind: ExcerptKind
    weight: float
    """Excerpts with the largest weights are shown."""
    match: str
    """Its run and its name."""
    event: int
    speaker: str
    is_murderer: bool
    text: str
    before: float | None = None
    after: float | None = None
    """For a turning point: the killers' mean probability before and after it."""
    detail: str = ""
    """The detector that found it, or the sentence of the lie."""


def find_excerpts(
    match: PlayedMatch,
    claims: Iterable[AuditedClaim],
    hits: Iterable[DetectorHit],
    curve: Sequence[CurvePoint],
    people: Mapping[SeatId, str],
) -> Iterator[Excerpt]:
    """Yield the candidates of one match; `people` maps a seat to its person."""
    yield from _turns(match, curve)
    for claim in claims:
        if claim.category == "lie":
            kind: ExcerptKind = "caught_lie" if claim.caught else "lie"
            is_murderer = match.faction(claim.seat) == "murderer"
            weight = weigh_claim(claim, people.get(claim.seat, ""), is_murderer=is_murderer)
            yield from _excerpt(match, kind, claim.event, weight, detail=claim.text)
    for hit in hits:
        if hit.detector == "confession":
            weight = 2.0 if match.faction(hit.seat) == "murderer" else 1.0
            yield from _excerpt(match, "confession", hit.event, weight)
        elif hit.detector in LEAKS:
            weight = 2.0 if hit.detector == "verbatim_foreign" else 1.0
            yield from _excerpt(match, "leak", hit.event, weight, detail=hit.detector)


def pick_excerpts(
    excerpts: Iterable[Excerpt], kind: ExcerptKind, most: int = 3
) -> tuple[Excerpt, ...]:
    """Return the excerpts of one kind with the largest weights, at most one per utterance."""
    found: dict[tuple[str, int], Excerpt] = {}
    for one in sorted((one for one in excerpts if one.kind == kind), key=lambda one: -one.weight):
        found.setdefault((one.match, one.event), one)
    return tuple(found.values())[:most]


def _turns(match: PlayedMatch, curve: Sequence[CurvePoint]) -> Iterator[Excerpt]:
    """Yield the speech of the match after which the killers' probability moved most."""
    moves = [
        (abs(after.killers - before.killers), before, after) for before, after in pairwise(curve)
    ]
    if not moves:
        return
    size, before, after = max(moves, key=lambda move: move[0])
    if size >= _LEAST_MOVE:
        for one in _excerpt(match, "turn", after.event - 1, size):
            yield replace(one, before=before.killers, after=after.killers)


def _excerpt(
    match: PlayedMatch, kind: ExcerptKind, event: int, weight: float, detail: str = ""
) -> Iterator[Excerpt]:
    said = match.events[event]
    if isinstance(said, Said | QuestionAsked):
        yield Excerpt(
            kind=kind,
            weight=weight,
            match=f"{match.run}/{match.id}",
            event=event,
            speaker=said.seat,
            is_murderer=match.faction(said.seat) == "murderer",
            text=shorten_excerpt(said.text),
            detail=shorten_excerpt(detail),
        )


def shorten_excerpt(text: str) -> str:
    """Return a text truncated to the limit of characters."""
    return text if len(text) <= _MOST_CHARACTERS else f"{text[:_MOST_CHARACTERS].rstrip()} […]"
