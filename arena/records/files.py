"""Files that only grow, one JSON object a line, and files that appear complete or not at all."""

import os
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, Protocol, TextIO, TypeVar

from arena.errors import RecordError
from scripts_mm.reading import read_bytes
from scripts_mm.script import ScriptError

_MAX_BYTES: Final = 1 << 30
"""Of one file that is read."""

T = TypeVar("T")


class AppendLines(Protocol):
    """Adds lines to a file; the operating system has them when this returns."""

    def __call__(self, *lines: str) -> None:
        """Write `lines`, or raise `RecordError`."""
        ...


@contextmanager
def open_jsonl_append(path: Path) -> Generator[AppendLines]:
    """Yield a function that appends lines to `path`; each is flushed before it returns.

    An incomplete line that a crash left at the file's end is removed first: it had no effect.
    """
    _refuse_link(path)
    try:
        _cut_torn_tail(path)
        file = path.open("a", encoding="utf-8", newline="\n")
    except OSError as error:
        raise _failure("open", path, error) from error

    def append(*lines: str) -> None:
        try:
            file.write("".join(f"{line}\n" for line in lines))
            file.flush()
        except OSError as error:
            raise _failure("write", path, error) from error

    try:
        yield append
    finally:
        _close(file)


def read_jsonl(path: Path, decode: Callable[[str], T]) -> tuple[T, ...]:
    """Return the decoded lines of `path`; an incomplete line at the end is no line.

    Raises `RecordError` with the file and the line that cannot be decoded. No file, no lines.
    """
    found: list[T] = []
    for number, line in enumerate((read_file(path) or b"").split(b"\n")[:-1], start=1):
        try:
            found.append(decode(line.decode()))
        except UnicodeDecodeError as error:
            raise RecordError(f"{str(path)!r}, line {number}: this is not UTF-8") from error
        except RecordError as error:
            raise RecordError(f"{str(path)!r}, line {number}: {error}") from error
    return tuple(found)


def read_text(path: Path) -> str | None:
    """Return the text of a file; None: there is none. Raises `RecordError`."""
    data = read_file(path)
    try:
        return None if data is None else data.decode()
    except UnicodeDecodeError as error:
        raise RecordError(f"{str(path)!r} is not UTF-8") from error


def read_file(path: Path) -> bytes | None:
    """Return the bytes of a regular file; None: there is none. Raises `RecordError`."""
    if not os.path.lexists(path):
        return None
    try:
        return read_bytes(path, _MAX_BYTES)
    except ScriptError as error:
        raise RecordError(str(error)) from error


def atomic_write(path: Path, content: str | bytes) -> None:
    """Write `path` so that it exists with all of `content`, or not at all."""
    data = content.encode() if isinstance(content, str) else content
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with draft.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError as error:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        raise _failure("write", path, error) from error


def ensure_dir(path: Path) -> None:
    """Make `path` and its parents, or raise `RecordError`."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _failure("make the folder", path, error) from error


def _cut_torn_tail(path: Path) -> None:
    if not path.exists():
        return
    with path.open("rb+") as file:
        data = file.read()
        complete = data.rfind(b"\n") + 1
        if complete != len(data):
            file.truncate(complete)


def _refuse_link(path: Path) -> None:
    if path.is_symlink():
        raise RecordError(f"{str(path)!r} is a link; a file of its own is wanted")


def _close(file: TextIO) -> None:
    """Close a file; what could not be flushed was reported when it was written."""
    with suppress(OSError):
        file.close()


def _failure(what: str, path: Path, error: OSError) -> RecordError:
    return RecordError(f"cannot {what} {str(path)!r}: {error.strerror or error}")
