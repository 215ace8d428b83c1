"""Shared files by which workers on several hosts agree.

A file is created by linking a finished draft, so it appears atomically and complete, and only one
of several workers succeeds, on network file systems too.
"""

import errno
import os
import secrets
import threading
import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

_MAX_BYTES: Final = 4096
"""Maximum bytes of such a file: a line."""
_TRIES: Final = 3


@cache
def process_token() -> str:
    """Return a name that no other process has, on any host."""
    return secrets.token_hex(8)


def create_exclusive(file: Path, text: str) -> bool:
    """Create a file with a line of text atomically; False if it already exists."""
    draft = file.with_name(f".{file.name}.{process_token()}-{threading.get_ident()}")
    try:
        with draft.open("w", encoding="utf-8") as opened:
            opened.write(f"{text}\n")
            opened.flush()
            os.fsync(opened.fileno())
        os.link(draft, file)
    except FileExistsError:
        # An NFS server that repeats a request can refuse the link that it has created.
        return draft.stat().st_nlink > 1
    finally:
        draft.unlink(missing_ok=True)
    return True


def read_line(file: Path) -> str:
    """Return the text of a file; empty if there is none. Bytes that are not UTF-8 are replaced.

    An NFS file that was replaced while it was read is read again.
    """
    for _ in range(_TRIES):
        try:
            with file.open("rb") as opened:
                return opened.read(_MAX_BYTES).decode(errors="replace").strip()
        except FileNotFoundError:
            return ""
        except OSError as error:
            if error.errno != errno.ESTALE:
                raise
    raise OSError(errno.ESTALE, os.strerror(errno.ESTALE), str(file))


def last_number(folder: Path) -> int | None:
    """Return the largest number among the file names of a folder; None: there is none."""
    try:
        names = [file.name for file in folder.iterdir()]
    except (FileNotFoundError, NotADirectoryError):
        return None
    return max((int(name) for name in names if name.isdecimal()), default=None)


def file_system_time(folder: Path) -> float:
    """Return the time of a folder's file system: clocks of hosts can differ."""
    probe = folder / f".{process_token()}-{threading.get_ident()}"
    try:
        probe.touch()
        os.utime(probe)
        return probe.stat().st_mtime
    except OSError:
        return time.time()
    finally:
        with suppress(OSError):
            probe.unlink(missing_ok=True)
