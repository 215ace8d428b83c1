"""Admission queue: matches that wait for KV capacity.

One lane per set of endpoints keeps `take` cheap: it looks at the head of each lane, not at every
queued match.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush

from arena.schedule.footprint import QueuedMatch


@dataclass(slots=True, kw_only=True)
class _Lane:
    """FIFO queue of the matches that use the same endpoints."""

    endpoints: frozenset[str]
    matches: deque[tuple[int, QueuedMatch]] = field(default_factory=deque[tuple[int, QueuedMatch]])
    """Arrival numbers and matches, in order."""
    overtakes: int = 0
    """How many later matches were admitted while the head of this lane waited."""


class WaitQueue:
    """Queue of matches in arrival order, with bounded overtaking between lanes."""

    def __init__(self, max_overtakes: int) -> None:
        self._max_overtakes = max_overtakes
        self._lanes: dict[frozenset[str], _Lane] = {}
        self._matches: set[str] = set()
        self._arrivals = 0

    def __len__(self) -> int:
        return len(self._matches)

    def __contains__(self, match: str) -> bool:
        return match in self._matches

    def __iter__(self) -> Iterator[str]:
        """Yield the match ids in arrival order."""
        entries = (entry for lane in self._lanes.values() for entry in lane.matches)
        return (queued.match for _, queued in sorted(entries, key=lambda entry: entry[0]))

    def add(self, queued: QueuedMatch) -> None:
        """Append a match."""
        endpoints = frozenset(demand.endpoint for demand in queued.demands)
        lane = self._lanes.setdefault(endpoints, _Lane(endpoints=endpoints))
        lane.matches.append((self._arrivals, queued))
        self._arrivals += 1
        self._matches.add(queued.match)

    def remove(self, match: str) -> None:
        """Remove a match without admitting it."""
        for endpoints, lane in list(self._lanes.items()):
            remaining = [entry for entry in lane.matches if entry[1].match != match]
            if not remaining:
                del self._lanes[endpoints]
            elif len(remaining) < len(lane.matches):
                lane.matches = deque(remaining)
        self._matches.discard(match)

    def take(
        self, fits: Callable[[QueuedMatch], bool], draining: Iterable[str], limit: int
    ) -> Iterator[QueuedMatch]:
        """Remove and yield, in arrival order, up to `limit` matches that fit.

        `fits` is called for a match at its turn, after the caller has handled all earlier ones.
        Endpoints in `draining` accept no match.

        A match that does not fit lets later matches pass if they use other endpoints. Without a
        bound, small matches could then take each freed token and a match that needs several
        endpoints at once would starve. So at most `max_overtakes` matches may pass that share an
        endpoint with it. Then its endpoints accept no later match, and drain until it fits.
        """
        closed = set(draining)
        blocked: list[_Lane] = []
        heads = [(lane.matches[0][0], lane.endpoints) for lane in self._lanes.values()]
        # The heap merges the lanes by arrival number. A lane whose head does not fit leaves the
        # heap: matches of one lane never overtake each other.
        heapify(heads)
        while heads and limit > 0:
            lane = self._lanes[heappop(heads)[1]]
            queued = lane.matches[0][1]
            if closed & lane.endpoints or not fits(queued):
                blocked.append(lane)
                if lane.overtakes >= self._max_overtakes:
                    closed |= lane.endpoints
                continue
            self._pop(lane)
            if lane.matches:
                heappush(heads, (lane.matches[0][0], lane.endpoints))
            closed |= self._count_overtakes(blocked, lane.endpoints)
            limit -= 1
            yield queued

    def _pop(self, lane: _Lane) -> None:
        _, queued = lane.matches.popleft()
        lane.overtakes = 0
        self._matches.discard(queued.match)
        if not lane.matches:
            del self._lanes[lane.endpoints]

    def _count_overtakes(self, blocked: Iterable[_Lane], endpoints: frozenset[str]) -> set[str]:
        """Count an admission on `endpoints` against blocked lanes; return endpoints to close."""
        closed = set[str]()
        for lane in blocked:
            if lane.endpoints & endpoints:
                lane.overtakes += 1
                if lane.overtakes >= self._max_overtakes:
                    closed |= lane.endpoints
        return closed
