"""The proof that a fact table leaves only the culprits: the shortest one, and its requirements.

A candidate is never cleared by its own words. With one culprit that is enough: a witness who
clears a candidate is either the culprit, so the candidate is innocent anyway, or tells the truth.
With several culprits the witness can be another of them, so the proof must not use the words of
any of them. The remaining assumption is that innocent roles' seats tell the truth, and that a
reader who does not yet know who is innocent gives every statement the same weight.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

from scripts_mm.facts.claim_types import CrimeScene
from scripts_mm.facts.exclusion import exclusion_label
from scripts_mm.facts.fact_table import (
    Crime,
    FactTable,
)
from scripts_mm.facts.minimum_proof import choose_minimum_union, make_budget
from scripts_mm.facts.proof_steps import (
    ProofLink,
    ProofStep,
    choose_speakers,
    make_step,
    minimum_hops,
)
from scripts_mm.facts.solver import statement_label
from scripts_mm.facts.support_labels import (
    ALWAYS,
    NEVER,
    FactTableIndex,
    SearchBudget,
    SupportLabel,
    build_index,
    conjoin,
    label_facts,
    minimal_masks,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CrimeVerdict:
    """The verdict on one crime from all facts together."""

    crime: str
    culprits: tuple[str, ...]
    left: tuple[str, ...]
    """Candidates without an exclusion, in the order of the suspects."""
    hops: int
    """1 + the hops of the deepest step: the conclusion "only X is left"."""
    seats_needed: int | None
    """The smallest number of seats that solves this crime by itself; None: even all do not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """The result of a proof; `problems` has one line for each gap."""

    verdicts: tuple[CrimeVerdict, ...]
    steps: tuple[ProofStep, ...]
    """The proof with the fewest facts for all crimes together, if possible without a culprit's
    words."""
    shown_shortest: bool
    """Whether no such proof has fewer facts; False: the search was cut off."""
    problems: tuple[str, ...]
    facts: tuple[str, ...]
    """The facts that the proof uses, in the order of the table."""
    seats: tuple[str, ...]
    """The seats whose private knowledge the proof uses."""
    pictures: tuple[str, ...]
    """The clues whose pictures the proof uses."""
    hops: int
    """Depth of this proof."""
    hops_needed: int
    """Depth of the shallowest proof with any number of facts."""
    seats_needed: int | None
    """The smallest number of seats that is enough; None: even all are not."""
    needs_picture: bool
    """Whether another candidate is left without the pictures."""
    needs_culprit: bool
    """Whether another candidate is left without knowledge that only culprits' seats have."""
    k: int

    @property
    def solved(self) -> bool:
        """Whether exactly the culprits of every crime are left, and no `k` seats are enough."""
        return not self.problems


CrimeSuspect = tuple[Crime, str]
"""A crime and a candidate."""


def prove(table: FactTable) -> Proof:
    """Return the proof of `table` with the fewest facts.

    Each candidate is excluded by public and private knowledge without its own statements and, if
    possible, without a culprit's statements, even if that takes more facts. The search is exact
    within the budget of `minimum_proof`; `shown_shortest` is False if it was exceeded.
    """
    index = build_index(table)
    takes = _exclusion_labels(index)
    left = {
        one.id: tuple(who for who in table.suspects if not takes[one.id, who])
        for one in table.crimes
    }
    settled = {one.id: _solution_label(table, one, takes) for one in table.crimes}
    enough = reduce(conjoin, settled.values(), ALWAYS)
    guilty = _seat_mask(index, (name for one in table.crimes for name in one.culprits))
    alone = any(not mask & guilty for mask in enough)
    pairs = [(one, who) for one in table.crimes for who in table.suspects if takes[one.id, who]]
    bound = make_budget()
    steps = _shortest_steps(index, pairs, index.full_mask & ~(guilty if alone else 0), bound)
    needed = {
        one.id: max(
            (minimum_hops(index, crime, who) for crime, who in pairs if crime is one), default=0
        )
        for one in table.crimes
    }
    verdicts = tuple(
        CrimeVerdict(
            crime=one.id,
            culprits=one.culprits,
            left=left[one.id],
            hops=1 + max((step.hops for step in steps if step.crime == one.id), default=0),
            seats_needed=_fewest_seats(index, settled[one.id]),
        )
        for one in table.crimes
    )
    links = [link for step in steps for link in step.links]
    used = {link.fact for link in links}
    seats_needed = _fewest_seats(index, enough)
    needs_culprit = bool(enough) and not alone
    return Proof(
        verdicts=verdicts,
        steps=steps,
        shown_shortest=not bound.cut,
        problems=tuple(_problems(table, verdicts, seats_needed, needs_culprit=needs_culprit)),
        facts=tuple(one.id for one in table.facts if one.id in used),
        seats=_seats_of(index, links),
        pictures=_pictures_of(links),
        hops=max(one.hops for one in verdicts),
        hops_needed=1 + max(needed.values()),
        seats_needed=seats_needed,
        needs_picture=bool(enough) and all(mask & index.pictures for mask in enough),
        needs_culprit=needs_culprit,
        k=table.k,
    )


