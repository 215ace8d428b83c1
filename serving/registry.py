"""The servers that run on this machine: one JSON file each, in the state folder."""

import json
import os
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import psutil
from pydantic import TypeAdapter, ValidationError

from serving.places import state_folder


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One running server. `owner` is the process that started it and stops it again.

    `command` is a digest of everything that the engine was started with but its port. Only a
    server with `shared` may be used by others: any other ends with its owner's match.
    """

    profile: str
    model: str
    port: int
    pid: int
    owner: int
    owner_since: float
    command: str
    argv: tuple[str, ...]
    log: str
    engine_version: str
    start_seconds: float
    shared: bool

    @property
    def url(self) -> str:
        """The base of its OpenAI-compatible API."""
        return f"http://127.0.0.1:{self.port}/v1"


_ENTRY: TypeAdapter[Entry] = TypeAdapter(Entry)


def register(entry: Entry) -> None:
    """Write the entry, in one step, over an older one of the same port."""
    folder = _folder()
    folder.mkdir(parents=True, exist_ok=True)
    handle, scratch = tempfile.mkstemp(dir=folder, prefix=".entry-")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        json.dump(asdict(entry), file, indent=2)
    Path(scratch).replace(_path(entry.port))


def unregister(port: int) -> None:
    """Remove the entry of the server at `port`, if this process owns it."""
    entry = _read(_path(port))
    if entry is not None and entry.owner == os.getpid():
        _path(port).unlink(missing_ok=True)


def entries() -> list[Entry]:
    """Return the servers whose owners still run; what is left of others is removed."""
    return list(_living())


def _living() -> Iterator[Entry]:
    for path in sorted(_folder().glob("*.json")):
        entry = _read(path)
        if entry is not None and is_owned(entry):
            yield entry
        else:
            path.unlink(missing_ok=True)


def is_owned(entry: Entry) -> bool:
    """Tell whether the process that started the server is still the one that it was."""
    try:
        return abs(psutil.Process(entry.owner).create_time() - entry.owner_since) < 1
    except psutil.Error:
        return False


def is_current(entry: Entry) -> bool:
    """Tell whether the owner still lists the server; it does while it restarts an engine."""
    listed = _read(_path(entry.port))
    return listed is not None and listed.owner == entry.owner and is_owned(entry)


def own_start_time() -> float:
    """Return when this process began, in seconds since the epoch."""
    return psutil.Process().create_time()


def _folder() -> Path:
    return state_folder() / "servers"


def _path(port: int) -> Path:
    return _folder() / f"{port}.json"


def _read(path: Path) -> Entry | None:
    try:
        return _ENTRY.validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return None
