"""Write down every attempt of a Python process to leave this host; ARENA_WATCH names the file.

This folder stands first on the PYTHONPATH of what `arena doctor --offline` starts, so that child
processes are seen too.
"""

import ipaddress
import json
import os
import sys
import traceback
from pathlib import Path
from typing import cast

_EVENTS = {
    "socket.connect": 1,
    "socket.sendto": 1,
    "socket.sendmsg": 1,
    "socket.getaddrinfo": 0,
    "socket.gethostbyname": 0,
    "socket.gethostbyaddr": 0,
    "socket.getnameinfo": 0,
}
"""Where each has the host or the address among its arguments."""
_FORWARD = {"socket.getaddrinfo", "socket.gethostbyname"}
"""Look-ups of a name: where they are given an address they ask nobody."""
_STANDARD = str(Path(os.__file__).parent)
_LOCAL = {"", "localhost", "0.0.0.0", "::"}  # noqa: S104 - compared, not listened on


def watch(event: str, args: tuple[object, ...]) -> None:
    """Add a line for an attempt that does not stay on this host; the hook of `sys.addaudithook`."""
    place = _EVENTS.get(event)
    if place is None:
        return
    target = _target(args[place])
    if event in _FORWARD and _address(target):
        return
    if target and (file := os.environ.get("ARENA_WATCH")):
        line = json.dumps({"target": target, "by": _caller(), "program": _program()})
        descriptor = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        os.write(descriptor, f"{line}\n".encode())
        os.close(descriptor)


def _target(address: object) -> str:
    """Return the host that is called, empty where it is this one."""
    parts = cast("tuple[object, ...]", address) if isinstance(address, tuple) else (address,)
    host = parts[0] if parts else ""
    if isinstance(host, bytes):
        host = host.decode(errors="replace")
    if not isinstance(host, str) or host.startswith(("/", "\0")) or host in _LOCAL:
        return ""
    number = _address(host)
    return "" if number and number.is_loopback else host


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return None


def _caller() -> str:
    """Return file and line of the first function on the way here that is not Python's own."""
    for frame in reversed(traceback.extract_stack()):
        name = frame.filename
        ours = name == __file__ or name.startswith((_STANDARD, "<frozen"))
        if "site-packages" in name or not ours:
            return f"{'/'.join(Path(name).parts[-3:])}:{frame.lineno}"
    return "python"


def _program() -> str:
    words = sys.orig_argv[1:-1]
    if "-m" in words:
        return sys.orig_argv[sys.orig_argv.index("-m") + 1]
    return Path(sys.argv[0]).name if sys.argv and sys.argv[0] else "python"


sys.addaudithook(watch)
