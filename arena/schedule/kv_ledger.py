"""Ledger of the KV tokens of one endpoint: reserved by predictions, occupied by contexts."""

from dataclasses import dataclass

from arena.schedule.capacity import KvCapacity
from arena.schedule.footprint import KvDemand
from arena.schedule.length_correction import LengthCorrection
from arena.schedule.overcommit import OvercommitController


@dataclass(slots=True, kw_only=True)
class _Entry:
    """Own tokens of one running match, without shared prefixes."""

    demand: KvDemand
    size: int
    """Tokens that its contexts occupy now."""
    projected: int
    """Corrected peak, or the size where the match already exceeds it; in tokens."""


class KvLedger:
    """KV tokens of the running matches of one endpoint. A shared prefix counts once.

    Every operation is O(1) in the number of matches. The exception is the first read of
    `reserved` after `record_finished`, which recomputes all projections.
    """

    def __init__(self, capacity: KvCapacity, overcommit: OvercommitController) -> None:
        self.capacity = capacity
        self.overcommit = overcommit
        self.length_correction = LengthCorrection()
        self.occupied = 0
        """Tokens of distinct prefixes and of the current contexts."""
        self.seats = 0
        """Seats of the running matches; a match without prefixes counts as one."""
        self._initial_overcommit = overcommit.value
        self._reserved = 0
        self._stale = False
        """Whether the length correction changed after the projections were computed."""
        self._running: dict[str, _Entry] = {}
        self._prefix_users: dict[str, int] = {}
        """By prefix key: how many seats of running matches use it."""

    @property
    def running(self) -> int:
        """Number of matches on the endpoint that are not paused."""
        return len(self._running)

    @property
    def reserved(self) -> int:
        """Tokens of distinct prefixes and of projected peaks (or sizes, where they are larger)."""
        if self._stale:
            self._stale = False
            for entry in self._running.values():
                self._reproject(entry)
        return self._reserved

    @property
    def overloaded(self) -> bool:
        """Whether the contexts occupy more tokens than the cache can hold.

        An overcommit ratio below its initial value means that the engine evicted blocks earlier
        than its stated capacity suggests. The effective capacity then shrinks in proportion.
        """
        effective = min(1.0, self.overcommit.value / self._initial_overcommit)
        return self.occupied > self.capacity.tokens * effective

    def fits(self, demand: KvDemand, size: int, *, limit: float) -> bool:
        """Return whether a match with `size` own tokens fits in `limit` x capacity.

        An idle endpoint accepts every match: otherwise a match larger than the cache would wait
        forever.
        """
        # By key: a prefix that two seats of the match share counts once, like one in the cache.
        new = {p.key: p.tokens for p in demand.prefixes if p.key not in self._prefix_users}
        needed = self.reserved + sum(new.values()) + self._project(demand, size)
        return not self._running or needed <= limit * self.capacity.tokens

    def would_free(self, match: str) -> bool:
        """Return whether the cache would gain free tokens if `match` paused."""
        # A match without contexts frees a prefix if all users of that prefix are its own seats.
        entry = self._running[match]
        keys = [prefix.key for prefix in entry.demand.prefixes]
        return entry.size > 0 or any(self._prefix_users[key] == keys.count(key) for key in keys)

    def add(self, match: str, demand: KvDemand, size: int) -> None:
        """Add a match that starts or resumes with `size` own tokens."""
        entry = _Entry(demand=demand, size=size, projected=self._project(demand, size))
        self._running[match] = entry
        self.seats += max(1, len(demand.prefixes))
        for prefix in demand.prefixes:
            users = self._prefix_users.get(prefix.key, 0)
            self._prefix_users[prefix.key] = users + 1
            self._count_prefix(0 if users else prefix.tokens)
        self.occupied += size
        self._reserved += entry.projected

    def remove(self, match: str) -> None:
        """Remove a match that finishes or pauses."""
        entry = self._running.pop(match)
        self.seats -= max(1, len(entry.demand.prefixes))
        for prefix in entry.demand.prefixes:
            users = self._prefix_users.pop(prefix.key) - 1
            if users:
                self._prefix_users[prefix.key] = users
            else:
                self._count_prefix(-prefix.tokens)
        self.occupied -= entry.size
        self._reserved -= entry.projected

    def update(self, match: str, size: int) -> None:
        """Set the own tokens of a running match to `size`."""
        entry = self._running[match]
        self.occupied += size - entry.size
        entry.size = size
        self._reproject(entry)

    def record_finished(self, demand: KvDemand, peak: int) -> None:
        """Update the length correction with a finished match that had at most `peak` own tokens."""
        self.length_correction = self.length_correction.update(actual=peak, predicted=demand.peak)
        self._stale = True

    def _reproject(self, entry: _Entry) -> None:
        projected = self._project(entry.demand, entry.size)
        self._reserved += projected - entry.projected
        entry.projected = projected

    def _project(self, demand: KvDemand, size: int) -> int:
        return max(size, int(demand.peak * self.length_correction.factor))

    def _count_prefix(self, tokens: int) -> None:
        self.occupied += tokens
        self._reserved += tokens
