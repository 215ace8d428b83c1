"""The fewest facts that shut every other candidate out."""

from collections.abc import Sequence

from scripts_mm.facts.support_labels import SearchBudget, SupportLabel

ALTERNATIVES = 200
"""Sets of facts kept for one fact or candidate, the smallest of them; more were never met."""
WORK = 2_000_000
"""Comparisons of two sets of facts after which one alternative of each is followed."""
_LOOKS = 2_000_000
"""Masks looked at by the search, after which the best found so far stands."""


def make_budget() -> SearchBudget:
    """Return what one proof may take."""
    return SearchBudget(alternatives=ALTERNATIVES, work=WORK)


def choose_minimum_union(
    choices: Sequence[SupportLabel], spent: SearchBudget | None = None
) -> tuple[int, ...]:
    """Return one mask of each of `choices` so that their union has the fewest bits.

    Branch and bound: the branch with the smallest union first; cut where the union and the
    cheapest addition of any choice still open reach the best found. Exact up to
    `_LOOKS` masks looked at; `spent` notes where that was not enough.
    """
    order = sorted(range(len(choices)), key=lambda at: (len(choices[at]), at))
    search = _UnionSearch([choices[at] for at in order])
    search.descend(0, ())
    if spent is not None:
        spent.cut = spent.cut or search.left < 0
    found = dict(zip(order, search.best, strict=True))
    return tuple(found[at] for at in range(len(choices)))


class _UnionSearch:
    """One depth-first search and what it found so far."""

    def __init__(self, choices: list[SupportLabel]) -> None:
        self.choices = choices
        self.best: tuple[int, ...] = tuple(label[0] for label in choices)
        self.size = _union_size(self.best)
        self.left = _LOOKS

    def descend(self, union: int, taken: tuple[int, ...]) -> None:
        """Try every way to go on from the masks `taken`, whose union is `union`."""
        self.left -= 1 + sum(map(len, self.choices[len(taken) :]))
        if self.left < 0:
            return
        if len(taken) == len(self.choices):
            if union.bit_count() < self.size:
                self.best, self.size = taken, union.bit_count()
            return
        coming = self.choices[len(taken) :]
        least = max(min((mask & ~union).bit_count() for mask in label) for label in coming)
        if union.bit_count() + least >= self.size:
            return
        for mask in sorted(coming[0], key=lambda one: (one & ~union).bit_count()):
            self.descend(union | mask, (*taken, mask))


def _union_size(masks: Sequence[int]) -> int:
    union = 0
    for mask in masks:
        union |= mask
    return union.bit_count()
