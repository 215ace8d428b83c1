"""What is promised and what is taken on one endpoint."""

from dataclasses import dataclass

from arena.schedule.alpha import Alpha
from arena.schedule.capacity import Capacity
from arena.schedule.footprint import Demand
from arena.schedule.ratio import Ratio


@dataclass(slots=True, kw_only=True)
class _Own:
    """What one running match has of its own."""

    demand: Demand
    size: int
    projected: int


class Account:
    """The running matches of one endpoint. Every step is O(1), but the first look after an end."""

    def __init__(self, capacity: Capacity, alpha: Alpha) -> None:
        self.capacity = capacity
        self.alpha = alpha
        self.ratio = Ratio()
        self.held = 0
        """Tokens of distinct shares and of sizes as they are."""
        self.seats = 0
        self._start = alpha.value
        self._used = 0
        self._stale = False
        """Whether the ratio changed since projections were made."""
        self._running: dict[str, _Own] = {}
        self._users: dict[str, int] = {}

    @property
    def running(self) -> int:
        """How many matches use the endpoint and are not paused."""
        return len(self._running)

    @property
    def used(self) -> int:
        """Tokens of distinct shares and of peaks, or of sizes that are above their peaks."""
        if self._stale:
            self._stale = False
            for own in self._running.values():
                self._project(own)
        return self._used

    @property
    def overloaded(self) -> bool:
        """Whether contexts take more than the cache can hold.

        Below the alpha that it began with the cache has shown that it holds less than it says.
        """
        return self.held > self.capacity.tokens * min(1.0, self.alpha.value / self._start)

    def fits(self, demand: Demand, size: int, *, most: float) -> bool:
        """Return whether a match that has `size` tokens so far has room within `most` x capacity.

        Where no match runs every one fits: else one that is too large would never be played.
        """
        new = {one.key: one.tokens for one in demand.shares if one.key not in self._users}
        need = self.used + sum(new.values()) + self._projected(demand, size)
        return not self._running or need <= most * self.capacity.tokens

    def frees(self, match: str) -> bool:
        """Return whether the cache would have more room without `match`."""
        own = self._running[match]
        keys = [share.key for share in own.demand.shares]
        return own.size > 0 or any(self._users[key] == keys.count(key) for key in keys)

    def enter(self, match: str, demand: Demand, size: int) -> None:
        """Count a match that is admitted or goes on."""
        own = _Own(demand=demand, size=size, projected=self._projected(demand, size))
        self._running[match] = own
        self.seats += max(1, len(demand.shares))
        for share in demand.shares:
            users = self._users.get(share.key, 0)
            self._users[share.key] = users + 1
            self._count(0 if users else share.tokens)
        self.held += size
        self._used += own.projected

    def leave(self, match: str) -> None:
        """Count a match no more that ends or is paused."""
        own = self._running.pop(match)
        self.seats -= max(1, len(own.demand.shares))
        for share in own.demand.shares:
            users = self._users.pop(share.key) - 1
            if users:
                self._users[share.key] = users
            else:
                self._count(-share.tokens)
        self.held -= own.size
        self._used -= own.projected

    def grow(self, match: str, size: int) -> None:
        """Count a running match with the tokens that it has of its own now."""
        own = self._running[match]
        self.held += size - own.size
        own.size = size
        self._project(own)

    def learn(self, demand: Demand, seen: int) -> None:
        """Correct all projections by a match that ended with at most `seen` tokens of its own."""
        self.ratio = self.ratio.after(seen=seen, predicted=demand.peak)
        self._stale = True

    def _project(self, own: _Own) -> None:
        projected = self._projected(own.demand, own.size)
        self._used += projected - own.projected
        own.projected = projected

    def _projected(self, demand: Demand, size: int) -> int:
        return max(size, int(demand.peak * self.ratio.value))

    def _count(self, tokens: int) -> None:
        self.held += tokens
        self._used += tokens
