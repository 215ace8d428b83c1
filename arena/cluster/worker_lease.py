"""Leases of workers: which process is worker N of a tournament now, and whether it is alive.

claims/shards        number of shards of the tournament
claims/workers/N/0   created by the first process of worker N: its identity, and its lease
claims/workers/N/1   created by the process that took it over, and so on

The process of the last file holds the lease. It touches the file nine times per lease; a process
that has not done so for a lease is dead. A process that leaves sets the time of its file to 0.
"""

import os
import socket
import time
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from arena.cluster.shared_files import (
    create_exclusive,
    file_system_time,
    last_number,
    process_token,
    read_line,
)
from arena.errors import ClusterError, ConfigError
from arena.records.record_files import make_dirs
from scripts_mm.safe_io import error_reason

CLAIMS_FOLDER: Final = "claims"
LEASE_SECONDS: Final = 180.0
"""Seconds: more than the pause of a process or a slow file system."""
MAX_LEASE_SECONDS: Final = 86_400.0
_WORKERS: Final = "workers"
_SHARDS: Final = "shards"
_BEATS_PER_LEASE: Final = 9
"""Heartbeats per lease."""
_MAX_SILENCE: Final = 2 / 3
"""Fraction of a lease for which heartbeats can fail before the process considers its lease lost."""


class WorkerProcess(BaseModel):
    """Process that plays as a worker, as identified in its file in the shared folder."""

    model_config = ConfigDict(frozen=True, strict=True)

    host: str
    pid: int
    token: str
    """Unique to this process."""
    scope: str
    """Boot id of the host and namespace of processes, within which `pid` identifies this process.
    """
    lease: Annotated[float, Field(gt=0, le=MAX_LEASE_SECONDS)]
    """Seconds without a heartbeat after which it is dead."""

    def __str__(self) -> str:
        """Return host and number of the process."""
        return f"{self.host}-{self.pid}"

    def has_ended_here(self) -> bool:
        """Tell whether it is a process of this host that has ended."""
        if self.scope != _scope():
            return False
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return True
        except (OSError, OverflowError):
            return False
        return False


