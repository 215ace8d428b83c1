"""Append-only JSONL files, and files that are written completely or not at all.

A run folder can come from an untrusted source: links, pipes and endless files are refused.
"""

import os
import shutil
import stat
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final, Protocol, TypeVar

from arena.errors import RecordError
from scripts_mm.safe_io import error_reason, open_regular, read_bytes
from scripts_mm.script import ScriptError

MAX_TEXT: Final = 4 << 20
"""Bytes of run.json or done.json: a thousand times their largest size."""
MAX_FILE: Final = 64 << 20
"""Bytes of a script or a picture: four times the largest script that is loaded."""
MAX_LINE: Final = 16 << 20
"""Bytes of one line: the largest script that is loaded, or four million tokens."""
MAX_LINES: Final = 256 << 20
"""Bytes of a JSONL file: a hundred times the calls of a long match."""

_BLOCK: Final = 1 << 16
_WRITE: Final = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC

T = TypeVar("T")


class AppendLines(Protocol):
    """Appends lines to a file; they are flushed to the operating system on return."""

    def __call__(self, *lines: str) -> None:
        """Write `lines`, or raise `RecordError`."""
        ...


@contextmanager
def open_jsonl_append(path: Path) -> Generator[AppendLines]:
    """Yield a function that appends lines to `path`; each is flushed before it returns.

    An incomplete line that a crash left at the file's end is removed first: it had no effect.
    """
    handle = open_to_write(path)
    try:
        _cut_torn_tail(handle)
        file = os.fdopen(handle, "ab")
    except OSError as error:
        os.close(handle)
        raise _failure("open", path, error) from error

    def append(*lines: str) -> None:
        data = [f"{line}\n".encode() for line in lines]
        _refuse_unreadable(path, file.tell(), data)
        try:
            file.writelines(data)
            file.flush()
        except OSError as error:
            raise _failure("write", path, error) from error

    try:
        yield append
    finally:
        _close(file)


def open_to_write(path: Path) -> int:
    """Open the regular file `path`, new or existing, and return its descriptor.

    Raises `RecordError` for a link, hard link, pipe or similar: they can lead outside the run.
    """
    if path.is_symlink():
        raise RecordError(f"{str(path)!r} is a link, but must be a regular file")
    try:
        handle = os.open(path, _WRITE, 0o644)
    except OSError as error:
        raise _failure("open", path, error) from error
    found = os.fstat(handle)
    if stat.S_ISREG(found.st_mode) and found.st_nlink <= 1:
        return handle
    os.close(handle)
    if stat.S_ISREG(found.st_mode):
        raise RecordError(
            f"{str(path)!r} has a second name, a hard link; copy it to a separate file"
        )
    raise RecordError(f"{str(path)!r} is not a regular file")


def read_jsonl(path: Path, decode: Callable[[str], T]) -> tuple[T, ...]:
    """Return the decoded complete lines of `path`; empty if there is no file.

    Raises `RecordError` with the file and line of a line that cannot be decoded.
    """
    return tuple(iterate_jsonl(path, decode))


def iterate_jsonl(path: Path, decode: Callable[[str], T]) -> Iterator[T]:
    """Yield the lines that `read_jsonl` returns, one at a time."""
    for number, line in enumerate(_iterate_lines(path), start=1):
        try:
            value = decode(line.decode())
        except UnicodeDecodeError as error:
            raise RecordError(f"{str(path)!r}, line {number}: this is not UTF-8") from error
        except RecordError as error:
            raise RecordError(f"{str(path)!r}, line {number}: {error}") from error
        yield value


def read_grown(path: Path, start: int, decode: Callable[[str], T]) -> tuple[tuple[T, ...], int]:
    """Return the decoded complete lines from byte `start` on, and the byte after the last of them.

    If the file is shorter than `start`, it has lost its end, and no line is returned. Raises
    `RecordError` as `read_jsonl`.
    """
    if not os.path.lexists(path):
        return (), start
    with _open(path) as file:
        file.seek(start)
        data = file.read(MAX_LINES).rpartition(b"\n")[0]
    if not data:
        return (), start
    try:
        found = tuple(decode(line.decode()) for line in data.split(b"\n"))
    except (UnicodeDecodeError, RecordError) as error:
        raise RecordError(f"{str(path)!r}, after byte {start}: {error}") from error
    return found, start + len(data) + 1


def count_lines(path: Path) -> int:
    """Return the number of complete lines of `path`; 0: there is no file. Raises `RecordError`."""
    if not os.path.lexists(path):
        return 0
    with _open(path) as file:
        return sum(block.count(b"\n") for block in iter(lambda: file.read(_BLOCK), b""))


def read_last_line(path: Path, decode: Callable[[str], T]) -> T:
    """Return the decoded last complete line of `path`. Raises `RecordError`."""
    with _open(path) as file:
        file.seek(max(0, file.seek(0, os.SEEK_END) - MAX_LINE))
        line = file.read().rpartition(b"\n")[0].rpartition(b"\n")[2]
    try:
        return decode(line.decode())
    except (UnicodeDecodeError, RecordError) as error:
        raise RecordError(f"{str(path)!r}, last line: {error}") from error


