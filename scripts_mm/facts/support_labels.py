"""Support labels: the conditions under which each fact of a table is known.

A label is a set of bit masks, any one of which is enough and none of which contains another; the
empty tuple is "never". The caller defines the bits: seats that must speak, or facts that a proof
uses (the labels of an assumption-based truth maintenance system, de Kleer 1986). So one algebra
yields the candidates left, the seats needed and the facts of the shortest proof.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from scripts_mm.facts.deduction_depth import deduction_depths
from scripts_mm.facts.fact_table import (
    FactTable,
    Source,
)

SupportLabel = tuple[int, ...]
NEVER: SupportLabel = ()
ALWAYS: SupportLabel = (0,)


@dataclass(frozen=True, slots=True, kw_only=True)
class FactTableIndex:
    """An index of a fact table: facts by number, premises before their conclusions."""

    table: FactTable
    order: tuple[int, ...]
    needed: tuple[tuple[int, ...], ...]
    """By fact: for each of its sources, the mask of seats and `pictures` that it needs."""
    because: tuple[tuple[tuple[int, ...], ...], ...]
    seats: Mapping[str, int]
    """The bit of each suspect."""
    pictures: int
    """The bit for seeing pictures."""

    @property
    def full_mask(self) -> int:
        """The mask of all seats and the pictures."""
        return self.pictures * 2 - 1


def build_index(table: FactTable) -> FactTableIndex:
    """Return the index of `table` for proofs."""
    number = {fact.id: at for at, fact in enumerate(table.facts)}
    seats = {name: 1 << at for at, name in enumerate(table.suspects)}
    because = tuple(
        tuple(tuple(number[name] for name in reasons) for reasons in fact.because)
        for fact in table.facts
    )
    needed = tuple(
        tuple(source_mask(table, seats, source) for source in fact.sources) for fact in table.facts
    )
    return FactTableIndex(
        table=table,
        order=_topological_order(because),
        needed=needed,
        because=because,
        seats=seats,
        pictures=1 << len(seats),
    )


def source_mask(table: FactTable, seats: Mapping[str, int], source: Source) -> int:
    """Return the mask that `source` needs: seats, and the next higher bit for pictures."""
    match source.kind:
        case "opening":
            return 0
        case "role":
            return seats[source.name]
        case "clue" | "picture":
            owner = table.owners.get(source.name)
            picture = 1 << len(seats) if source.kind == "picture" else 0
            return picture | (seats[owner] if owner is not None else 0)


@dataclass(slots=True, kw_only=True)
class SearchBudget:
    """The budget of a search for the fewest facts; when spent, one alternative is kept."""

    alternatives: int
    """Maximum masks of one label, smallest first."""
    work: int
    """Remaining comparisons of two masks."""
    cut: bool = False
    """Whether a mask was dropped: the result is valid, but perhaps not minimal."""

    @property
    def limit(self) -> int:
        """The maximum masks of the next label."""
        return self.alternatives if self.work > 0 else 1


def minimal_masks(masks: Iterable[int], budget: SearchBudget | None = None) -> SupportLabel:
    """Return the masks that contain no other mask, fewest bits first.

    With `budget`, at most as many as it allows; it records whether others were dropped.
    """
    kept: list[int] = []
    found = sorted(set(masks), key=lambda one: (one.bit_count(), one))
    limit = len(found) if budget is None else budget.limit
    for mask in found:
        if any(other & mask == other for other in kept):
            continue
        if len(kept) == limit:
            break
        kept.append(mask)
    else:
        limit = len(found)
    if budget is not None:
        budget.cut = budget.cut or limit < len(found)
        budget.work -= len(found) * max(1, len(kept))
    return tuple(kept)


def conjoin(
    one: SupportLabel, other: SupportLabel, budget: SearchBudget | None = None
) -> SupportLabel:
    """Return the label under which both are known; `budget` as in `minimal_masks`."""
    if one == ALWAYS:
        return other
    if other == ALWAYS:
        return one
    if budget is not None and budget.limit == 1:
        budget.cut = budget.cut or max(len(one), len(other)) > 1
        one, other = one[:1], other[:1]
    return minimal_masks((left | right for left in one for right in other), budget)


def disjoin(labels: Iterable[SupportLabel], budget: SearchBudget | None = None) -> SupportLabel:
    """Return the label under which at least one is known; `budget` as in `minimal_masks`."""
    return minimal_masks((mask for label in labels for mask in label), budget)


def label_facts(
    index: FactTableIndex,
    stated: Sequence[SupportLabel],
    own: Sequence[int],
    budget: SearchBudget | None = None,
) -> list[SupportLabel]:
    """Return the label of every fact.

    `stated`: each fact's label by its sources; `own`: the mask added when it is deduced.
    """
    labels: list[SupportLabel] = [NEVER] * len(index.because)
    for at in index.order:
        found = [stated[at]] if stated[at] else []
        if stated[at] and not index.because[at]:
            labels[at] = stated[at]
            continue
        for reasons in index.because[at]:
            label: SupportLabel = (own[at],)
            for reason in reasons:
                label = conjoin(label, labels[reason], budget)
            found.append(label)
        labels[at] = disjoin(found, budget)
    return labels


def _topological_order(because: Sequence[Sequence[Sequence[int]]]) -> tuple[int, ...]:
    """Return the facts' indexes such that each follows all its possible premises."""
    found = deduction_depths([{one for group in groups for one in group} for groups in because])
    return tuple(sorted(range(len(because)), key=lambda at: (found[at] or 0, at)))
