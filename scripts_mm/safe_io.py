"""Reading files that nobody vouches for: bounded, regular, strict JSON, errors of one line."""

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
"""No links, and no waiting for whoever writes to a pipe."""


def read_bytes(path: Path, limit: int) -> bytes:
    """Return the bytes of the regular file `path`, at most `limit` of them.

    Raises ScriptError where nothing is there, or a folder, link, pipe or larger file.
    """
    with open_regular(path) as file:
        data = file.read(limit + 1)
    if len(data) > limit:
        raise ScriptError(f"{str(path)!r} is too large: at most {limit} bytes are read")
    return data


@contextmanager
def open_regular(path: Path) -> Generator[BinaryIO]:
    """Open the regular file `path` to read it, and never wait for a pipe.

    Raises ScriptError where nothing is there, or a folder, link or pipe, or reading fails.
    """
    if safe_check(path.is_symlink):
        raise ScriptError(f"{str(path)!r} is a link; a file of its own is wanted")
    if safe_check(path.is_dir):
        raise ScriptError(f"{str(path)!r} is a folder; a file is wanted")
    try:
        handle = os.open(path, _FLAGS)
    except (OSError, ValueError) as error:
        raise ScriptError(f"cannot read {str(path)!r}: {error_reason(error)}") from error
    try:
        with os.fdopen(handle, "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise ScriptError(f"{str(path)!r} is no regular file")
            yield file
    except OSError as error:
        raise ScriptError(f"cannot read {str(path)!r}: {error_reason(error)}") from error


def parse_json(data: bytes, path: Path, on_double: Callable[[str], None] | None = None) -> Any:
    """Return the value of strict JSON in UTF-8 (a BOM is let through). Raises ScriptError.

    Refused beside broken JSON: NaN and Infinity, and a key that stands twice in one object; with
    `on_double` that key is told to it instead, and its last value stands.
    """

    def pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
        for key in _duplicate_keys(found):
            if on_double is None:
                raise ValueError(f"key {preview(key)} stands twice in one object")
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
    """Return what a look at a path tells (`path.is_dir`); False where the system refuses it.

    It does where a folder above may not be entered, or a name is longer than any can be.
    """
    try:
        return look()
    except (OSError, ValueError):
        return False


def require_folder(path: Path, wanted: str) -> None:
    """Raise ScriptError where `path` is no folder that can be looked at."""
    try:
        if path.is_dir():
            return
        what = f"is a file; {wanted} is wanted" if path.exists() else "is not there"
    except (OSError, ValueError) as error:
        raise ScriptError(f"cannot read {str(path)!r}: {error_reason(error)}") from error
    raise ScriptError(f"{str(path)!r} {what}")


def list_folder(folder: Path) -> list[Path]:
    """Return what lies in a folder, in no order. Raises ScriptError where it may not be read."""
    try:
        return list(folder.iterdir())
    except (OSError, ValueError) as error:
        raise ScriptError(f"cannot read {str(folder)!r}: {error_reason(error)}") from error


def describe_size(value: object) -> str:
    """Tell how much a value holds that is not read."""
    try:
        return f"{len(str(value))} characters"
    except RecursionError:
        return "lists too deep to count"


def error_reason(error: OSError | ValueError) -> str:
    """Return the operating system's reason in one lower-case line."""
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return " ".join(text.lower().split())


def preview(value: object, limit: int = 60) -> str:
    """Return `value` as an error shows it: one line, cut, containers by their kind."""
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
    raise ValueError(f"{name} is no JSON number")
