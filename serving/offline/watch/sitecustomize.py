"""Record every outgoing call of a Python process in the file named by ARENA_WATCH.

This folder is first on the PYTHONPATH of the processes of `arena doctor --offline`, so that child
processes are covered too.
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
"""The position of the host or address among each event's arguments."""
_FORWARD = {"socket.getaddrinfo", "socket.gethostbyname"}
"""Name lookups: with an address as argument they send no packet."""
_STANDARD = str(Path(os.__file__).parent)
_LOCAL = {"", "localhost", "0.0.0.0", "::"}  # noqa: S104 - compared, not listened on


def watch(event: str, args: tuple[object, ...]) -> None:
    """Record a call that leaves this host; the hook of `sys.addaudithook`."""
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
    """Return the called host, empty if it is this one."""
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
    """Return file and line of the innermost caller outside the standard library."""
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
