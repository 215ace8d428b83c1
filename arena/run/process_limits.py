"""Limits of one process: live matches, and the connections and files that they need.

The user may replace admission control by an exact number of live matches, `concurrency`.
"""

import resource
from collections.abc import Mapping
from dataclasses import dataclass

from arena.run.servers.model_handle import ModelHandle
from arena.schedule.admission import AdmissionPolicy

DEFAULT_LIVE_MATCHES = 8
"""Maximum of live matches if a server hides its KV capacity and the user sets no limit."""
MAX_LIVE_PER_REPLICA = 256
"""Maximum of live matches per server if the user sets no limit: a live match takes about 0.5 MB of
this process, and an engine runs no more concurrent requests than that.
"""

_RESERVED_FILES = 256
"""Open files for logs, libraries and pictures: everything except match records and connections."""
_RECORD_FILES = 2
"""Open files of one match record."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessLimits:
    """Limits of one arena process."""

    live: int
    """Maximum of live matches, given the limit of open files."""
    requests: int
    """Maximum of concurrent requests to one endpoint: one per seat of each live match."""


def process_limits(matches: int, seats: int, concurrency: int | None) -> ProcessLimits:
    """Return the limits for `matches` of up to `seats` seats."""
    open_files = _raise_file_limit()
    most = max(1, (open_files - _RESERVED_FILES) // (_RECORD_FILES + seats))
    live = min(matches, most, concurrency or matches)
    return ProcessLimits(live=live, requests=live * seats)


def admission_policy(
    limits: ProcessLimits, models: Mapping[str, ModelHandle], concurrency: int | None
) -> AdmissionPolicy:
    """Return the admission policy: `concurrency` live matches, or as admission control decides.

    Admission control stays within `limits.live`, and within `MAX_LIVE_PER_REPLICA` if all servers
    report their KV capacity. Otherwise a small default protects a server of unknown capacity.
    """
    if concurrency is not None:
        return AdmissionPolicy(limit_kv=False, adapt=False, max_live=limits.live)
    replicas = [replica for model in models.values() for replica in model.replicas]
    is_known = all(replica.kv_tokens for replica in replicas)
    most = MAX_LIVE_PER_REPLICA * max(1, len(replicas)) if is_known else DEFAULT_LIVE_MATCHES
    return AdmissionPolicy(max_live=min(limits.live, most))


def _raise_file_limit() -> int:
    """Raise the soft limit of open files to the hard limit; return the resulting limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard not in {resource.RLIM_INFINITY, soft}:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        return hard
    return soft
