"""Who can have done it, for somebody who knows what some seats know."""

from collections.abc import Mapping

from scripts_mm.facts.closure import ALWAYS, NEVER, Index, Label, indexed, labelled
from scripts_mm.facts.exclusion import shut_out
from scripts_mm.facts.table import (
    FactTable,
)


def solve(
    table: FactTable, seats: frozenset[str] | None = None, *, pictures: bool = True
) -> Mapping[str, tuple[str, ...]]:
    """Return the candidates left by crime, in the order of the suspects.

    Known is everything public and the private knowledge of `seats` (None: of all), but of each
    candidate nothing that it alone says, for a culprit may lie; without `pictures` nothing that
    stands in a picture only.
    """
    index = indexed(table)
    heard = index.everything if seats is None else sum(index.seats[name] for name in seats)
    heard = heard | index.pictures if pictures else heard & ~index.pictures
    left: dict[str, list[str]] = {crime.id: [] for crime in table.crimes}
    for who in table.suspects:
        labels = known(index, heard & ~index.seats[who])
        for crime in table.crimes:
            if not shut_out(index, crime, who, labels):
                left[crime.id].append(who)
    return {crime: tuple(names) for crime, names in left.items()}


def known(index: Index, heard: int) -> list[Label]:
    """Return "always" for every fact that is known where `heard` is, "never" for the others."""
    stated = [stated_in(needed, heard) for needed in index.needed]
    return labelled(index, stated, [0] * len(stated))


def stated_in(needed: tuple[int, ...], heard: int) -> Label:
    """Return "always" if one of the sources that take the masks `needed` is heard."""
    return ALWAYS if any(not mask & ~heard for mask in needed) else NEVER
