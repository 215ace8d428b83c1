"""Files of the state folder: accessible only to this user, and read only if this user owns them."""

import os
import stat
import tempfile
from pathlib import Path
from typing import BinaryIO, Final

from serving.errors import EngineError
from serving.host.xdg_folders import state_folder

_MOST_BYTES: Final = 1024 * 1024
_MODE: Final = 0o700
_OTHERS: Final = 0o077
# Do not follow links, and do not block on a pipe without a writer.
_FLAGS: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def private_folder(name: str) -> Path:
    """Return a folder in the state folder that no other user can enter; create it if missing.

    Raises `EngineError` if it cannot be created, or belongs to another user.
    """
    folder = state_folder() / name
    for each in (folder.parent, folder):
        try:
            each.mkdir(mode=_MODE, parents=True, exist_ok=True)
            found = each.stat()
            if found.st_uid == os.geteuid() and found.st_mode & _OTHERS:
                each.chmod(_MODE)
        except OSError as error:
            raise _unusable_error(each, error) from error
        if found.st_uid != os.geteuid():
            raise _unusable_error(each, "it belongs to another user")
    return folder


def open_private(path: Path) -> BinaryIO | None:
    """Open a file to read; return None if it is not a regular file of this user."""
    try:
        handle = os.open(path, _FLAGS)
    except (OSError, ValueError):
        return None
    found = os.fstat(handle)
    if stat.S_ISREG(found.st_mode) and found.st_uid == os.geteuid():
        return os.fdopen(handle, "rb")
    os.close(handle)
    return None


def read_private(path: Path) -> bytes | None:
    """Return a file's bytes; None if it is not this user's, or larger than 1 MiB."""
    file = open_private(path)
    if file is None:
        return None
    with file:
        content = file.read(_MOST_BYTES + 1)
    return content if len(content) <= _MOST_BYTES else None


def write_private(path: Path, text: str) -> None:
    """Write a file that only this user can read, replacing an older one atomically.

    Raises `EngineError` if writing fails.
    """
    try:
        # mkstemp creates the file with mode 0600.
        handle, scratch = tempfile.mkstemp(dir=path.parent, prefix=".new-")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
            Path(scratch).replace(path)
        except OSError:
            Path(scratch).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise _unusable_error(path, error) from error


def _unusable_error(path: Path, why: OSError | str) -> EngineError:
    reason = why if isinstance(why, str) else (why.strerror or "").lower()
    return EngineError(
        f"{str(path)!r} cannot be used: {reason}; set XDG_STATE_HOME to a folder of your own"
    )
