"""Placement of matches on the replicas of a model."""

from collections.abc import Mapping, Sequence
from hashlib import sha256

from arena.schedule.footprint import KvDemand

OVERLOAD_FACTOR = 1.1
"""A replica is overloaded above this multiple of the average load."""
LOW_LOAD = 0.25
"""A replica is never overloaded up to this load: a second replica must prefill the script again."""


def choose_replica(key: str, replicas: Sequence[str], load: Mapping[str, float]) -> str:
    """Return the replica for the next match of `key` (model and script).

    `load` is by replica; 1 means that the KV capacity is reserved once, and a missing replica has
    load 0. The same key gets the same replica until that replica is overloaded: its load exceeds
    both `LOW_LOAD` and `OVERLOAD_FACTOR` times the average.

    This is rendezvous hashing: each key ranks the replicas in its own order and takes the first
    one that is not overloaded. Adding or removing a replica moves only the keys of that replica.
    """
    if not replicas:
        raise ValueError(f"choosing a replica for {key!r} needs at least one replica, got none")
    loads = [load.get(replica, 0.0) for replica in replicas]
    limit = max(LOW_LOAD, OVERLOAD_FACTOR * sum(loads) / len(loads))
    ranked = sorted(replicas, key=lambda replica: _weight(key, replica), reverse=True)
    return next(replica for replica in ranked if load.get(replica, 0.0) <= limit)


class ReplicaLoads:
    """Load of each endpoint: the footprint of all matches placed there, over its KV capacity."""

    def __init__(self, capacities: Mapping[str, int]) -> None:
        """Take `capacities` in tokens, by endpoint."""
        self._capacities = capacities
        self._prefixes: set[tuple[str, str]] = set()
        self.loads: dict[str, float] = {}
        """By endpoint; 1 means that the KV capacity is reserved once."""

    def add(self, demand: KvDemand) -> None:
        """Add a match: its own peak tokens, and those prefixes that are new on the endpoint."""
        tokens = demand.peak
        for prefix in demand.prefixes:
            if (demand.endpoint, prefix.key) not in self._prefixes:
                self._prefixes.add((demand.endpoint, prefix.key))
                tokens += prefix.tokens
        load = tokens / self._capacities[demand.endpoint]
        self.loads[demand.endpoint] = self.loads.get(demand.endpoint, 0.0) + load


def _weight(key: str, replica: str) -> bytes:
    return sha256(f"{key}\0{replica}".encode()).digest()
