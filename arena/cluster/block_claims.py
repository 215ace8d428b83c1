"""Claims of blocks: which worker plays which block, decided by files in the shared folder.

claims/RUN/BLOCK/0      created by the worker that plays a block; contains its number
claims/RUN/BLOCK/1      created by the worker that took it over from a dead one, and so on
claims/RUN/BLOCK/done   created when all its matches are finished

Claims are never removed: the last file of a block names its worker.
"""

import threading
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Final

from arena.cluster.shared_files import create_exclusive, read_line
from arena.cluster.worker_lease import CLAIMS_FOLDER, read_heartbeat
from arena.errors import ClusterError
from arena.records.record_files import make_dirs
from arena.records.run_config import MatchSpec, folder_name
from scripts_mm.safe_io import error_reason

_DONE: Final = "done"


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockClaims:
    """Claims of one worker in the folder of a tournament."""

    path: Path
    """The tournament's folder."""
    worker: int
    _own: set[str] = field(default_factory=set[str], init=False)
    """Known blocks of this worker."""
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False)
    """Several threads claim matches of one block."""

    def claim(self, run: str, spec: MatchSpec) -> bool:
        """Claim the block of a match of a run; tell whether this worker may play it.

        Raises `ClusterError` if the folder cannot be written.
        """
        key = f"{run}/{block_of(spec)}"
        with self._lock:
            if key in self._own:
                return True
            try:
                is_own = self._claim(self.path / CLAIMS_FOLDER / key)
            except OSError as error:
                raise ClusterError(f"cannot claim {key!r}: {error_reason(error)}") from error
            if is_own:
                self._own.add(key)
            return is_own

    def mark_finished(self, run: str, blocks: Iterable[str]) -> None:
        """Mark blocks whose matches are all finished, so that they are not taken over."""
        for block in blocks:
            with suppress(OSError):
                self._done_file(run, block).touch()

    def is_finished(self, run: str, block: str) -> bool:
        """Tell whether a block is marked as finished."""
        return self._done_file(run, block).exists()

    def reopen(self, run: str, block: str) -> None:
        """Remove the mark of a block: a match of it was found damaged."""
        with suppress(OSError):
            self._done_file(run, block).unlink(missing_ok=True)

    def _done_file(self, run: str, block: str) -> Path:
        return self.path / CLAIMS_FOLDER / run / block / _DONE

    def _claim(self, folder: Path) -> bool:
        """Create the next claim of a block if the worker of the last one is dead."""
        make_dirs(self.path, folder)
        if (folder / _DONE).exists():
            return False
        for number in count():
            file = folder / str(number)
            if create_exclusive(file, str(self.worker)):
                return True
            if (folder / str(number + 1)).exists():
                continue
            holder = read_line(file)
            if holder == str(self.worker):
                return True
            # A half-written file of a failed host names no worker, which counts as dead.
            if holder.isdecimal() and self._is_alive(int(holder)):
                return False
        raise AssertionError("a count does not end")

    def _is_alive(self, worker: int) -> bool:
        sign = read_heartbeat(self.path, worker)
        return sign is not None and sign.is_alive


def block_of(spec: MatchSpec) -> str:
    """Return the name of a match's block."""
    return f"{folder_name(spec.script)}-s{spec.seed}"
