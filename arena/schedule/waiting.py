"""The matches that wait to be admitted, so kept that nobody looks at all of them."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush

from arena.schedule.footprint import Offer


@dataclass(slots=True, kw_only=True)
class _Line:
    """Offers that use the same endpoints, in order: none is admitted before the one ahead."""

    endpoints: frozenset[str]
    offers: deque[tuple[int, Offer]] = field(default_factory=deque[tuple[int, Offer]])
    overtaken: int = 0
    """How many later offers were admitted while the first of this line had to wait."""


class Waiting:
    """Parked offers in order, one line for each set of endpoints."""

    def __init__(self, patience: int) -> None:
        self._patience = patience
        self._lines: dict[frozenset[str], _Line] = {}
        self._matches: set[str] = set()
        self._next = 0

    def __len__(self) -> int:
        return len(self._matches)

    def __contains__(self, match: str) -> bool:
        return match in self._matches

    def __iter__(self) -> Iterator[str]:
        """Yield the matches in the order in which they were offered."""
        queued = (entry for line in self._lines.values() for entry in line.offers)
        return (offer.match for _, offer in sorted(queued, key=lambda entry: entry[0]))

    def add(self, offer: Offer) -> None:
        """Put an offer at the end."""
        endpoints = frozenset(demand.endpoint for demand in offer.demands)
        line = self._lines.setdefault(endpoints, _Line(endpoints=endpoints))
        line.offers.append((self._next, offer))
        self._next += 1
        self._matches.add(offer.match)

    def drop(self, match: str) -> None:
        """Take out a match that is not to be played any more."""
        for line in self._lines.values():
            kept = [entry for entry in line.offers if entry[1].match != match]
            if len(kept) < len(line.offers):
                line.offers = deque(kept)
        self._matches.discard(match)

    def take(
        self, fits: Callable[[Offer], bool], closed: Iterable[str], most: int
    ) -> Iterator[Offer]:
        """Take out and yield, in order and at most `most`, the offers that fit when they are due.

        An offer that does not fit lets later ones pass that use other endpoints, at most
        `patience` ones that share an endpoint with it; then its endpoints are closed to all later
        ones, so that they become free for it in the end. `closed` are closed from the start.
        """
        shut = set(closed)
        refused: list[_Line] = []
        queue = [(line.offers[0][0], line.endpoints) for line in self._lines.values()]
        heapify(queue)
        while queue and most > 0:
            line = self._lines[heappop(queue)[1]]
            offer = line.offers[0][1]
            if shut & line.endpoints or not fits(offer):
                refused.append(line)
                if line.overtaken >= self._patience:
                    shut |= line.endpoints
                continue
            self._pop(line)
            if line.offers:
                heappush(queue, (line.offers[0][0], line.endpoints))
            shut |= self._overtake(refused, line.endpoints)
            most -= 1
            yield offer

    def _pop(self, line: _Line) -> None:
        _, offer = line.offers.popleft()
        line.overtaken = 0
        self._matches.discard(offer.match)
        if not line.offers:
            del self._lines[line.endpoints]

    def _overtake(self, refused: Iterable[_Line], endpoints: frozenset[str]) -> set[str]:
        """Note who was passed by; return the endpoints of those who will wait no longer."""
        shut = set[str]()
        for line in refused:
            if line.endpoints & endpoints:
                line.overtaken += 1
                if line.overtaken >= self._patience:
                    shut |= line.endpoints
        return shut
