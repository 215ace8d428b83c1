"""Who can have done it, for somebody who knows what some seats know."""

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
    """Return the candidates left by crime, in the order of the suspects.

    Known is everything public and the private knowledge of `seats` (None: of all), but of each
    candidate nothing that it alone says, for a culprit may lie; without `pictures` nothing that
    stands in a picture only.
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
    """Return "always" for every fact that is known where `heard` is, "never" for the others."""
    stated = [statement_label(needed, heard) for needed in index.needed]
    return label_facts(index, stated, [0] * len(stated))


def statement_label(needed: tuple[int, ...], heard: int) -> SupportLabel:
    """Return "always" if one of the sources that take the masks `needed` is heard."""
    return ALWAYS if any(not mask & ~heard for mask in needed) else NEVER
