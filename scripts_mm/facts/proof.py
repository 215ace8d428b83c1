"""The proof that a fact table leaves the culprits alone, the shortest one, and what it takes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from scripts_mm.facts.closure import (
    ALWAYS,
    NEVER,
    Index,
    Label,
    both,
    indexed,
    labelled,
    smallest,
)
from scripts_mm.facts.exclusion import shut_out
from scripts_mm.facts.shortest import ALTERNATIVES, fewest
from scripts_mm.facts.solver import stated_in
from scripts_mm.facts.steps import Link, Step, least_hops, speakers, step_of
from scripts_mm.facts.table import (
    Crime,
    FactTable,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What everything together says of one crime."""

    crime: str
    culprits: tuple[str, ...]
    left: tuple[str, ...]
    """Candidates that nothing shuts out, in the order of the suspects."""
    hops: int
    """1 + the deepest step: "only X is left"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """What was proved; `problems` says in one line each what was not."""

    verdicts: tuple[Verdict, ...]
    steps: tuple[Step, ...]
    """Of the proof with the fewest facts, all crimes together."""
    problems: tuple[str, ...]
    facts: tuple[str, ...]
    """The facts it uses, in the order of the table."""
    seats: tuple[str, ...]
    """The seats whose private knowledge it uses."""
    pictures: tuple[str, ...]
    """The clues whose pictures it uses."""
    hops: int
    """Depth of this proof."""
    hops_needed: int
    """Depth of the least deep proof there is, however many facts it takes."""
    seats_needed: int | None
    """The smallest number of seats that is enough; None: not all of them are."""
    needs_picture: bool
    """Without any picture somebody else is left."""
    needs_culprit: bool
    """Without what only a culprit's seat knows somebody else is left."""
    k: int

    @property
    def solved(self) -> bool:
        """Whether exactly the culprits are left of every crime, and no `k` seats get there."""
        return not self.problems


Pair = tuple[Crime, str]
"""A crime and a candidate."""


def prove(table: FactTable) -> Proof:
    """Return what `table` proves, with the fewest facts that do; raises nothing.

    Each candidate is shut out by public and private knowledge without what it alone says. The
    search for the fewest facts is exact within the bounds of `shortest`.
    """
    index = indexed(table)
    takes = _takes(index)
    left = {
        one.id: tuple(who for who in table.suspects if not takes[one.id, who])
        for one in table.crimes
    }
    enough = _enough(table, takes)
    guilty = _mask(index, (name for one in table.crimes for name in one.culprits))
    alone = any(not mask & guilty for mask in enough)
    pairs = [(one, who) for one in table.crimes for who in table.suspects if takes[one.id, who]]
    steps = _steps(index, pairs, index.everything & ~(guilty if alone else 0))
    needed = {
        one.id: max(
            (least_hops(index, crime, who) for crime, who in pairs if crime is one), default=0
        )
        for one in table.crimes
    }
    verdicts = tuple(
        Verdict(
            crime=one.id,
            culprits=one.culprits,
            left=left[one.id],
            hops=1 + max((step.hops for step in steps if step.crime == one.id), default=0),
        )
        for one in table.crimes
    )
    links = [link for step in steps for link in step.links]
    used = {link.fact for link in links}
    seats = [(mask & (index.pictures - 1)).bit_count() for mask in enough]
    return Proof(
        verdicts=verdicts,
        steps=steps,
        problems=tuple(_problems(table, verdicts, min(seats, default=None))),
        facts=tuple(one.id for one in table.facts if one.id in used),
        seats=_seats(index, links),
        pictures=_pictures(links),
        hops=max(one.hops for one in verdicts),
        hops_needed=1 + max(needed.values()),
        seats_needed=min(seats, default=None),
        needs_picture=bool(enough) and all(mask & index.pictures for mask in enough),
        needs_culprit=bool(enough) and not alone,
        k=table.k,
    )


def _takes(index: Index) -> Mapping[tuple[str, str], Label]:
    """Return the seats (and pictures) that it takes to shut each candidate out of each crime."""
    stated = [smallest(masks) for masks in index.needed]
    labels = labelled(index, stated, [0] * len(stated))
    found: dict[tuple[str, str], Label] = {}
    for who, bit in index.seats.items():
        others = [tuple(mask for mask in label if not mask & bit) for label in labels]
        for crime in index.table.crimes:
            found[crime.id, who] = shut_out(index, crime, who, others)
    return found


def _enough(table: FactTable, takes: Mapping[tuple[str, str], Label]) -> Label:
    """Return the seats that it takes to leave exactly the culprits of every crime."""
    enough: Label = ALWAYS
    for crime in table.crimes:
        suspected = {*crime.culprits} & {*table.suspects}
        if not suspected or any(takes[crime.id, who] for who in suspected):
            return NEVER
        for who in table.suspects:
            if who not in suspected:
                enough = both(enough, takes[crime.id, who])
    return enough


def _steps(index: Index, pairs: Sequence[Pair], heard: int) -> tuple[Step, ...]:
    """Return the steps that use the fewest facts, from what `heard` says."""
    supports: list[Label] = []
    for crime, who in pairs:
        may = heard & ~index.seats[who]
        own = [1 << at for at in range(len(index.needed))]
        stated = [
            (bit,) if stated_in(needed, may) else NEVER
            for bit, needed in zip(own, index.needed, strict=True)
        ]
        labels = labelled(index, stated, own, ALTERNATIVES)
        supports.append(shut_out(index, crime, who, labels, ALTERNATIVES))
    masks = fewest(supports)
    spoken = speakers(
        index, [(who, mask) for (_, who), mask in zip(pairs, masks, strict=True)], heard
    )
    return tuple(
        step_of(index, crime, who, mask, (heard & ~index.seats[who], spoken))
        for (crime, who), mask in zip(pairs, masks, strict=True)
    )


def _problems(
    table: FactTable, verdicts: Sequence[Verdict], seats_needed: int | None
) -> Iterable[str]:
    """Tell what keeps the table from proving its case."""
    for one in verdicts:
        suspected = {*one.culprits} & {*table.suspects}
        if not suspected:
            yield f"{one.crime}: none of its culprits is a suspect"
        elif {*one.left} != suspected:
            left, stated = ", ".join(one.left) or "nobody", ", ".join(one.culprits)
            yield f"{one.crime}: {left} left, but {stated} stated"
    if seats_needed is not None and seats_needed <= table.k:
        yield f"{seats_needed} seats are enough, but k is {table.k}"


def _mask(index: Index, names: Iterable[str]) -> int:
    mask = 0
    for name in names:
        mask |= index.seats.get(name, 0)
    return mask


def _seats(index: Index, links: Sequence[Link]) -> tuple[str, ...]:
    owners = index.table.owners
    used = {
        one.source.name if one.source.kind == "role" else owners.get(one.source.name)
        for one in links
        if one.source
    }
    return tuple(name for name in index.table.suspects if name in used)


def _pictures(links: Sequence[Link]) -> tuple[str, ...]:
    sources = [link.source for link in links if link.source]
    return tuple(dict.fromkeys(one.name for one in sources if one.kind == "picture"))
