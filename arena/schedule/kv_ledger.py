"""Ledger of the KV tokens of one endpoint: those of contexts now, and those expected later."""

from collections import defaultdict, deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arena.schedule.capacity import KvCapacity
from arena.schedule.context_growth import GrowthFactors
from arena.schedule.engine_cost import EngineCost
from arena.schedule.footprint import Footprint
from arena.schedule.overcommit import OvercommitController

_END_EXCESS: Final = 0.5
"""Share of the limit by which the last matches of a run may exceed it."""
_MOMENTS: Final = 16
"""Maximum number of future moments for which occupancy is projected."""


@dataclass(slots=True, kw_only=True)
class _LiveEntry:
    """One live match. Its own tokens are those of its contexts without the shared prefixes."""

    footprint: Footprint
    contexts: dict[str, int] = field(default_factory=dict[str, int])
    """By seat: own tokens of its last prompt and reply, in whole blocks."""
    own: int = 0
    """Sum of `contexts`."""
    answered: set[str] = field(default_factory=set[str])
    """Answered planned requests; for a resumed match, since it was resumed."""
    done: int = 0
    """Number of answered planned requests."""

    @property
    def left(self) -> int:
        """Return the remaining planned requests, at least 1: a match can have more than planned."""
        return max(1, len(self.footprint.cumulative_tokens) - 1 - self.done)


