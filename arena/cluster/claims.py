"""Claims: which worker plays which block of a tournament, decided by files in the shared folder.

    claims/shards           how many shards the tournament is cut into
    claims/workers/N        touched by worker N every few seconds while it plays
    claims/RUN/BLOCK/0      made by the worker that plays a block, with its number in it
    claims/RUN/BLOCK/1      made by the worker that took it over from a dead one, and so on
    claims/RUN/BLOCK/done   made when all its matches are finished

A file is made by linking a finished draft, so it appears at once and whole, and only one of
several workers succeeds, on network file systems too. No claim is ever removed: who holds a block
is in its last file. A worker that has not touched its own file for `LEASE` seconds is dead.
"""

import os
import socket
import threading
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Final

from arena.errors import ClusterError, ConfigError
from arena.records.config import MatchSpec, folder_name
from arena.records.files import make_dirs
from scripts_mm.reading import reason_of

CLAIMS: Final = "claims"
_WORKERS: Final = "workers"
_SHARDS: Final = "shards"
LEASE: Final = 180.0
"""Seconds: more than a paused process or a slow file system may take."""
_DONE: Final = "done"
_BEATS: Final = 9
"""Signs of life within a lease."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claims:
    """The claims of one worker in the folder of a tournament."""

    path: Path
    """The tournament's folder."""
    worker: int
    lease: float = LEASE
    _own: set[str] = field(default_factory=set[str])
    """Blocks that are known to be this worker's."""
    _seen: set[float] = field(default_factory=set[float])
    """When another process of this number was last seen alive."""
    _lock: threading.Lock = field(default_factory=threading.Lock)
    """Matches of one block are claimed in several threads."""

    @property
    def pause(self) -> float:
        """Seconds between two signs of life."""
        return self.lease / _BEATS

    def start(self, shards: int) -> bool:
        """Announce the worker; False: another process may still be this worker, so call again.

        `shards`: into how many the tournament is cut. A process is dead when it gives no sign of
        life for a lease, or has ended on this host. Raises `ClusterError` where it gave one since
        the first call, `ConfigError` where other workers know another number of shards.
        """
        file, me = self._alive(self.worker), _identity()
        try:
            make_dirs(self.path, file.parent)
            _link_new(self.path / CLAIMS / _SHARDS, str(shards))
            check_shards(self.path, shards)
            other = _read(file)
            if other in {"", me} or _is_dead_here(other) or self._age(file) >= self.lease:
                _replace(file, me)
                return True
            self._seen.add(file.stat().st_mtime)
        except OSError as error:
            raise ClusterError(f"cannot write {str(file)!r}: {reason_of(error)}") from error
        if len(self._seen) > 1:
            raise ClusterError(f"shard {self.worker} is being played by {other}; stop it first")
        return False

    def beat(self) -> None:
        """Renew the lease; `ClusterError` where another process has become this worker."""
        file = self._alive(self.worker)
        try:
            other = _read(file)
            if other == _identity():
                os.utime(file)
                return
        except OSError as error:
            raise ClusterError(f"cannot write {str(file)!r}: {reason_of(error)}") from error
        raise ClusterError(
            f"shard {self.worker} was taken over by {other or 'nobody known'} while this process "
            "did not answer; it stops, and nothing that it finished is lost"
        )

    def stop(self) -> None:
        """Give the worker's place back; its claims stay, and can be taken over at once."""
        with suppress(OSError):
            if _read(self._alive(self.worker)) == _identity():
                self._alive(self.worker).unlink()

    def sign_of_life(self) -> tuple[str, float | None]:
        """Return who is this worker now and the seconds since its last touch; None: nobody is."""
        file = self._alive(self.worker)
        holder = _read(file)
        return holder, self._age(file) if holder else None

    def take(self, run: str, spec: MatchSpec) -> bool:
        """Claim the block of a match of a run; tell whether this worker may play it."""
        key = f"{run}/{block_of(spec)}"
        with self._lock:
            if key in self._own:
                return True
            try:
                is_own = self._take(self.path / CLAIMS / key)
            except OSError as error:
                raise ClusterError(f"cannot claim {key!r}: {reason_of(error)}") from error
            if is_own:
                self._own.add(key)
            return is_own

    def finish(self, run: str, blocks: Iterable[str]) -> None:
        """Note that all matches of some blocks are finished: nobody need take them over."""
        for block in blocks:
            with suppress(OSError):
                (self.path / CLAIMS / run / block / _DONE).touch()

    def _take(self, folder: Path) -> bool:
        """Make the next claim of a block where the last one's worker is dead."""
        make_dirs(self.path, folder)
        if (folder / _DONE).exists():
            return False
        for number in count():
            file = folder / str(number)
            if self._make(file):
                return True
            if (folder / str(number + 1)).exists():
                continue
            holder = _read(file)
            if holder == str(self.worker):
                return True
            # A file that a host lost half written names nobody, who is dead.
            if holder.isdecimal() and self._age(self._alive(int(holder))) < self.lease:
                return False
        raise AssertionError("a count does not end")

    def _make(self, file: Path) -> bool:
        """Make a claim; False where there is one."""
        return _link_new(file, str(self.worker))

    def _alive(self, worker: int) -> Path:
        return self.path / CLAIMS / _WORKERS / str(worker)

    def _age(self, file: Path) -> float:
        """Return the seconds since a worker's last touch by the file system's clock."""
        try:
            touched = file.stat().st_mtime
        except FileNotFoundError:
            return float("inf")
        return self._now() - touched

    def _now(self) -> float:
        """Return the time as the shared file system tells it: hosts' clocks may differ."""
        probe = self.path / CLAIMS / _WORKERS / f".{_identity()}"
        try:
            probe.touch()
            os.utime(probe)
            return probe.stat().st_mtime
        except OSError:
            return time.time()
        finally:
            with suppress(OSError):
                probe.unlink(missing_ok=True)


