"""Safe reading of untrusted files: size limits, regular files, strict JSON, one-line errors."""

import json
import os
import stat
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from scripts_mm.script import ScriptError

MAX_JSON = 16 * 1024 * 1024
"""Bytes of one JSON file of a script."""

_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)
"""No links, and no blocking on a pipe."""


def read_bytes(path: Path, limit: int) -> bytes:
    """Return the bytes of the regular file `path`.

    Raises ScriptError for a missing file, folder, link, pipe or more than `limit` bytes.
    """
    with open_regular(path) as file:
        data = file.read(limit + 1)
    if len(data) > limit:
        raise ScriptError(f"{str(path)!r} is too large: at most {limit} bytes are read")
    return data


@contextmanager
def open_regular(path: Path) -> Generator[BinaryIO]:
    """Open the regular file `path` for reading, without blocking on a pipe.

    Raises ScriptError for a missing file, folder, link or pipe, or if reading fails.
    """
    if safe_check(path.is_symlink):
        raise ScriptError(f"{str(path)!r} is a link; a regular file is wanted")
    if safe_check(path.is_dir):
        raise ScriptError(f"{str(path)!r} is a folder; a file is wanted")
    try:
        handle = os.open(path, _FLAGS)
    except (OSError, ValueError) as error:
        raise ScriptError(f"cannot read {str(path)!r}: {error_reason(error)}") from error
    try:
        with os.fdopen(handle, "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise ScriptError(f"{str(path)!r} is not a regular file")
            yield file
    except OSError as error:
        raise ScriptError(f"cannot read {str(path)!r}: {error_reason(error)}") from error


def parse_json(data: bytes, path: Path, on_double: Callable[[str], None] | None = None) -> Any:
    """Return the value of strict JSON in UTF-8, with or without a BOM.

    Raises ScriptError for broken JSON, NaN, Infinity and duplicate keys in one object. With
    `on_double`, duplicate keys are passed to it instead, and their last value counts.
    """

    def pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
        for key in _duplicate_keys(found):
            if on_double is None:
                raise ValueError(f"key {preview(key)} is in one object twice")
            on_double(key)
        return dict(found)

    try:
        text = data.decode("utf-8-sig")
        return json.loads(text, object_pairs_hook=pairs, parse_constant=_refuse_constant)
    except UnicodeDecodeError as error:
        raise ScriptError(
            f"{str(path)!r} is not UTF-8: byte 0x{data[error.start]:02x} at offset {error.start}"
        ) from error
    except json.JSONDecodeError as error:
        raise ScriptError(
            f"{str(path)!r} is not JSON: {error.msg.lower()}, line {error.lineno}, "
            f"column {error.colno}"
        ) from error
    except RecursionError as error:
        raise ScriptError(f"{str(path)!r} is not a script: nested too deep") from error
    except ValueError as error:
        raise ScriptError(f"{str(path)!r} is not strict JSON: {error}") from error


def safe_check(look: Callable[[], bool]) -> bool:
    """Return the result of a path check such as `path.is_dir`; False if the system refuses it.

    The system refuses folders without permission and names that are too long.
    """
    try:
        return look()
    except (OSError, ValueError):
        return False


def require_folder(path: Path, wanted: str) -> None:
    """Raise ScriptError if `path` is not an accessible folder."""
    try:
        if path.is_dir():
            return
        what = f"is a file; {wanted} is wanted" if path.exists() else "does not exist"
    except (OSError, ValueError) as error:
        raise ScriptError(f"cannot read {str(path)!r}: {error_reason(error)}") from error
    raise ScriptError(f"{str(path)!r} {what}")


def list_folder(folder: Path) -> list[Path]:
    """Return the entries of a folder, unordered. Raises ScriptError if it cannot be read."""
    try:
        return list(folder.iterdir())
    except (OSError, ValueError) as error:
        raise ScriptError(f"cannot read {str(folder)!r}: {error_reason(error)}") from error


def describe_size(value: object) -> str:
    """Return the size of a skipped value, in words."""
    try:
        return f"{len(str(value))} characters"
    except RecursionError:
        return "too deeply nested to count"


def error_reason(error: OSError | ValueError) -> str:
    """Return the operating system's reason in one lower-case line."""
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return " ".join(text.lower().split())


def preview(value: object, limit: int = 60) -> str:
    """Return `value` for an error: one line of at most `limit` characters, containers by type."""
    match value:
        case dict():
            return "an object"
        case list() | tuple():
            return "a list"
        case None:
            return "null"
        case _:
            text = repr(value)
            return text if len(text) <= limit else f"{text[: limit - 3]}..."


def _duplicate_keys(pairs: list[tuple[str, Any]]) -> list[str]:
    counts = Counter(key for key, _ in pairs)
    return [key for key, count in counts.items() if count > 1]


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")
