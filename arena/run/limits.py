"""How many matches may be alive here, and from that one number everything that a client limits."""

import resource
from collections.abc import Mapping
from dataclasses import dataclass

from arena.run.open_model import OpenModel

UNKNOWN_LIVE = 8
"""Matches at once where a server does not say how much it holds, and the user neither."""

_KEPT_FILES = 256
"""For what is neither a match's record nor a connection: logs, libraries, pictures."""
_RECORD_FILES = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one process of the arena may have open."""

    live: int
    """Matches at once, at most: so many as there are files for."""
    requests: int
    """To one endpoint: every seat of every such match."""


def limits(matches: int, seats: int, wanted: int | None) -> Limits:
    """Return the limits for `matches` of up to `seats` seats; `wanted`: the user's own."""
    open_files = _raise_files()
    room = max(1, (open_files - _KEPT_FILES) // (_RECORD_FILES + seats))
    live = min(matches, room, wanted or matches)
    return Limits(live=live, requests=live * seats)


def most_live(found: Limits, models: Mapping[str, OpenModel], wanted: int | None) -> int:
    """Return how many matches the scheduler may have alive, whatever their size.

    Where all servers say how much they hold, admission alone decides; else a small number does.
    """
    told = all(replica.kv_tokens for model in models.values() for replica in model.replicas)
    return found.live if wanted or told else min(found.live, UNKNOWN_LIVE)


def _raise_files() -> int:
    """Return how many files may be open, after asking for as many as this user may have."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard not in {resource.RLIM_INFINITY, soft}:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        return hard
    return soft