def known_shards(path: Path) -> int | None:
    """Return into how many shards the tournament at `path` is cut; None: no worker has said."""
    text = _read(path / CLAIMS / _SHARDS)
    return int(text) if text.isdecimal() else None


def known_workers(path: Path) -> set[int]:
    """Return the numbers of the workers of a tournament that have not left their place."""
    files = (path / CLAIMS / _WORKERS).glob("[0-9]*")
    return {int(file.name) for file in files if file.name.isdecimal()}


def check_shards(path: Path, shards: int) -> None:
    """Raise `ConfigError` where the tournament at `path` is played in another number of shards."""
    known = known_shards(path)
    if known not in {None, shards}:
        raise ConfigError(
            f"the tournament {str(path)!r} is played in {known} shards, not in {shards}; go on "
            f"with {known}, or run `arena cluster merge`, delete the folders shards and {CLAIMS} "
            "in it, and play the rest in another number"
        )


def block_of(spec: MatchSpec) -> str:
    """Return the name of a match's block."""
    return f"{folder_name(spec.script)}-s{spec.seed}"


def _link_new(file: Path, text: str) -> bool:
    """Make a file with a line of text, at once and whole; False where there is one."""
    draft = file.with_name(f".{file.name}.{_identity()}-{threading.get_ident()}")
    try:
        with draft.open("w", encoding="utf-8") as opened:
            opened.write(f"{text}\n")
            opened.flush()
            os.fsync(opened.fileno())
        os.link(draft, file)
    except FileExistsError:
        return False
    finally:
        draft.unlink(missing_ok=True)
    return True


def _identity() -> str:
    return f"{socket.gethostname()}-{os.getpid()}"


def _is_dead_here(identity: str) -> bool:
    """Tell whether a process of this host has ended."""
    host, _, number = identity.rpartition("-")
    if host != socket.gethostname() or not number.isdecimal():
        return False
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        return False
    return False


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        return ""


def _replace(file: Path, text: str) -> None:
    draft = file.with_name(f".{file.name}.{_identity()}.new")
    draft.write_text(f"{text}\n", encoding="utf-8")
    draft.replace(file)
