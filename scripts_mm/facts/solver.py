"""The solver: the remaining candidates, given the knowledge of some seats."""

from collections.abc import Mapping

from scripts_mm.facts.exclusion import exclusion_label
from scripts_mm.facts.fact_table import (
    FactTable,
)
from scripts_mm.facts.support_labels import (
    ALWAYS,
    NEVER,
    FactTableIndex,
    SupportLabel,
    build_index,
    label_facts,
)


def solve(
    table: FactTable, seats: frozenset[str] | None = None, *, pictures: bool = True
) -> Mapping[str, tuple[str, ...]]:
    """Return the candidates left, by crime, in the order of the suspects.

    Known are public facts and the private knowledge of `seats` (None: of all), but for each
    candidate not that of its own seat, since a culprit can lie; without `pictures`, facts that
    are only in a picture are unknown.
    """
    index = build_index(table)
    heard = index.full_mask if seats is None else sum(index.seats[name] for name in seats)
    heard = heard | index.pictures if pictures else heard & ~index.pictures
    left: dict[str, list[str]] = {crime.id: [] for crime in table.crimes}
    for who in table.suspects:
        labels = derive_labels(index, heard & ~index.seats[who])
        for crime in table.crimes:
            if not exclusion_label(index, crime, who, labels):
                left[crime.id].append(who)
    return {crime: tuple(names) for crime, names in left.items()}


def derive_labels(index: FactTableIndex, heard: int) -> list[SupportLabel]:
    """Return "always" for every fact known under the mask `heard`, "never" for the others."""
    stated = [statement_label(needed, heard) for needed in index.needed]
    return label_facts(index, stated, [0] * len(stated))


def statement_label(needed: tuple[int, ...], heard: int) -> SupportLabel:
    """Return "always" if one of the masks `needed` of the sources is contained in `heard`."""
    return ALWAYS if any(not mask & ~heard for mask in needed) else NEVER
