"""`python -m serving.offline.namespace_check FOLDER [--engine]`: the check inside the namespace.

Writes a JSON object per step to standard output, and the logs of the steps to FOLDER.
"""

import argparse
import errno
import fcntl
import json
import os
import re
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

HAS_ROUTE: Final = 3
NOT_WATCHED: Final = 4
NOT_CUT_OFF: Final = 5

_SIOCGIFFLAGS: Final = 0x8913
_SIOCSIFFLAGS: Final = 0x8914
_IFF_UP: Final = 0x1
_OUTSIDE: Final = ("192.0.2.1", 9)  # reserved for documentation, unassigned
_SECONDS: Final = 900.0
_RESOLV: Final = "nameserver 192.0.2.1\noptions timeout:1 attempts:1\n"
_TRIED: Final[Mapping[str, str]] = {
    "192.0.2.1": "socket.socket().connect((host, 9))",
    "192.0.2.2": "datagram.sendto(b'', (host, 9))",
    "192.0.2.3": "datagram.sendmsg([b''], [], 0, (host, 9))",
    "192.0.2.4": "socket.gethostbyaddr(host)",
    "192.0.2.5": "socket.getnameinfo((host, 9), 0)",
    "one.invalid": "socket.getaddrinfo(host, 9)",
    "two.invalid": "socket.gethostbyname(host)",
}
"""Network calls that Python's audit events cover: the host of each and its call."""
_NATIVE: Final = """
import ctypes
ctypes.CDLL(None).getaddrinfo(b"three.invalid", None, None, ctypes.byref(ctypes.c_void_p()))
"""
_WATCH: Final = Path(__file__).resolve().parent / "watch"
_ARENA: Final = (sys.executable, "-c", "from arena.cli.main import run; run()")
_STEPS: Final[Mapping[str, tuple[str, ...]]] = {
    "environment": ("models",),
    "match of naive against random": ("match", "--civ", "naive", "--murderer", "random"),
}
_ENGINE_STEP: Final[Mapping[str, tuple[str, ...]]] = {
    "match of the stand-in on vLLM": (
        *("match", "--civ", "stand-in", "--murderer", "naive", "--preset", "short"),
    )
}


def main() -> int:
    """Run the steps; return one of the three statuses above if the check would prove nothing."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--engine", action="store_true")
    options = parser.parse_args()
    bring_up_loopback()
    if not has_no_route():
        return HAS_ROUTE
    if not block_lookups(options.folder):
        return NOT_CUT_OFF
    if not is_watched(options.folder):
        return NOT_WATCHED
    for name, words in {**_STEPS, **(_ENGINE_STEP if options.engine else {})}.items():
        sys.stdout.write(f"{json.dumps(run_step(name, words, options.folder))}\n")
        sys.stdout.flush()
    return 0


def bring_up_loopback() -> None:
    """Bring loopback up, which is down in a new namespace."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        request = struct.pack("16sh14x", b"lo", 0)
        answer = fcntl.ioctl(asked, _SIOCGIFFLAGS, request)
        flags = struct.unpack("16sh14x", answer)[1] | _IFF_UP
        fcntl.ioctl(asked, _SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", flags))


def has_no_route() -> bool:
    """Return whether the kernel immediately refuses an outside address."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        return asked.connect_ex(_OUTSIDE) == errno.ENETUNREACH


def block_lookups(folder: Path) -> bool:
    """Point name resolution at an unassigned address; return whether that works."""
    names = Path("/etc/nsswitch.conf")
    said = names.read_text(encoding="utf-8") if names.exists() else ""
    texts = {Path("/etc/resolv.conf"): _RESOLV}
    if said:  # a host service would resolve names outside the namespace
        texts[names] = re.sub(r"(?m)^hosts:.*$", "hosts: files dns", said)
    for path, text in texts.items():
        made = folder / path.name
        made.write_text(text, encoding="utf-8")
        made.chmod(0o644)
        words = ["mount", "--bind", str(made), str(path)]
        if subprocess.run(words, check=False).returncode:  # noqa: S603 - our own arguments
            return False
    return True


def is_watched(folder: Path) -> bool:
    """Return whether a child's attempts are recorded, and counted by the kernel."""
    ways = "".join(
        f"host = {host!r}\nwith contextlib.suppress(OSError): {call}\n"
        for host, call in _TRIED.items()
    )
    tried = f"import contextlib, socket\ndatagram = socket.socket(type=socket.SOCK_DGRAM)\n{ways}"
    seen, before = folder / "seen", count_refused_packets()
    for code in (tried, _NATIVE):
        subprocess.run([sys.executable, "-c", code], env=_watch_environment(seen), check=False)  # noqa: S603
    counted = count_refused_packets() - before
    return [one["target"] for one in _read_calls(seen)] == [*_TRIED] and counted > len(_TRIED)


def _watch_environment(calls: Path) -> dict[str, str]:
    path = os.pathsep.join(filter(None, [str(_WATCH), os.environ.get("PYTHONPATH", "")]))
    return {**os.environ, "PYTHONPATH": path, "ARENA_WATCH": str(calls)}


def run_step(name: str, words: tuple[str, ...], folder: Path) -> dict[str, Any]:
    """Run one command of the arena; return its outcome and the calls of its processes."""
    log, calls = folder / f"{name.replace(' ', '-')}.log", folder / "calls"
    calls.unlink(missing_ok=True)
    out = ["--out", str(log.with_suffix(""))] if words[0] == "match" else []
    before, began, late = count_refused_packets(), time.monotonic(), ""
    with log.open("wb") as written:
        try:
            status = subprocess.run(  # noqa: S603 - our own arguments
                [*_ARENA, *words, *out],
                cwd=folder,
                env={**_watch_environment(calls), "PYTHONSAFEPATH": "1"},
                stdin=subprocess.DEVNULL,
                stdout=written,
                stderr=subprocess.STDOUT,
                timeout=_SECONDS,
                check=False,
            ).returncode
        except subprocess.TimeoutExpired:
            status, late = -1, "timed out"
    said = log.read_text(encoding="utf-8", errors="replace").split("\n")
    made = _read_calls(calls)
    faults = [line for line in said if line.lower().startswith("error")] or [*filter(None, said)]
    return {
        "step": name,
        "status": status,
        "seconds": round(time.monotonic() - began, 1),
        "said": late or (faults[-1] if status and faults else ""),
        "calls": [*{json.dumps(one, sort_keys=True): one for one in made}.values()],
        "attempts": len(made),
        "refused": count_refused_packets() - before,
    }


def count_refused_packets() -> int:
    """Return the kernel's count of packets without a route in this namespace."""
    lines = Path("/proc/net/snmp").read_text(encoding="ascii").splitlines()
    names, values = (line.split() for line in lines if line.startswith("Ip: "))
    old = int(dict(zip(names, values, strict=True))["OutNoRoutes"])
    newer = Path("/proc/net/snmp6")  # missing if the kernel has no IPv6
    pairs = map(str.split, newer.read_text().splitlines() if newer.exists() else ())
    return old + sum(int(value) for name, value in pairs if name == "Ip6OutNoRoutes")


def _read_calls(calls: Path) -> list[dict[str, str]]:
    try:
        return [json.loads(line) for line in calls.read_text(encoding="utf-8").splitlines()]
    except FileNotFoundError:
        return []


if __name__ == "__main__":
    sys.exit(main())
