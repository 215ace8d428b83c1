"""Files that only grow, one JSON object a line, and files that appear whole or not at all."""

import os
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Protocol, TextIO

from arena.errors import StoreError


class Append(Protocol):
    """Adds one line to a file; the line is on its way to the disk when this returns."""

    def __call__(self, line: str, /) -> None:
        """Write `line`, or raise `StoreError`."""
        ...


@contextmanager
def appending(path: Path) -> Generator[Append]:
    """Yield a function that appends lines to `path`; each is flushed before it returns.

    A line that a crash tore off at the file's end is cut away first: it never took effect.
    """
    try:
        _mend_tail(path)
        file = path.open("a", encoding="utf-8", newline="\n")
    except OSError as error:
        raise StoreError(_cannot("open", path, error)) from error

    def append(line: str, /) -> None:
        try:
            file.write(line + "\n")
            file.flush()
        except OSError as error:
            raise StoreError(_cannot("write", path, error)) from error

    try:
        yield append
    finally:
        _close(file)


def read_lines(path: Path) -> tuple[str, ...]:
    """Return the whole lines of `path`; a torn line at the end is no line; no file, no lines."""
    try:
        text = path.read_bytes().decode("utf-8", errors="replace")
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise StoreError(_cannot("read", path, error)) from error
    return tuple(text.split("\n")[:-1])


def write_whole(path: Path, content: str | bytes) -> None:
    """Write `path` so that it is there with all of `content`, or not at all."""
    data = content.encode() if isinstance(content, str) else content
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with draft.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise StoreError(_cannot("write", path, error)) from error


def make_folder(path: Path) -> None:
    """Make `path` and its parents, or raise `StoreError`."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(_cannot("make the folder", path, error)) from error


def _mend_tail(path: Path) -> None:
    if not path.exists():
        return
    with path.open("rb+") as file:
        data = file.read()
        whole = data.rfind(b"\n") + 1
        if whole != len(data):
            file.truncate(whole)


def _close(file: TextIO) -> None:
    """Close a file; what could not be flushed has been reported when it was written."""
    with suppress(OSError):
        file.close()


def _cannot(what: str, path: Path, error: OSError) -> str:
    return f"cannot {what} {str(path)!r}: {error.strerror or error}"
