"""Exclusion of a candidate from a crime: by alibi, by a trait, or by a separate reason.

Alibi: known stays of the candidate away from the scene cover every minute from the latest known
"after" to the earliest known "before"; a stay at a place with a known way of d minutes to the
scene covers d - 1 additional minutes on both sides.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from types import MappingProxyType
from typing import Literal

from scripts_mm.facts.claim_types import (
    Claim,
    CrimeScene,
    CulpritTrait,
    EarliestTime,
    Exoneration,
    LatestTime,
    PersonTrait,
    Presence,
    TravelTime,
)
from scripts_mm.facts.fact_table import (
    Crime,
)
from scripts_mm.facts.support_labels import (
    NEVER,
    FactTableIndex,
    SearchBudget,
    SupportLabel,
    conjoin,
    disjoin,
)
from scripts_mm.names import text_form

ExclusionKind = Literal["cleared", "needs", "alibi"]
KnownClaims = list[tuple[Claim, SupportLabel]]
"""The derivable facts, each with its label, and every trait: see `_trait_labels`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _AbsenceInterval:
    """Minutes in which a person cannot have been at the scene, with their label."""

    start: int
    end: int
    label: SupportLabel


def exclusion_label(
    index: FactTableIndex,
    crime: Crime,
    who: str,
    labels: Sequence[SupportLabel],
    budget: SearchBudget | None = None,
) -> SupportLabel:
    """Return the label of the exclusion of `who`; `budget` as in `minimal_masks`."""
    facts = _derivable_claims(index, labels)
    return disjoin(
        (label for way in EXCLUSIONS.values() for label in way(crime, who, facts, budget)), budget
    )


def exclusion_kind(
    index: FactTableIndex, crime: Crime, who: str, labels: Sequence[SupportLabel]
) -> ExclusionKind | None:
    """Return the first kind of exclusion that applies to `who`; None: no exclusion."""
    facts = _derivable_claims(index, labels)
    for how, way in EXCLUSIONS.items():
        if any(way(crime, who, facts, None)):
            return how
    return None


def _derivable_claims(index: FactTableIndex, labels: Sequence[SupportLabel]) -> KnownClaims:
    pairs = zip(index.table.facts, labels, strict=True)
    return [
        (one.claim, label) for one, label in pairs if label or isinstance(one.claim, PersonTrait)
    ]


def _exoneration_labels(
    crime: Crime, who: str, known: KnownClaims, budget: SearchBudget | None
) -> list[SupportLabel]:
    return [
        label
        for claim, label in known
        if isinstance(claim, Exoneration) and claim.who == who and claim.crime == crime.id
    ]


def _trait_labels(
    crime: Crime, who: str, known: KnownClaims, budget: SearchBudget | None
) -> list[SupportLabel]:
    """Return the labels of traits that do not fit.

    A candidate with the needed value among several is never excluded, even if some readers do not
    know that value: more knowledge must not undo an exclusion.
    """
    needs = [
        (c, label) for c, label in known if isinstance(c, CulpritTrait) and c.crime == crime.id
    ]
    traits = [(c, label) for c, label in known if isinstance(c, PersonTrait) and c.who == who]
    found: list[SupportLabel] = []
    for need, label in needs:
        own = [pair for pair in traits if _is_same_trait(need, pair[0])]
        if all(text_form(trait.value) != text_form(need.value) for trait, _ in own):
            found += [conjoin(label, other, budget) for _, other in own if other]
    return found


def _is_same_trait(need: CulpritTrait, trait: PersonTrait) -> bool:
    return trait.sort == need.sort and text_form(trait.name) == text_form(need.name)


def _alibi_labels(
    crime: Crime, who: str, known: KnownClaims, budget: SearchBudget | None
) -> list[SupportLabel]:
    if not any(isinstance(claim, Presence) and claim.who == who for claim, _ in known):
        return []
    afters = _tightest_bounds(
        (
            (-c.time, label)
            for c, label in known
            if isinstance(c, EarliestTime) and c.crime == crime.id
        )
    )
    befores = _tightest_bounds(
        ((c.time, label) for c, label in known if isinstance(c, LatestTime) and c.crime == crime.id)
    )
    found: list[SupportLabel] = []
    for scene, seen in known:
        if not isinstance(scene, CrimeScene) or scene.crime != crime.id:
            continue
        stretches = _absence_intervals(scene.place, who, known, budget)
        for (first, one), (last, other) in product(afters, befores):
            start = conjoin(conjoin(seen, one, budget), other, budget)
            found.append(_cover_window((-first, last), start, stretches, budget))
            if budget is not None and budget.work <= 0:
                # The tightest window comes first: if that is not covered, no other is.
                budget.cut = True
                break
    return found


def _tightest_bounds(found: Iterable[tuple[int, SupportLabel]]) -> list[tuple[int, SupportLabel]]:
    """Return the bounds, tightest first, without those always replaced by a tighter one."""
    kept: list[tuple[int, SupportLabel]] = []
    for time, label in sorted(found):
        tighter = [mask for _, other in kept for mask in other]
        if not all(any(part & mask == part for part in tighter) for mask in label):
            kept.append((time, label))
    return kept


def _absence_intervals(
    scene: str, who: str, known: KnownClaims, budget: SearchBudget | None
) -> list[_AbsenceInterval]:
    """Return the intervals in which `who` cannot have been at the scene.

    A stay gives one interval as stated, and one longer interval for each known travel time.
    """
    ways: dict[str, list[tuple[int, SupportLabel]]] = {}
    for claim, label in known:
        if isinstance(claim, TravelTime) and scene in claim.places:
            one, other = claim.places
            ways.setdefault(other if one == scene else one, []).append((claim.minutes, label))
    found: list[_AbsenceInterval] = []
    for claim, label in known:
        if not isinstance(claim, Presence) or claim.who != who or claim.place == scene:
            continue
        found.append(_AbsenceInterval(start=claim.start, end=claim.end, label=label))
        for minutes, walked in ways.get(claim.place, []):
            if minutes > 1:
                more, known_when = minutes - 1, conjoin(label, walked, budget)
                found.append(
                    _AbsenceInterval(
                        start=claim.start - more, end=claim.end + more, label=known_when
                    )
                )
    return found


def _cover_window(
    window: tuple[int, int],
    start: SupportLabel,
    stretches: list[_AbsenceInterval],
    budget: SearchBudget | None,
) -> SupportLabel:
    """Return the label under which the intervals cover the window, given `start`."""
    first, last = window
    # By minute: the label under which all minutes of the window up to it are covered.
    reached = {first - 1: start}
    while (at := min(reached)) < last:
        label = reached.pop(at)
        if budget is not None:
            budget.work -= len(stretches)
        for one in stretches:
            if one.start <= at + 1 <= one.end:
                more = conjoin(label, one.label, budget)
                reached[one.end] = disjoin((reached.get(one.end, NEVER), more), budget)
        if not reached:
            return NEVER
    return disjoin((label for at, label in reached.items() if at >= last), budget)


EXCLUSIONS: Mapping[
    ExclusionKind, Callable[[Crime, str, KnownClaims, SearchBudget | None], list[SupportLabel]]
] = MappingProxyType(
    {"cleared": _exoneration_labels, "needs": _trait_labels, "alibi": _alibi_labels}
)
"""The kinds of exclusion from a crime, with the functions that return their labels."""
