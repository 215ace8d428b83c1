"""The depth at which facts can be deduced."""

from collections.abc import Iterable, Sequence


def deduction_depths(premises: Sequence[Iterable[int]]) -> list[int | None]:
    """Return the depth of each fact: 0 without premises, else 1 + that of its deepest premise.

    `premises`: for each fact, the indexes of all facts from which it can follow. None: the fact
    is in a cycle or follows from one. Linear in the premises (Kahn 1962).
    """
    wanted = [{*one} for one in premises]
    followers: list[list[int]] = [[] for _ in wanted]
    for at, needed in enumerate(wanted):
        for one in needed:
            followers[one].append(at)
    open_ones = [len(needed) for needed in wanted]
    found: list[int | None] = [None] * len(wanted)
    layer, depth = [at for at, count in enumerate(open_ones) if not count], 0
    while layer:
        coming: list[int] = []
        for at in layer:
            found[at] = depth
            for one in followers[at]:
                open_ones[one] -= 1
                if not open_ones[one]:
                    coming.append(one)
        layer, depth = coming, depth + 1
    return found
