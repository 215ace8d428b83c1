"""Loopback ports: one supervisor locks each, from before its engine starts until it ends."""

import contextlib
import errno
import fcntl
import os
import re
import socket
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import psutil

from serving.errors import EngineError
from serving.host.private_files import private_folder, read_private

LOOPBACK: Final = "127.0.0.1"

_TRIES: Final = 20
_FLAGS: Final = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_HOLDER: Final = re.compile(r"(\d+) ([\w.-]+)\n")


@contextmanager
def hold_port(wanted: int | None, profile: str) -> Generator[int]:
    """Lock port `wanted`, or a free one for None, while the block runs; yield it.

    An engine binds its port early and listens late, so a port without a listener can be in use: a
    lock in the state folder marks it. Raises `EngineError` if another process locks or uses the
    port.
    """
    lock = _lock(wanted, profile) if wanted else _lock_any(profile)
    try:
        yield lock.port
    finally:
        lock.release()


def free_port(wanted: int | None = None) -> int:
    """Return `wanted` if it is free on loopback, or any free port for None.

    Raises `EngineError` if it is in use, even if a program has bound it and does not listen yet.
    """
    fault, port = _bind(wanted or 0, reuse=False)
    if fault is not None and fault.errno == errno.EADDRINUSE and _has_closed_connections(port):
        # Closed connections of an earlier server remain for a minute; an engine ignores them.
        fault, port = _bind(port, reuse=True)
    if fault is not None:
        raise EngineError(describe_port_fault(port, fault))
    return port


def describe_port_fault(port: int, fault: OSError) -> str:
    """Return why a port cannot be used, by whom it is used, and what to do."""
    why = f"{os.strerror(fault.errno or 0)}{_listener_suffix(port)}"
    return f"port {port} cannot be used: {why}; choose another port, or 0 for a free one"


class _PortLockedError(EngineError):
    """Another supervisor has locked the port."""


class _PortLock:
    """The lock on one port: a locked file that names the holder."""

    def __init__(self, port: int, path: Path) -> None:
        self.port = port
        self._path = path
        self._handle = self._acquire()

    def write_holder(self, profile: str) -> None:
        """Write the holder of the port into the lock file."""
        os.ftruncate(self._handle, 0)
        os.pwrite(self._handle, f"{os.getpid()} {profile}\n".encode(), 0)

    def release(self) -> None:
        """Release the port."""
        with contextlib.suppress(OSError):
            self._path.unlink()
        os.close(self._handle)

    def _acquire(self) -> int:
        while True:
            handle = os.open(self._path, _FLAGS, 0o600)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                # The last holder can have removed the file after it was opened.
                if os.path.samestat(os.fstat(handle), self._path.stat(follow_symlinks=False)):
                    return handle
            except FileNotFoundError:
                pass
            except BlockingIOError as error:
                os.close(handle)
                raise _PortLockedError(self._refusal()) from error
            os.close(handle)

    def _refusal(self) -> str:
        found = _HOLDER.fullmatch((read_private(self._path) or b"").decode(errors="replace"))
        who = f"process {found[1]} serves {found[2]!r} there" if found else "another server uses it"
        return f"port {self.port} is taken: {who}; choose another port, or 0 for a free one"


def _lock(port: int, profile: str) -> _PortLock:
    path = private_folder("ports") / f"{port}.lock"
    try:
        lock = _PortLock(port, path)
    except OSError as error:
        raise EngineError(f"{str(path)!r} cannot be locked: {error.strerror}") from error
    try:
        lock.write_holder(profile)
        free_port(port)
    except (EngineError, OSError) as error:
        lock.release()
        if isinstance(error, OSError):
            raise EngineError(f"{str(path)!r} cannot be written: {error.strerror}") from error
        raise
    return lock


def _lock_any(profile: str) -> _PortLock:
    for _ in range(_TRIES):
        with contextlib.suppress(_PortLockedError):
            return _lock(free_port(), profile)
    raise EngineError(f"no free port was found on {LOOPBACK} for {profile!r}")


def _bind(port: int, *, reuse: bool) -> tuple[OSError | None, int]:
    """Return the error of binding the port, or None, and the port.

    With `reuse`, sockets that are bound but do not listen and closed connections are ignored;
    without it, both block the port.
    """
    with socket.socket() as door:
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, int(reuse))
        try:
            door.bind((LOOPBACK, port))
        except OSError as error:
            return error, port
        return None, int(door.getsockname()[1])


def _has_closed_connections(port: int) -> bool:
    return any(status != psutil.CONN_LISTEN for status, _ in _connections(port))


def _listener_suffix(port: int) -> str:
    """Return a suffix that names the port's listener; empty if it is unknown."""
    for status, pid in _connections(port):
        if status == psutil.CONN_LISTEN and pid:
            with contextlib.suppress(psutil.Error):
                return f" by process {pid} ({psutil.Process(pid).name()!r})"
    return ""


def _connections(port: int) -> list[tuple[str, int | None]]:
    """Return the state and the process of every TCP connection at a local port."""
    with contextlib.suppress(psutil.Error, OSError):
        return [
            (found.status, found.pid)
            for found in psutil.net_connections("tcp")
            if found.laddr and found.laddr.port == port
        ]
    return []
