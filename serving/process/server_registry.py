"""The servers that run on this machine: one JSON file each, in the state folder.

The key of a server that others may use lies beside it, in a file that only this user can read.
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
"""Of /proc/PID/stat after the name of the program: when the process began, in ticks since boot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningServer:
    """One running server. `owner` is the process that started it and stops it again.

    `command` is a digest of everything that the engine was started with but its port. Only a
    server with `shared` may be used by others: any other ends with its owner's match.
    `owner_since` counts clock ticks since the boot, which no change of the clock moves.
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
    """Return a random key for a server that is about to start."""
    return secrets.token_urlsafe(32)


def key_path(port: int) -> Path:
    """Return where the key of the shared server at `port` lies."""
    return _folder() / f"{port}.key"


def register(entry: RunningServer, key: str = "") -> None:
    """Write the entry, over an older one of the same port, and the key if others may use it."""
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
    """Return the servers whose owners still run; what is left of others is removed."""
    return list(_list_owned())


def read_key(port: int) -> str:
    """Return the key of the shared server at `port`; empty where this user has none."""
    return (read_private(key_path(port)) or b"").decode(errors="replace").strip()


def find_shared_key(url: str) -> str:
    """Return the key of the shared server of this user at `url`; empty where there is none."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return ""
    if parts.hostname not in _LOOPBACK_NAMES:
        return ""
    return next((read_key(e.port) for e in list_servers() if e.shared and e.port == port), "")


def is_owned(entry: RunningServer) -> bool:
    """Tell whether the process that started the server is still the one that it was."""
    return _start_time(entry.owner) == entry.owner_since


def is_current(entry: RunningServer) -> bool:
    """Tell whether the owner still lists the server; it does while it restarts an engine."""
    listed = _read(_path(entry.port))
    return listed is not None and listed.owner == entry.owner and is_owned(entry)


def own_start_time() -> int:
    """Return when this process began, in clock ticks since the boot."""
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
        with contextlib.suppress(OSError):  # It may be a folder, or somebody else's.
            each.unlink(missing_ok=True)


def _folder() -> Path:
    return state_folder() / _FOLDER


def _path(port: int) -> Path:
    return _folder() / f"{port}.json"


def _read(path: Path) -> RunningServer | None:
    """Return the entry in a file; None where the file is not ours, or not that of its port."""
    try:
        entry = _SERVER_CODEC.validate_json(read_private(path) or b"")
    except ValidationError:
        return None
    return entry if path.name == f"{entry.port}.json" else None
