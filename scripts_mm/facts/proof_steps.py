"""The steps of a proof, written out: every fact with its source or its premises."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scripts_mm.facts.exclusion import ExclusionKind, exclusion_kind
from scripts_mm.facts.fact_table import (
    Crime,
    Source,
)
from scripts_mm.facts.solver import statement_label
from scripts_mm.facts.support_labels import ALWAYS, NEVER, FactTableIndex, SupportLabel, source_mask


@dataclass(frozen=True, slots=True, kw_only=True)
class ProofLink:
    """A fact in one step: from a source, or from premises that are also links."""

    fact: str
    source: Source | None
    premises: tuple[str, ...]
    hops: int
    """0 from a source, else 1 + the hops of the deepest premise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProofStep:
    """The exclusion of one candidate from one crime."""

    crime: str
    who: str
    how: ExclusionKind
    links: tuple[ProofLink, ...]
    """Premises precede their conclusions."""
    hops: int
    """1 + the hops of the deepest fact; for `cleared`, the hops of that fact."""


def make_step(
    index: FactTableIndex, crime: Crime, who: str, facts: int, heard: Sequence[int]
) -> ProofStep:
    """Return the step that excludes `who` with the facts in the mask `facts`.

    `heard`: the mask of usable seats and pictures, and that of preferred speakers.
    """
    may, preferred = heard
    links = tuple(_links(index, facts, may, preferred))
    labels = [ALWAYS if facts >> at & 1 else NEVER for at in range(len(index.because))]
    how = exclusion_kind(index, crime, who, labels) or "cleared"
    deepest = max(link.hops for link in links)
    hops = deepest if how == "cleared" else deepest + 1
    return ProofStep(crime=crime.id, who=who, how=how, links=links, hops=hops)


def minimum_hops(index: FactTableIndex, crime: Crime, who: str) -> int:
    """Return the depth of the shallowest proof that `who` is innocent."""
    depths = _depths(index, index.full_mask & ~index.seats[who], (1 << len(index.because)) - 1)

    def how(limit: int) -> ExclusionKind | None:
        known: list[SupportLabel] = [
            ALWAYS if depths.get(at, limit + 1) <= limit else NEVER
            for at in range(len(index.because))
        ]
        return exclusion_kind(index, crime, who, known)

    limits = sorted({*depths.values()})
    found = bisect_left(limits, True, key=lambda limit: how(limit) is not None)
    if found == len(limits):
        return 0
    return limits[found] if how(limits[found]) == "cleared" else limits[found] + 1


def choose_speakers(index: FactTableIndex, supports: Iterable[tuple[str, int]], heard: int) -> int:
    """Return a small mask of seats whose words are enough for every candidate's facts (greedy).

    `supports` pairs a candidate, whose own words do not count, with the facts that exclude it.
    Public facts need no seat; facts that only one seat knows are chosen next.
    """
    open_facts = {
        tuple(mask for mask in index.needed[at] if not mask & ~(heard & ~index.seats[who]))
        for who, facts in supports
        for at in range(len(index.because))
        if facts >> at & 1
    }
    seats, taken = index.pictures - 1, 0
    for masks in sorted(filter(None, open_facts), key=lambda one: (len(one), one)):
        taken |= min((mask & seats for mask in masks), key=lambda one: (one & ~taken).bit_count())
    return taken


def _links(index: FactTableIndex, facts: int, may: int, preferred: int) -> Iterable[ProofLink]:
    depths = _depths(index, may, facts)
    names = [fact.id for fact in index.table.facts]
    for at in (one for one in index.order if facts >> one & 1):
        source = _choose_source(index, at, may, preferred)
        premises: tuple[int, ...] = () if source else _choose_premises(index, at, depths)
        told = tuple(names[one] for one in premises)
        yield ProofLink(fact=names[at], source=source, premises=told, hops=depths[at])


def _choose_source(index: FactTableIndex, at: int, may: int, preferred: int) -> Source | None:
    """Return the source to cite: public before private, text before picture."""
    table = index.table
    masks = [(source_mask(table, index.seats, one), one) for one in table.facts[at].sources]
    usable = [(mask, one) for mask, one in masks if not mask & ~may]
    if not usable:
        return None
    wanted = preferred | index.pictures
    return min(
        usable, key=lambda one: ((one[0] & ~wanted).bit_count(), one[0].bit_count(), one[0])
    )[1]


def _choose_premises(index: FactTableIndex, at: int, depths: dict[int, int]) -> tuple[int, ...]:
    known = [reasons for reasons in index.because[at] if all(one in depths for one in reasons)]
    return min(known, key=lambda reasons: max(depths[one] for one in reasons))


def _depths(index: FactTableIndex, may: int, facts: int) -> dict[int, int]:
    """Return the depth of each known fact if only `facts` are used."""
    depths: dict[int, int] = {}
    for at in index.order:
        if not facts >> at & 1:
            continue
        if statement_label(index.needed[at], may):
            depths[at] = 0
            continue
        groups = [group for group in index.because[at] if all(one in depths for one in group)]
        if groups:
            depths[at] = 1 + min(max(depths[one] for one in group) for group in groups)
    return depths
