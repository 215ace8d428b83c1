"""What shuts a candidate out of a crime: an alibi, a trait that does not fit, a reason of its own.

Alibi: every minute from the latest known "after" to the earliest known "before" is covered by a
known stay of the candidate at another place than the scene; a stay that is a known way of d
minutes from the scene covers d - 1 minutes more on both sides.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from types import MappingProxyType
from typing import Literal

from scripts_mm.facts.claims import (
    After,
    At,
    Before,
    Claim,
    Cleared,
    Needs,
    Scene,
    Trait,
    Way,
)
from scripts_mm.facts.closure import NEVER, Budget, Index, Label, both, either
from scripts_mm.facts.table import (
    Crime,
)
from scripts_mm.names import text_form

How = Literal["cleared", "needs", "alibi"]
Known = list[tuple[Claim, Label]]
"""The facts that can be known at all, each with its label, and every trait: see `_of_traits`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stretch:
    """Minutes in which somebody cannot have been at the scene, and when that is known."""

    start: int
    end: int
    label: Label


def shut_out(
    index: Index, crime: Crime, who: str, labels: Sequence[Label], budget: Budget | None = None
) -> Label:
    """Return when it is known that `who` did not do it; `budget` as in `smallest`."""
    facts = _known(index, labels)
    return either(
        (label for way in WAYS.values() for label in way(crime, who, facts, budget)), budget
    )


def reason(index: Index, crime: Crime, who: str, labels: Sequence[Label]) -> How | None:
    """Return the first of the ways by which `who` is shut out; None: it is not."""
    facts = _known(index, labels)
    for how, way in WAYS.items():
        if any(way(crime, who, facts, None)):
            return how
    return None


def _known(index: Index, labels: Sequence[Label]) -> Known:
    pairs = zip(index.table.facts, labels, strict=True)
    return [(one.claim, label) for one, label in pairs if label or isinstance(one.claim, Trait)]


def _of_clearings(crime: Crime, who: str, known: Known, budget: Budget | None) -> list[Label]:
    return [
        label
        for claim, label in known
        if isinstance(claim, Cleared) and claim.who == who and claim.crime == crime.id
    ]


def _of_traits(crime: Crime, who: str, known: Known, budget: Budget | None) -> list[Label]:
    """Return when a trait does not fit; who has the needed value among several is never shut out.

    That holds whoever knows of the needed value: more knowledge must not bring anybody back.
    """
    needs = [(c, label) for c, label in known if isinstance(c, Needs) and c.crime == crime.id]
    traits = [(c, label) for c, label in known if isinstance(c, Trait) and c.who == who]
    found: list[Label] = []
    for need, label in needs:
        own = [pair for pair in traits if _of_name(need, pair[0])]
        if all(text_form(trait.value) != text_form(need.value) for trait, _ in own):
            found += [both(label, other, budget) for _, other in own if other]
    return found


def _of_name(need: Needs, trait: Trait) -> bool:
    return trait.sort == need.sort and text_form(trait.name) == text_form(need.name)


def _of_alibis(crime: Crime, who: str, known: Known, budget: Budget | None) -> list[Label]:
    if not any(isinstance(claim, At) and claim.who == who for claim, _ in known):
        return []
    afters = _bounds(
        ((-c.time, label) for c, label in known if isinstance(c, After) and c.crime == crime.id)
    )
    befores = _bounds(
        ((c.time, label) for c, label in known if isinstance(c, Before) and c.crime == crime.id)
    )
    found: list[Label] = []
    for scene, seen in known:
        if not isinstance(scene, Scene) or scene.crime != crime.id:
            continue
        stretches = _stretches(scene.place, who, known, budget)
        for (first, one), (last, other) in product(afters, befores):
            start = both(both(seen, one, budget), other, budget)
            found.append(_covering((-first, last), start, stretches, budget))
            if budget is not None and budget.work <= 0:
                # The tightest window comes first: if that is not covered, no other is.
                budget.cut = True
                break
    return found


def _bounds(found: Iterable[tuple[int, Label]]) -> list[tuple[int, Label]]:
    """Return the bounds, the tightest first, without those that a tighter one always replaces."""
    kept: list[tuple[int, Label]] = []
    for time, label in sorted(found):
        tighter = [mask for _, other in kept for mask in other]
        if not all(any(part & mask == part for part in tighter) for mask in label):
            kept.append((time, label))
    return kept


def _stretches(scene: str, who: str, known: Known, budget: Budget | None) -> list[_Stretch]:
    """Return when `who` cannot have been at the scene, once for each way that makes it longer."""
    ways: dict[str, list[tuple[int, Label]]] = {}
    for claim, label in known:
        if isinstance(claim, Way) and scene in claim.places:
            one, other = claim.places
            ways.setdefault(other if one == scene else one, []).append((claim.minutes, label))
    found: list[_Stretch] = []
    for claim, label in known:
        if not isinstance(claim, At) or claim.who != who or claim.place == scene:
            continue
        found.append(_Stretch(start=claim.start, end=claim.end, label=label))
        for minutes, walked in ways.get(claim.place, []):
            if minutes > 1:
                more, known_when = minutes - 1, both(label, walked, budget)
                found.append(
                    _Stretch(start=claim.start - more, end=claim.end + more, label=known_when)
                )
    return found


def _covering(
    window: tuple[int, int], start: Label, stretches: list[_Stretch], budget: Budget | None
) -> Label:
    """Return when the stretches cover every minute of the window, `start` being known."""
    first, last = window
    reached = {first - 1: start}
    while (at := min(reached)) < last:
        label = reached.pop(at)
        if budget is not None:
            budget.work -= len(stretches)
        for one in stretches:
            if one.start <= at + 1 <= one.end:
                more = both(label, one.label, budget)
                reached[one.end] = either((reached.get(one.end, NEVER), more), budget)
        if not reached:
            return NEVER
    return either((label for at, label in reached.items() if at >= last), budget)


WAYS: Mapping[How, Callable[[Crime, str, Known, Budget | None], list[Label]]] = MappingProxyType(
    {"cleared": _of_clearings, "needs": _of_traits, "alibi": _of_alibis}
)
"""Every way to be shut out of a crime, with the labels under which it is known."""