class KvLedger:
    """KV tokens of the live matches of one endpoint. A shared prefix counts once.

    Tokens are counted as if the engine evicted nothing.
    """

    def __init__(self, capacity: KvCapacity, overcommit: OvercommitController) -> None:
        self.capacity = capacity
        self.overcommit = overcommit
        self.cost = EngineCost()
        self.growth: GrowthFactors | None = None
        self.seats = 0
        """Seats of the live matches."""
        self.occupied = 0
        """Tokens of distinct prefixes and of the current contexts."""
        self._shared = 0
        """Tokens of distinct prefixes."""
        self._calls = 0
        self._dead: deque[tuple[int, int]] = deque()
        """Finished matches: the call number at which the engine has evicted their blocks, and their
        tokens.
        """
        self._entries: dict[str, _LiveEntry] = {}
        self._prefix_users: dict[str, int] = {}
        """By prefix key: number of seats of live matches that use it."""
        self._cumulative_tables: dict[int, tuple[Footprint, NDArray[np.float64], list[str]]] = {}
        """By identity of a footprint: its cumulative tokens, requests x kinds of tokens."""

    def __len__(self) -> int:
        """Return the number of live matches on the endpoint."""
        return len(self._entries)

    @property
    def resident(self) -> int:
        """Return `occupied` plus the tokens of finished matches that the engine still holds."""
        return self.occupied + sum(size for _, size in self._dead)

    @property
    def reserved(self) -> int:
        """Return the peak tokens that the live matches will occupy simultaneously."""
        return self._shared + self._highest(self._entries.values())

    @property
    def limit(self) -> float:
        """Return the limit of reservations, as a multiple of the capacity."""
        return self.overcommit.value * self.cost.stretch

    @property
    def load(self) -> float:
        """Return the reserved tokens over the allowed ones."""
        return self.reserved / (self.limit * self.capacity.tokens)

    def fits(self, footprint: Footprint, waiting: int) -> bool:
        """Return whether a queued match fits now; `waiting` matches are queued, this one included.

        The last matches of live scripts fit if together they exceed the limit a little: playing a
        few by themselves at the end would take longer than computing some contexts again. An idle
        endpoint accepts every match: otherwise a match larger than the cache would wait forever.
        """
        if not self._entries:
            return True
        # By key: a prefix that two seats of the match share counts once, like one in the cache.
        prefixes = footprint.prefixes.values()
        new = {p.key: p.tokens for p in prefixes if p.key not in self._prefix_users}
        highest = self._highest((*self._entries.values(), _LiveEntry(footprint=footprint)))
        needed = sum(new.values()) + max(self._shared + highest, self.resident)
        most = self.limit * self.capacity.tokens
        last = waiting * float(self._cumulative(footprint).max()) / most
        return needed <= most * (1 + _END_EXCESS if last <= _END_EXCESS and not new else 1)

    def add(self, match: str, footprint: Footprint) -> None:
        """Add a match that begins."""
        self._entries[match] = _LiveEntry(footprint=footprint)
        self.seats += len(footprint.turns)
        for prefix in footprint.prefixes.values():
            users = self._prefix_users.get(prefix.key, 0)
            self._prefix_users[prefix.key] = users + 1
            self._count_prefix(0 if users else prefix.tokens)

    def remove(self, match: str) -> None:
        """Remove a finished match.

        The engine retains its blocks until those of the other matches have been used once more.
        """
        entry = self._entries.pop(match)
        self.seats -= len(entry.footprint.turns)
        gone = self._calls + len(entry.footprint.turns) * len(self._entries)
        self._dead.append((gone, entry.own))
        for prefix in entry.footprint.prefixes.values():
            users = self._prefix_users.pop(prefix.key) - 1
            if users:
                self._prefix_users[prefix.key] = users
            else:
                self._count_prefix(-prefix.tokens)
        self.occupied -= entry.own

    def set_context(self, match: str, seat: str, tokens: int) -> None:
        """Set the context of a seat after a call: tokens of its prompt and reply."""
        entry = self._entries[match]
        own = self.capacity.round_to_blocks(tokens)
        if (prefix := entry.footprint.prefixes.get(seat)) is not None:
            own = max(0, own - prefix.tokens)
        change = own - entry.contexts.get(seat, 0)
        entry.contexts[seat] = own
        entry.own += change
        self.occupied += change
        self._calls += 1
        while self._dead and self._dead[0][0] <= self._calls:
            self._dead.popleft()

    def record_reply(self, match: str, seat: str, request: str, context: int, output: int) -> None:
        """Update the estimates with a reply in a seat's log; all in tokens."""
        entry = self._entries[match]
        place = entry.footprint.places.get(request)
        if place is None:
            return
        # Of concurrent requests, the last one can be answered first.
        least = place + 1 - len(entry.footprint.turns)
        entry.answered.add(request)
        most = len(entry.footprint.cumulative_tokens) - 1
        entry.done = min(max(entry.done, len(entry.answered), least), most)
        planned = entry.footprint.planned.get((seat, request))
        if planned is not None:
            prefix = entry.footprint.prefixes.get(seat)
            header = prefix.tokens if prefix is not None else 0
            self._factors(entry.footprint).update(planned, context, output, header)

    def own_tokens(self, match: str) -> tuple[int, int]:
        """Return the own tokens of a match, now and at its expected peak."""
        entry = self._entries[match]
        cumulative = self._cumulative(entry.footprint)
        return entry.own, entry.own + int(cumulative[entry.done :].max() - cumulative[entry.done])

    def own_per_call(self) -> float:
        """Return the mean tokens of a seat's context without its prefix, over whole matches."""
        means = [
            float(self._cumulative(footprint).mean()) * len(some) / max(1, len(footprint.turns))
            for footprint, some in _group_by_footprint(self._entries.values())
        ]
        return sum(means) / len(self._entries) if self._entries else 0.0

    def _factors(self, footprint: Footprint) -> GrowthFactors:
        if self.growth is None:
            self.growth = GrowthFactors(footprint.is_exact)
        return self.growth

    def _highest(self, entries: Iterable[_LiveEntry]) -> int:
        """Return the peak of the summed own tokens of all `entries`.

        Matches are assumed to make requests at equal rates, so the number of requests is the time
        axis.
        """
        groups = _group_by_footprint(entries)
        ends = np.unique(
            [one.left + len(footprint.turns) for footprint, some in groups for one in some]
        )
        if len(ends) > _MOMENTS:
            ends = ends[np.linspace(0, len(ends) - 1, _MOMENTS).astype(int)]
        total = np.zeros(max(1, len(ends)))
        for footprint, some in groups:
            cumulative = self._cumulative(footprint)
            last = len(cumulative) - 1
            done = np.array([one.done for one in some])
            own = np.array([one.own for one in some], dtype=float)
            over = np.array([one.left + len(footprint.turns) for one in some])
            growth = cumulative[np.minimum(done[:, None] + ends, last)] - cumulative[done][:, None]
            total += np.where(ends <= over[:, None], own[:, None] + growth, 0.0).sum(axis=0)
        return int(total.max())

    def _cumulative(self, footprint: Footprint) -> NDArray[np.float64]:
        """Return the own tokens of a match after each request, as currently expected."""
        if id(footprint) not in self._cumulative_tables:
            kinds = sorted({kind for one in footprint.cumulative_tokens for kind in one.speech})
            table = [
                (one.text, one.pictures, *(one.speech.get(kind, 0) for kind in kinds))
                for one in footprint.cumulative_tokens
            ]
            self._cumulative_tables[id(footprint)] = footprint, np.array(table, dtype=float), kinds
        _, cumulative, kinds = self._cumulative_tables[id(footprint)]
        return cumulative @ np.array(self._factors(footprint).of(kinds))

    def _count_prefix(self, tokens: int) -> None:
        self.occupied += tokens
        self._shared += tokens


def _group_by_footprint(entries: Iterable[_LiveEntry]) -> list[tuple[Footprint, list[_LiveEntry]]]:
    groups = defaultdict[int, list[_LiveEntry]](list)
    for entry in entries:
        groups[id(entry.footprint)].append(entry)
    return [(some[0].footprint, some) for some in groups.values()]