def _exclusion_labels(index: FactTableIndex) -> Mapping[tuple[str, str], SupportLabel]:
    """Return the label in seats and pictures of each candidate's exclusion from each crime."""
    stated = [minimal_masks(masks) for masks in index.needed]
    labels = label_facts(index, stated, [0] * len(stated))
    found: dict[tuple[str, str], SupportLabel] = {}
    for who, bit in index.seats.items():
        others = [tuple(mask for mask in label if not mask & bit) for label in labels]
        for crime in index.table.crimes:
            found[crime.id, who] = exclusion_label(index, crime, who, others)
    return found


def _solution_label(
    table: FactTable, crime: Crime, takes: Mapping[tuple[str, str], SupportLabel]
) -> SupportLabel:
    """Return the label in seats under which exactly the culprits of `crime` are left."""
    suspected = {*crime.culprits} & {*table.suspects}
    if not suspected or any(takes[crime.id, who] for who in suspected):
        return NEVER
    others = (takes[crime.id, who] for who in table.suspects if who not in suspected)
    return reduce(conjoin, others, ALWAYS)


def _fewest_seats(index: FactTableIndex, enough: SupportLabel) -> int | None:
    return min(((mask & (index.pictures - 1)).bit_count() for mask in enough), default=None)


def _shortest_steps(
    index: FactTableIndex, pairs: Sequence[CrimeSuspect], heard: int, bound: SearchBudget
) -> tuple[ProofStep, ...]:
    """Return the steps with the fewest facts from the sources in the mask `heard`."""
    supports: list[SupportLabel] = []
    for crime, who in pairs:
        may = heard & ~index.seats[who]
        own = [1 << at for at in range(len(index.needed))]
        stated = [
            (bit,) if statement_label(needed, may) else NEVER
            for bit, needed in zip(own, index.needed, strict=True)
        ]
        labels = label_facts(index, stated, own, bound)
        supports.append(exclusion_label(index, crime, who, labels, bound))
    masks = choose_minimum_union(supports, bound)
    spoken = choose_speakers(
        index, [(who, mask) for (_, who), mask in zip(pairs, masks, strict=True)], heard
    )
    return tuple(
        make_step(index, crime, who, mask, (heard & ~index.seats[who], spoken))
        for (crime, who), mask in zip(pairs, masks, strict=True)
    )


def _problems(
    table: FactTable,
    verdicts: Sequence[CrimeVerdict],
    seats_needed: int | None,
    *,
    needs_culprit: bool,
) -> Iterable[str]:
    """Yield the gaps of the proof, one line each."""
    for one in verdicts:
        suspected = {*one.culprits} & {*table.suspects}
        if not suspected:
            yield f"{one.crime}: none of its culprits is a suspect"
        elif {*one.left} != suspected:
            left, stated = ", ".join(one.left) or "nobody", ", ".join(one.culprits)
            yield f"{one.crime}: {left} left, but {stated} stated"
        places = scene_places(table, one.crime)
        if len(places) > 1:
            yield f"{one.crime}: wanted one scene, got {', '.join(places)}"
    yield from few_seats_problems(table, verdicts, seats_needed)
    if needs_culprit and has_several_culprits(table):
        yield "several culprits, and without knowledge of their seats another candidate is left"


def scene_places(table: FactTable, crime: str) -> tuple[str, ...]:
    """Return the scenes of `crime` by the facts, sorted; a consistent table has one."""
    claims = (fact.claim for fact in table.facts)
    return tuple(
        sorted({one.place for one in claims if isinstance(one, CrimeScene) and one.crime == crime})
    )


def few_seats_problems(
    table: FactTable, verdicts: Sequence[CrimeVerdict], seats_needed: int | None
) -> Iterable[str]:
    """Yield one line for each case in which `k` seats are enough.

    With one culprit of several crimes, each crime is checked, since solving one solves all; crimes
    of different culprits are checked together by `seats_needed`.
    """
    if has_several_culprits(table):
        counts = [("", seats_needed)]
    else:
        counts = [(f"{one.crime}: ", one.seats_needed) for one in verdicts]
    for of_crime, count in counts:
        if count is not None and count <= table.k:
            told = of_crime if len(counts) > 1 else ""
            yield f"{told}{count} seats are enough, but k is {table.k}"


def has_several_culprits(table: FactTable) -> bool:
    """Return whether the crimes have more than one culprit: then one can cover for another."""
    return len({name for one in table.crimes for name in one.culprits}) > 1


def _seat_mask(index: FactTableIndex, names: Iterable[str]) -> int:
    mask = 0
    for name in names:
        mask |= index.seats.get(name, 0)
    return mask


def _seats_of(index: FactTableIndex, links: Sequence[ProofLink]) -> tuple[str, ...]:
    owners = index.table.owners
    used = {
        one.source.name if one.source.kind == "role" else owners.get(one.source.name)
        for one in links
        if one.source
    }
    return tuple(name for name in index.table.suspects if name in used)


def _pictures_of(links: Sequence[ProofLink]) -> tuple[str, ...]:
    sources = [link.source for link in links if link.source]
    return tuple(dict.fromkeys(one.name for one in sources if one.kind == "picture"))
