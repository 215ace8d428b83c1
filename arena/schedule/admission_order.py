"""Admission order: script by script, both sides of a pair together, fair between pairs."""

from collections.abc import Iterable, Mapping, Sequence
from heapq import heapify, heappop, heappush
from itertools import zip_longest

from arena.schedule.footprint import QueuedMatch

ContestantPair = tuple[str, str]


def admission_order(
    matches: Iterable[QueuedMatch], started: Mapping[ContestantPair, int]
) -> tuple[QueuedMatch, ...]:
    """Return `matches` script by script, so that live matches share their prefixes.

    Scripts keep the order of their first appearance. Within a script, a match is followed by the
    same pair with swapped sides, and the next pair is the one with the fewest started matches.
    `started` holds the counts from earlier runs, with either side first. First appearance breaks
    ties.
    """
    counts: dict[ContestantPair, int] = {}
    for pair, count in started.items():
        counts[_ignore_sides(pair)] = counts.get(_ignore_sides(pair), 0) + count
    scripts: dict[str, list[QueuedMatch]] = {}
    for match in matches:
        scripts.setdefault(match.script, []).append(match)
    return tuple(match for group in scripts.values() for match in _order_script(group, counts))


def _order_script(
    matches: Sequence[QueuedMatch], counts: dict[ContestantPair, int]
) -> list[QueuedMatch]:
    """Return the matches of one script in order, and add them to `counts`."""
    pairs: dict[ContestantPair, list[QueuedMatch]] = {}
    for match in matches:
        pairs.setdefault(_ignore_sides(match.pair), []).append(match)
    couples = {pair: iter(_couple_sides(group)) for pair, group in pairs.items()}
    queue = [(counts.setdefault(pair, 0), position, pair) for position, pair in enumerate(pairs)]
    heapify(queue)
    ordered: list[QueuedMatch] = []
    while queue:
        _, position, pair = heappop(queue)
        couple = next(couples[pair], None)
        if couple is None:
            continue
        ordered += couple
        counts[pair] += len(couple)
        heappush(queue, (counts[pair], position, pair))
    return ordered


def _couple_sides(matches: Sequence[QueuedMatch]) -> list[tuple[QueuedMatch, ...]]:
    """Return the matches of one pair, grouped so that each group has one match per side.

    Groups with one match follow if one side has more matches than the other.
    """
    first = matches[0].pair
    sides = (
        [match for match in matches if match.pair == first],
        [match for match in matches if match.pair != first],
    )
    return [tuple(filter(None, couple)) for couple in zip_longest(*sides)]


def _ignore_sides(pair: ContestantPair) -> ContestantPair:
    return (min(pair), max(pair))