def this_process(lease: float) -> WorkerProcess:
    """Return the content of this process's file."""
    return WorkerProcess(
        host=socket.gethostname(),
        pid=os.getpid(),
        token=process_token(),
        scope=_scope(),
        lease=lease,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Heartbeat:
    """Last heartbeat of a worker."""

    number: int
    """Number of earlier processes of the worker."""
    process: WorkerProcess | None
    """None: the file names no process, for example because a host lost what it wrote."""
    touched: float
    silent: float | None
    """Seconds since the last touch; None: the process has left."""

    @property
    def is_alive(self) -> bool:
        """Return whether the last touch is younger than the lease."""
        return (
            self.process is not None
            and self.silent is not None
            and self.silent < self.process.lease
        )


@dataclass(slots=True, kw_only=True)
class WorkerLease:
    """Lease of one worker, for the process that wants to hold it."""

    path: Path
    """The tournament's folder."""
    worker: int
    process: WorkerProcess
    _number: int | None = field(default=None, init=False)
    """Number of this process, once it holds the lease."""
    _seen: set[float] = field(default_factory=set[float], init=False)
    """Times at which another process of this worker was last seen alive."""
    _renewed_at: float = field(default=0.0, init=False)
    """Time of `time.monotonic` of the last heartbeat."""

    @property
    def beat_seconds(self) -> float:
        """Return the seconds between two heartbeats."""
        return self.process.lease / _BEATS_PER_LEASE

    def acquire(self, shards: int) -> bool:
        """Acquire the lease; False: another process may still hold it, so call again.

        `shards`: number of shards of the tournament. A process is dead if it gives no heartbeat for
        its lease, or has ended on this host. Raises `ClusterError` if it gave one since the first
        call, `ConfigError` if other workers use another number of shards.
        """
        try:
            make_dirs(self.path, self._folder)
            create_exclusive(self.path / CLAIMS_FOLDER / _SHARDS, str(shards))
            check_shards(self.path, shards)
            sign = read_heartbeat(self.path, self.worker)
            if sign is None or not sign.is_alive or _has_ended(sign):
                number = 0 if sign is None else sign.number + 1
                if not create_exclusive(self._folder / str(number), self.process.model_dump_json()):
                    return False
                self._number, self._renewed_at = number, time.monotonic()
                return True
        except OSError as error:
            raise ClusterError(
                f"cannot write {str(self._folder)!r}: {error_reason(error)}"
            ) from error
        self._seen.add(sign.touched)
        if len(self._seen) > 1:
            raise ClusterError(
                f"shard {self.worker} is being played by {sign.process}; stop it first"
            )
        return False

    def renew(self) -> None:
        """Renew the lease; `ClusterError` if another process holds it, or if it fails too long."""
        try:
            sign = read_heartbeat(self.path, self.worker)
            if sign is not None and sign.number != self._number:
                raise ClusterError(
                    f"shard {self.worker} was taken over by "
                    f"{sign.process or 'an unknown process'} while this process did not answer; "
                    "it stops, and its finished matches are kept"
                )
            os.utime(self._file)
        except OSError as error:
            if time.monotonic() - self._renewed_at < self.process.lease * _MAX_SILENCE:
                return
            raise ClusterError(
                f"cannot write {str(self._file)!r}: {error_reason(error)}"
            ) from error
        self._renewed_at = time.monotonic()

    def release(self) -> None:
        """Release the lease; the worker's claims stay, and can be taken over immediately."""
        if self._number is not None:
            with suppress(OSError):
                os.utime(self._file, (0, 0))

    @property
    def _folder(self) -> Path:
        return _folder(self.path, self.worker)

    @property
    def _file(self) -> Path:
        return self._folder / str(self._number)


def read_heartbeat(path: Path, worker: int) -> Heartbeat | None:
    """Return the last heartbeat of a worker of the tournament at `path`; None: there is none.

    Raises `OSError` if it cannot be read.
    """
    folder = _folder(path, worker)
    number = last_number(folder)
    if number is None:
        return None
    file = folder / str(number)
    touched = file.stat().st_mtime
    return Heartbeat(
        number=number,
        process=_parse(read_line(file)),
        touched=touched,
        silent=None if touched == 0 else file_system_time(folder) - touched,
    )


def read_shard_count(path: Path) -> int | None:
    """Return the number of shards of the tournament at `path`; None: not set by a worker yet."""
    text = read_line(path / CLAIMS_FOLDER / _SHARDS)
    return int(text) if text.isdecimal() else None


def list_workers(path: Path) -> set[int]:
    """Return the numbers of the workers of a tournament that have ever started."""
    folders = (path / CLAIMS_FOLDER / _WORKERS).glob("[0-9]*")
    return {int(folder.name) for folder in folders if folder.name.isdecimal()}


def check_shards(path: Path, shards: int) -> None:
    """Raise `ConfigError` if the tournament at `path` is played in another number of shards."""
    known = read_shard_count(path)
    if known not in {None, shards}:
        raise ConfigError(
            f"the tournament {str(path)!r} is played in {known} shards, not in {shards}; "
            f"continue with {known}, or run `arena cluster merge`, delete the folders shards and "
            f"{CLAIMS_FOLDER} in it, and play the rest in another number"
        )


def _folder(path: Path, worker: int) -> Path:
    return path / CLAIMS_FOLDER / _WORKERS / str(worker)


def _has_ended(sign: Heartbeat) -> bool:
    return sign.process is not None and sign.process.has_ended_here()


def _parse(line: str) -> WorkerProcess | None:
    try:
        return WorkerProcess.model_validate_json(line)
    except ValidationError:
        return None


@cache
def _scope() -> str:
    try:
        start = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        return f"{start}:{Path('/proc/self/ns/pid').stat().st_ino}"
    except OSError:
        return process_token()
