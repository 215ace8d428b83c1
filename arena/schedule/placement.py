"""On which replica of a model a match is played."""

from collections.abc import Mapping, Sequence
from hashlib import sha256

from arena.schedule.footprint import Demand

SPILL = 1.1
"""A replica is overloaded where it has this many times the load of the average."""
ENOUGH = 0.25
"""A load below which no replica is overloaded: spreading a script costs its first reading."""


def place(key: str, replicas: Sequence[str], load: Mapping[str, float]) -> str:
    """Return the replica for the next match of `key` (model and script).

    It is the same one for all of them as long as it keeps up with the others.

    Rendezvous hashing: each key has its own order of the replicas, and a replica that comes or
    goes moves only the keys that it gets or had. The first in that order is taken which is not
    overloaded: whose `load` (1: as much as it can hold; unnamed: 0) is neither above `ENOUGH` nor
    above `SPILL` times the average.
    """
    if not replicas:
        raise ValueError(f"wanted replicas to place {key!r} on, got none")
    loads = [load.get(replica, 0.0) for replica in replicas]
    most = max(ENOUGH, SPILL * sum(loads) / len(loads))
    ordered = sorted(replicas, key=lambda replica: _weight(key, replica), reverse=True)
    return next(replica for replica in ordered if load.get(replica, 0.0) <= most)


class Loads:
    """How much of each server's memory the matches placed there would fill, one after another."""

    def __init__(self, rooms: Mapping[str, int]) -> None:
        self._rooms = rooms
        self._shares: set[tuple[str, str]] = set()
        self.parts: dict[str, float] = {}
        """By endpoint; 1: its cache once over."""

    def add(self, demand: Demand) -> None:
        """Count a match: what it has of its own, and what it shares where that is new."""
        tokens = demand.peak
        for share in demand.shares:
            if (demand.endpoint, share.key) not in self._shares:
                self._shares.add((demand.endpoint, share.key))
                tokens += share.tokens
        part = tokens / self._rooms[demand.endpoint]
        self.parts[demand.endpoint] = self.parts.get(demand.endpoint, 0.0) + part


def _weight(key: str, replica: str) -> bytes:
    return sha256(f"{key}\0{replica}".encode()).digest()
