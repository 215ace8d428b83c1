"""In which order matches are offered: script by script, both sides together, no pair behind."""

from collections.abc import Iterable, Mapping, Sequence
from heapq import heapify, heappop, heappush
from itertools import zip_longest

from arena.schedule.footprint import Offer

Pair = tuple[str, str]


def in_order(offers: Iterable[Offer], started: Mapping[Pair, int]) -> tuple[Offer, ...]:
    """Return `offers` script by script, so that live matches share their scripts.

    Scripts come as they first appear. Inside a script a match and the same pair with swapped
    sides stand together, and the pair that has started fewest matches so far is next; `started`
    counts those of before, with either side first. Ties go by first appearance.
    """
    counts: dict[Pair, int] = {}
    for pair, count in started.items():
        counts[_unsided(pair)] = counts.get(_unsided(pair), 0) + count
    scripts: dict[str, list[Offer]] = {}
    for offer in offers:
        scripts.setdefault(offer.script, []).append(offer)
    return tuple(offer for of_script in scripts.values() for offer in _fair(of_script, counts))


def _fair(offers: Sequence[Offer], counts: dict[Pair, int]) -> list[Offer]:
    """Return the offers of one script in order, and count them in `counts`."""
    pairs: dict[Pair, list[Offer]] = {}
    for offer in offers:
        pairs.setdefault(_unsided(offer.pair), []).append(offer)
    couples = {pair: iter(_couples(of_pair)) for pair, of_pair in pairs.items()}
    queue = [(counts.setdefault(pair, 0), place, pair) for place, pair in enumerate(pairs)]
    heapify(queue)
    ordered: list[Offer] = []
    while queue:
        _, place, pair = heappop(queue)
        couple = next(couples[pair], None)
        if couple is None:
            continue
        ordered += couple
        counts[pair] += len(couple)
        heappush(queue, (counts[pair], place, pair))
    return ordered


def _couples(offers: Sequence[Offer]) -> list[tuple[Offer, ...]]:
    """Return the offers of one pair as matches with both sides, then what is left over."""
    first = offers[0].pair
    sides = (
        [offer for offer in offers if offer.pair == first],
        [offer for offer in offers if offer.pair != first],
    )
    return [tuple(filter(None, couple)) for couple in zip_longest(*sides)]


def _unsided(pair: Pair) -> Pair:
    return (min(pair), max(pair))