def read_text(path: Path) -> str | None:
    """Return the text of a small file; None: there is none. Raises `RecordError`."""
    data = read_file(path, MAX_TEXT)
    try:
        return None if data is None else data.decode()
    except UnicodeDecodeError as error:
        raise RecordError(f"{str(path)!r} is not UTF-8") from error


def read_file(path: Path, limit: int = MAX_FILE) -> bytes | None:
    """Return the bytes of a regular file; None: there is none. Raises `RecordError`."""
    if not os.path.lexists(path):
        return None
    try:
        return read_bytes(path, limit)
    except ScriptError as error:
        raise RecordError(str(error)) from error


def atomic_write(path: Path, content: str | bytes) -> None:
    """Write `content` to `path` completely or not at all."""
    data = content.encode() if isinstance(content, str) else content
    with _open_draft(path) as file:
        file.write(data)


def sync_file(path: Path) -> None:
    """Sync a file to the disk; raise `RecordError` if that fails."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
    except FileNotFoundError:
        return
    except OSError as error:
        raise _failure("write", path, error) from error


def atomic_copy(source: Path, path: Path) -> None:
    """Copy the regular file `source` to `path` completely or not at all."""
    with _open(source) as opened, _open_draft(path) as file:
        shutil.copyfileobj(opened, file)


@contextmanager
def _open_draft(path: Path) -> Generator[BinaryIO]:
    """Yield a new file that becomes `path` when the block ends, or raise `RecordError`."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        # An existing draft was left by a dead process, or is a link that leads outside.
        draft.unlink(missing_ok=True)
        with draft.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError as error:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        raise _failure("write", path, error) from error


def ensure_dir(path: Path) -> None:
    """Create the folder `path` in an existing folder, or raise `RecordError`.

    The parent is not created: if a run was moved away, no second one starts in its place.
    """
    try:
        check_dir(path).mkdir(exist_ok=True)
    except OSError as error:
        raise _failure("make the folder", path, error) from error


def make_dirs(root: Path, path: Path) -> None:
    """Create `path` below the existing folder `root`, with missing parents; or raise `OSError`.

    So a shared file system that is unmounted is not mistaken for an empty one.
    """
    for folder in [*reversed(path.relative_to(root).parents), path.relative_to(root)][1:]:
        (root / folder).mkdir(exist_ok=True)


def check_dir(path: Path) -> Path:
    """Return the folder `path`, which may be missing; `RecordError` if it is not a folder."""
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return path
    except (OSError, ValueError) as error:
        raise RecordError(f"cannot read {str(path)!r}: {error_reason(error)}") from error
    if stat.S_ISDIR(mode):
        return path
    kind = "a link" if stat.S_ISLNK(mode) else "not a folder"
    raise RecordError(f"{str(path)!r} is {kind}, but must be a regular folder")


@contextmanager
def _open(path: Path) -> Generator[BinaryIO]:
    try:
        with open_regular(path) as file:
            yield file
    except ScriptError as error:
        raise RecordError(str(error)) from error


def _iterate_lines(path: Path) -> Iterator[bytes]:
    """Yield the complete lines of a file, or raise `RecordError`."""
    if not os.path.lexists(path):
        return
    with _open(path) as file:
        if os.fstat(file.fileno()).st_size > MAX_LINES:
            raise RecordError(f"{str(path)!r} is too large: at most {MAX_LINES} bytes are read")
        while line := file.readline(MAX_LINE + 1):
            if len(line) > MAX_LINE:
                raise RecordError(f"{str(path)!r} has a line of more than {MAX_LINE} bytes")
            if line.endswith(b"\n"):
                yield line[:-1]


def _refuse_unreadable(path: Path, size: int, lines: Sequence[bytes]) -> None:
    """Raise `RecordError` for lines that could be written but not read again."""
    if any(len(line) > MAX_LINE for line in lines):
        raise RecordError(f"a line of more than {MAX_LINE} bytes is too long for {str(path)!r}")
    if size + sum(map(len, lines)) > MAX_LINES:
        raise RecordError(f"{str(path)!r} is full: at most {MAX_LINES} bytes are read")


def _cut_torn_tail(handle: int) -> None:
    """Remove an incomplete last line."""
    size = end = os.fstat(handle).st_size
    while end > 0:
        start = max(0, end - _BLOCK)
        found = os.pread(handle, end - start, start).rfind(b"\n") + 1
        end = start + found
        if found:
            break
    if end != size:
        os.ftruncate(handle, end)


def _close(file: BinaryIO) -> None:
    """Close a file; a failed flush was already reported when it was written."""
    with suppress(OSError):
        file.close()


def _failure(what: str, path: Path, error: OSError) -> RecordError:
    return RecordError(f"cannot {what} {str(path)!r}: {error.strerror or error}")
