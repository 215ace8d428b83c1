"""On which replica of a model the matches of a script are played."""

from collections.abc import Mapping, Sequence
from hashlib import sha256

SPILL = 1.25
"""A replica is overloaded where it has this many times the load of the average."""


def place(key: str, replicas: Sequence[str], load: Mapping[str, float]) -> str:
    """Return the replica for `key` (model and script): the same one as long as it keeps up.

    Rendezvous hashing: each key has its own order of the replicas, and a replica that comes or
    goes moves only the keys that it gets or had. The first in that order is taken which is not
    overloaded: whose `load` (1: as much as it can hold; unnamed: 0) is neither above 1 nor above
    `SPILL` times the average.
    """
    if not replicas:
        raise ValueError(f"wanted replicas to place {key!r} on, got none")
    loads = [load.get(replica, 0.0) for replica in replicas]
    most = max(1.0, SPILL * sum(loads) / len(loads))
    ordered = sorted(replicas, key=lambda replica: _weight(key, replica), reverse=True)
    return next(replica for replica in ordered if load.get(replica, 0.0) <= most)


def _weight(key: str, replica: str) -> bytes:
    return sha256(f"{key}\0{replica}".encode()).digest()
