"""Places: which process is worker N of a tournament now, and whether it is alive.

    claims/shards        how many shards the tournament is cut into
    claims/workers/N/0   made by the first process of worker N: who it is, and its lease
    claims/workers/N/1   made by the one that took the place over, and so on

The process of the last file has the place. It touches the file nine times a lease; one that has not
done so for a lease is dead. A process that leaves sets the time of its file to 0.
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
"""Seconds: more than a paused process or a slow file system may take."""
MAX_LEASE_SECONDS: Final = 86_400.0
_WORKERS: Final = "workers"
_SHARDS: Final = "shards"
_BEATS_PER_LEASE: Final = 9
"""Signs of life within a lease."""
_MAX_SILENCE: Final = 2 / 3
"""Of a lease: for so long signs of life may fail, before the process takes its place for lost."""


class WorkerProcess(BaseModel):
    """A process that plays as a worker, as its file in the shared folder names it."""

    model_config = ConfigDict(frozen=True, strict=True)

    host: str
    pid: int
    token: str
    """Of this process alone."""
    scope: str
    """Start of the host and namespace of processes: where `pid` means this process."""
    lease: Annotated[float, Field(gt=0, le=MAX_LEASE_SECONDS)]
    """Seconds without a sign of life after which it is dead."""

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
    """Return what this process writes into its file."""
    return WorkerProcess(
        host=socket.gethostname(),
        pid=os.getpid(),
        token=process_token(),
        scope=_scope(),
        lease=lease,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Heartbeat:
    """The last sign of life of a worker."""

    number: int
    """Of the process: so many had the place before it."""
    process: WorkerProcess | None
    """None: the file names nobody, as where a host lost what it wrote."""
    touched: float
    silent: float | None
    """Seconds since the last touch; None: the process has left."""

    @property
    def is_alive(self) -> bool:
        """Whether the last touch is younger than the lease."""
        return (
            self.process is not None
            and self.silent is not None
            and self.silent < self.process.lease
        )


@dataclass(slots=True, kw_only=True)
class WorkerLease:
    """The place of one worker, for the process that wants it."""

    path: Path
    """The tournament's folder."""
    worker: int
    process: WorkerProcess
    _number: int | None = field(default=None, init=False)
    """Of this process, once it has the place."""
    _seen: set[float] = field(default_factory=set[float], init=False)
    """When another process of this worker was last seen alive."""
    _renewed_at: float = field(default=0.0, init=False)
    """Of `time.monotonic`: the last sign of life."""

    @property
    def beat_seconds(self) -> float:
        """Seconds between two signs of life."""
        return self.process.lease / _BEATS_PER_LEASE

    def acquire(self, shards: int) -> bool:
        """Take the place; False: another process may still have it, so call again.

        `shards`: into how many the tournament is cut. A process is dead when it gives no sign of
        life for its lease, or has ended on this host. Raises `ClusterError` where it gave one since
        the first call, `ConfigError` where other workers know another number of shards.
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
        """Renew the lease; `ClusterError` where the place is another's, or fails for too long."""
        try:
            sign = read_heartbeat(self.path, self.worker)
            if sign is not None and sign.number != self._number:
                raise ClusterError(
                    f"shard {self.worker} was taken over by {sign.process or 'nobody known'} while "
                    "this process did not answer; it stops, and nothing that it finished is lost"
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
        """Give the place back; the worker's claims stay, and can be taken over at once."""
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
    """Return the last sign of life of a worker of the tournament at `path`; None: there is none.

    Raises `OSError` where it cannot be read.
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
    """Return into how many shards the tournament at `path` is cut; None: no worker has said."""
    text = read_line(path / CLAIMS_FOLDER / _SHARDS)
    return int(text) if text.isdecimal() else None


def list_workers(path: Path) -> set[int]:
    """Return the numbers of the workers of a tournament that have ever started."""
    folders = (path / CLAIMS_FOLDER / _WORKERS).glob("[0-9]*")
    return {int(folder.name) for folder in folders if folder.name.isdecimal()}


def check_shards(path: Path, shards: int) -> None:
    """Raise `ConfigError` where the tournament at `path` is played in another number of shards."""
    known = read_shard_count(path)
    if known not in {None, shards}:
        raise ConfigError(
            f"the tournament {str(path)!r} is played in {known} shards, not in {shards}; go on "
            f"with {known}, or run `arena cluster merge`, delete the folders shards and "
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
