"""Folder of a run: free for a new one, left by an interrupted start, or locked by a process."""

import fcntl
import os
import re
import shlex
import stat
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import sleep
from typing import Final

from arena.errors import RecordError
from arena.records.record_files import open_to_write
from scripts_mm.safe_io import error_reason

MANIFEST_FILE: Final = "run.json"
SCRIPTS: Final = "scripts"
PICTURES: Final = "pictures"
MATCHES: Final = "matches"

_LOCK: Final = ".lock"
_LOCK_TRIES: Final = 10
_LOCK_SECONDS: Final = 0.02
"""Seconds between two tries."""
_DRAFT: Final = re.compile(
    r"\.(run\.json|done\.json|(events|calls|probes)\.jsonl|index\.sqlite|"
    r"[0-9a-f]{64}((\.facts)?\.json)?)\.[0-9]+"
)
"""Files that a killed `atomic_write` or `atomic_copy` leaves."""
_KEPT: Final = {
    SCRIPTS: re.compile(r"[0-9a-f]{64}(\.facts)?\.json"),
    PICTURES: re.compile(r"[0-9a-f]{64}"),
}
"""Folders that are written before run.json, and the patterns of their file names."""


@contextmanager
def hold_folder(path: Path) -> Generator[None]:
    """Lock the run in `path` for this process, and remove the drafts of dead processes.

    Raises `RecordError` if another process is playing it.
    """
    handle = open_to_write(path / _LOCK)
    try:
        try:
            _lock(handle)
        except BlockingIOError as error:
            raise RecordError(
                f"another process is playing the run {str(path)!r}; wait for it or stop it"
            ) from error
        except OSError as error:
            raise RecordError(f"cannot lock {str(path)!r}: {error_reason(error)}") from error
        _remove_drafts(path.resolve())
        yield
    finally:
        os.close(handle)


def _lock(handle: int) -> None:
    """Lock a file, or raise `BlockingIOError`.

    `is_held` of another process locks it for an instant, so one failure does not mean a player.
    """
    for _ in range(_LOCK_TRIES - 1):
        with suppress(BlockingIOError):
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        sleep(_LOCK_SECONDS)
    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


def is_held(path: Path) -> bool:
    """Tell whether a process is playing the run in `path`; False if that is unknown.

    It tries a shared lock, which is released immediately and fails while another process plays the
    run.
    """
    try:
        handle = os.open(path / _LOCK, os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        os.close(handle)
    return False


def check_new(path: Path) -> None:
    """Raise `RecordError` if no new run can be created at `path`; nothing is created yet.

    An empty folder, or one that an interrupted start left, can be used.
    """
    try:
        blocking = next((p for p in (path, *path.parents) if p.exists() and not p.is_dir()), None)
        is_free = blocking is None and (not path.exists() or is_unstarted(path))
    except (OSError, ValueError) as error:
        raise RecordError(f"cannot create a run in {str(path)!r}: {error_reason(error)}") from error
    if blocking is not None:
        raise RecordError(f"wanted a folder for the run, but {str(blocking)!r} is a file")
    if not is_free:
        command = shlex.join(["arena", "resume", str(path)])
        is_run = os.path.lexists(path / MANIFEST_FILE)
        more = f", or continue that run with `{command}`" if is_run else ""
        raise RecordError(f"{str(path)!r} is not empty; choose another folder with --out{more}")


def is_unstarted(path: Path) -> bool:
    """Tell whether a folder is empty, or contains only files from before a run's first match.

    These are a lock, and scripts, pictures and drafts of the arena.
    """
    with os.scandir(path) as entries:
        found = {entry.name: entry for entry in entries}
    lock = found.pop(_LOCK, None)
    if lock is None:
        return not found
    return _is_empty_file(lock) and all(map(_is_leftover, found.values()))


def _is_leftover(entry: os.DirEntry[str]) -> bool:
    if _is_draft(entry):
        return True
    kept = _KEPT.get(entry.name)
    if kept is None or not entry.is_dir(follow_symlinks=False):
        return False
    with os.scandir(entry) as files:
        return all(
            _is_draft(file) or (_is_file(file) and kept.fullmatch(file.name)) for file in files
        )


def iterate_files(path: Path, kind: str) -> Iterator[Path]:
    """Yield the finished files of the folder `kind` of a run, SCRIPTS or PICTURES."""
    for entry in _entries(path / kind):
        if _is_file(entry) and _KEPT[kind].fullmatch(entry.name):
            yield Path(entry.path)


def _remove_drafts(path: Path) -> None:
    """Remove the drafts of killed processes; the lock excludes other writers."""
    matches = [Path(entry.path) for entry in _entries(path / MATCHES)]
    folders = (path / SCRIPTS, path / PICTURES, *matches)
    entries = (entry for folder in folders for entry in _entries(folder))
    for entry in (*_entries(path), *entries):
        if _is_draft(entry):
            with suppress(OSError):
                Path(entry.path).unlink()


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    """Return the entries of a folder; empty if it is a link or cannot be read."""
    try:
        with os.scandir(folder) as entries:
            return [] if folder.is_symlink() else list(entries)
    except OSError:
        return []


def _is_draft(entry: os.DirEntry[str]) -> bool:
    return _is_file(entry) and _DRAFT.fullmatch(entry.name) is not None


def _is_file(entry: os.DirEntry[str]) -> bool:
    return entry.is_file(follow_symlinks=False)


def _is_empty_file(entry: os.DirEntry[str]) -> bool:
    found = entry.stat(follow_symlinks=False)
    return stat.S_ISREG(found.st_mode) and found.st_size == 0
