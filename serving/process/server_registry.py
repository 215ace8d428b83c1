"""The running servers of this machine: one JSON file each, in the state folder.

The key of a shared server is in a file next to it that only this user can read.
"""

import contextlib
import json
import os
import secrets
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from pydantic import TypeAdapter, ValidationError

from serving.host.private_files import private_folder, read_private, write_private
from serving.host.xdg_folders import state_folder

_FOLDER: Final = "servers"
_LOOPBACK_NAMES: Final = frozenset({"127.0.0.1", "localhost"})
_START_FIELD: Final = 19
"""The field of /proc/PID/stat, counted after the program's name, with the process's start time in
ticks since boot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningServer:
    """One running server. `owner` is the process that started it and will stop it.

    `command` is a digest of the engine's command line without its port and memory share. Other
    processes can use only a `shared` server: any other ends with its owner's match. `owner_since`
    is in clock ticks since boot, which clock changes do not affect.
    """

    profile: str
    model: str
    port: int
    pid: int
    owner: int
    owner_since: int
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


_SERVER_CODEC: TypeAdapter[RunningServer] = TypeAdapter(RunningServer)


def new_key() -> str:
    """Return a random key for a new server."""
    return secrets.token_urlsafe(32)


def key_path(port: int) -> Path:
    """Return the path of the key of the shared server at `port`."""
    return _folder() / f"{port}.key"


def register(entry: RunningServer, key: str = "") -> None:
    """Write the entry, replacing an older one of the same port, and the key if it is shared."""
    private_folder(_FOLDER)
    if entry.shared:
        write_private(key_path(entry.port), key)
    write_private(_path(entry.port), json.dumps(asdict(entry), indent=2))


def unregister(port: int) -> None:
    """Remove the entry and the key of the server at `port`, if this process owns it."""
    entry = _read(_path(port))
    if entry is not None and entry.owner == os.getpid():
        _remove(_path(port))


def list_servers() -> list[RunningServer]:
    """Return the servers whose owners still run; remove the files of others."""
    return list(_list_owned())


def read_key(port: int) -> str:
    """Return the key of the shared server at `port`; empty if this user has none."""
    return (read_private(key_path(port)) or b"").decode(errors="replace").strip()


def find_shared_key(url: str) -> str:
    """Return the key of this user's shared server at `url`; empty if there is none."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return ""
    if parts.hostname not in _LOOPBACK_NAMES:
        return ""
    return next((read_key(e.port) for e in list_servers() if e.shared and e.port == port), "")


def is_owned(entry: RunningServer) -> bool:
    """Return whether the process that started the server still runs."""
    return _start_time(entry.owner) == entry.owner_since


def is_current(entry: RunningServer) -> bool:
    """Return whether the owner still lists the server, which it does during a restart."""
    listed = _read(_path(entry.port))
    return listed is not None and listed.owner == entry.owner and is_owned(entry)


def own_start_time() -> int:
    """Return the start time of this process, in clock ticks since boot."""
    return _start_time(os.getpid()) or 0


def _start_time(pid: int) -> int | None:
    try:
        told = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        return int(told.rpartition(")")[2].split()[_START_FIELD])
    except (OSError, ValueError, IndexError):
        return None


def _list_owned() -> Iterator[RunningServer]:
    for path in sorted(_folder().glob("*.json")):
        entry = _read(path)
        if entry is not None and is_owned(entry):
            yield entry
        else:
            _remove(path)


def _remove(path: Path) -> None:
    for each in (path, path.with_suffix(".key")):
        with contextlib.suppress(OSError):  # It can be a folder, or another user's.
            each.unlink(missing_ok=True)


def _folder() -> Path:
    return state_folder() / _FOLDER


def _path(port: int) -> Path:
    return _folder() / f"{port}.json"


def _read(path: Path) -> RunningServer | None:
    """Return the entry in a file; None if it is not this user's, or not named after its port."""
    try:
        entry = _SERVER_CODEC.validate_json(read_private(path) or b"")
    except ValidationError:
        return None
    return entry if path.name == f"{entry.port}.json" else None
