"""The minimum proof: the fewest facts that exclude every other candidate."""

from collections.abc import Sequence

from scripts_mm.facts.support_labels import SearchBudget, SupportLabel

ALTERNATIVES = 200
"""Maximum sets of facts per fact or candidate, smallest first; more have not occurred."""
WORK = 2_000_000
"""Comparisons of two sets of facts after which only one alternative of each is followed."""
_LOOKS = 2_000_000
"""Maximum masks that the search visits; then the best found so far is returned."""


def make_budget() -> SearchBudget:
    """Return the budget of one proof."""
    return SearchBudget(alternatives=ALTERNATIVES, work=WORK)


def choose_minimum_union(
    choices: Sequence[SupportLabel], spent: SearchBudget | None = None
) -> tuple[int, ...]:
    """Return one mask of each of `choices` such that their union has the fewest bits.

    Branch and bound: the branch with the smallest union first; cut when the union plus the
    cheapest addition of any open choice is not below the best found. Exact up to `_LOOKS` masks
    visited; beyond that, `spent.cut` is set.
    """
    order = sorted(range(len(choices)), key=lambda at: (len(choices[at]), at))
    search = _UnionSearch([choices[at] for at in order])
    search.descend(0, ())
    if spent is not None:
        spent.cut = spent.cut or search.left < 0
    found = dict(zip(order, search.best, strict=True))
    return tuple(found[at] for at in range(len(choices)))


class _UnionSearch:
    """A depth-first search and its best result so far."""

    def __init__(self, choices: list[SupportLabel]) -> None:
        self.choices = choices
        self.best: tuple[int, ...] = tuple(label[0] for label in choices)
        self.size = _union_size(self.best)
        self.left = _LOOKS

    def descend(self, union: int, taken: tuple[int, ...]) -> None:
        """Try every extension of the masks `taken`, whose union is `union`."""
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
