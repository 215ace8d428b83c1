"""Admission queue: matches that wait for KV capacity.

It has one lane per set of endpoints, and in each lane one queue per script. So `take` is cheap: it
checks the heads of a few queues, not every queued match.
"""

from collections import OrderedDict, deque
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass, field

from arena.schedule.footprint import KvDemand, QueuedMatch

Placement = tuple[KvDemand, ...]
"""One combination of endpoints for a match."""


@dataclass(slots=True, kw_only=True)
class Lane:
    """Matches that can use the same endpoints, at least one."""

    endpoints: frozenset[str]
    matches: OrderedDict[int, QueuedMatch] = field(default_factory=OrderedDict[int, QueuedMatch])
    """By arrival number, in order."""
    scripts: dict[str, deque[int]] = field(default_factory=dict[str, deque[int]])
    """By script: arrival numbers of its matches, in order."""
    overtakes: int = 0
    """How many later matches were admitted while this lane waited."""

    @property
    def arrival(self) -> int:
        """Return the arrival number of the oldest match."""
        return next(iter(self.matches))

    @property
    def oldest(self) -> QueuedMatch:
        """Return the match that has waited longest."""
        return self.matches[self.arrival]

    def pick(self, held: Set[str], live: Set[str]) -> QueuedMatch:
        """Return the match to admit next on replicas that hold the scripts `held`.

        Prefer a match whose script they hold; then one whose script is on no replica (not in
        `live`); then one of the script with the most matches left. So the replicas divide the
        scripts among them, and share the last ones.
        """
        here = [self.scripts[script][0] for script in held if script in self.scripts]
        if here:
            return self.matches[min(here)]
        new = next((script for script in self.scripts if script not in live), None)
        if new is None:
            new = max(self.scripts, key=lambda script: len(self.scripts[script]))
        return self.matches[self.scripts[new][0]]


class WaitQueue:
    """Queued matches, with bounded overtaking between lanes."""

    def __init__(self, max_overtakes: int) -> None:
        self._max_overtakes = max_overtakes
        self._lanes: dict[frozenset[str], Lane] = {}
        self._places: dict[str, tuple[Lane, int]] = {}
        """By match: its lane and arrival number."""
        self._arrivals = 0

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, match: str) -> bool:
        return match in self._places

    def __iter__(self) -> Iterator[str]:
        """Yield the match ids in arrival order."""
        return (match for _, match in sorted((n, match) for match, (_, n) in self._places.items()))

    def add(self, queued: QueuedMatch) -> None:
        """Append a match."""
        lane = self._lanes.setdefault(queued.endpoints, Lane(endpoints=queued.endpoints))
        lane.matches[self._arrivals] = queued
        lane.scripts.setdefault(queued.script, deque()).append(self._arrivals)
        self._places[queued.match] = (lane, self._arrivals)
        self._arrivals += 1

    def remove(self, match: str) -> None:
        """Remove a match."""
        lane, arrival = self._places.pop(match)
        script = lane.matches.pop(arrival).script
        lane.scripts[script].remove(arrival)
        if not lane.scripts[script]:
            del lane.scripts[script]
        if not lane.matches:
            del self._lanes[lane.endpoints]

    def take(
        self,
        choose: Callable[[Lane, Set[str]], tuple[QueuedMatch, Placement] | None],
        limit: int,
    ) -> Iterator[tuple[QueuedMatch, Placement]]:
        """Remove and yield up to `limit` matches, each with its chosen placement.

        `choose` is called with a lane and the endpoints that accept no match; it returns a match of
        the lane and one of its choices, or None if none fits. It is called after the caller has
        handled all earlier ones.

        If nothing in a lane fits, later matches that use other endpoints can overtake it. Without a
        bound, small matches could take each freed token, and a match that needs several endpoints
        would starve. So at most `max_overtakes` matches can overtake it on its endpoints. Then
        these accept no match of other lanes, and drain until it fits.
        """
        closed, blocked = set[str](), list[Lane]()
        open_lanes = list(self._lanes.values())
        while open_lanes and limit > 0:
            lane = min(open_lanes, key=lambda one: one.arrival)
            chosen = choose(lane, closed)
            if chosen is None:
                open_lanes.remove(lane)
                blocked.append(lane)
                if lane.overtakes >= self._max_overtakes:
                    closed |= lane.endpoints
                continue
            self.remove(chosen[0].match)
            lane.overtakes = 0
            if not lane.matches:
                open_lanes.remove(lane)
            closed |= self._count_overtakes(blocked, {one.endpoint for one in chosen[1]})
            limit -= 1
            yield chosen

    def _count_overtakes(self, blocked: Sequence[Lane], endpoints: Set[str]) -> set[str]:
        """Count an admission on `endpoints` against blocked lanes; return endpoints to close."""
        closed = set[str]()
        for lane in blocked:
            if lane.endpoints & endpoints:
                lane.overtakes += 1
                if lane.overtakes >= self._max_overtakes:
                    closed |= lane.endpoints
        return closed
