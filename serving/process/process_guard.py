"""Guard one engine: start it in its own process group and clean up all of its processes.

    python -I process_guard.py LOG GRACE COMMAND ...

The guard appends the engine's output to LOG and writes its process id to standard output. It stops
the group when the engine ends, when it receives SIGTERM, or when standard input ends, which happens
whenever the owner is gone. It kills a group that has not ended GRACE seconds after SIGTERM, and
sooner if the engine itself died. The exit status is the engine's, or 128 plus the signal that ended
it. Uses only the standard library, to start fast.
"""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

_PAUSE = 0.05
_GRACE_AFTER_CRASH = 2.0
_SET_DEATH_SIGNAL = 1
_SET_CHILD_SUBREAPER = 36
_ASKED = frozenset((signal.SIGTERM, signal.SIGINT))


def run_guarded(log: str, grace: float, command: list[str]) -> int:
    """Run `command` until it ends or must end; return its exit status."""
    # Orphans of the engine become children of the guard, so that it can reap them.
    ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1)
    # Engines leave sockets in the temporary folder; each gets its own, removed at the end.
    with tempfile.TemporaryDirectory(prefix="arena-", ignore_cleanup_errors=True) as scratch:
        engine = _start(log, command, scratch)
        ending = threading.Event()
        for wait in (_wait_owner_gone, engine.wait, lambda: signal.sigwait(_ASKED)):
            threading.Thread(target=_set_after, args=(wait, ending), daemon=True).start()
        ending.wait()
        crashed = engine.poll() is not None
        terminate_group(engine.pid, min(grace, _GRACE_AFTER_CRASH) if crashed else grace)
        status = engine.wait()
    _reap_children()
    return status if status >= 0 else 128 - status


def _start(log: str, command: list[str], scratch: str) -> "subprocess.Popen[bytes]":
    with Path(log).open("ab") as out:
        engine = subprocess.Popen(  # noqa: S603 - the owner's command
            command,
            env={**os.environ, "TMPDIR": scratch},
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=_end_with_keeper,  # noqa: PLW1509 - no other thread runs yet
        )
    sys.stdout.write(f"{engine.pid}\n")
    sys.stdout.flush()
    # Block signals only now, since the engine would inherit the mask; a thread waits for them.
    signal.pthread_sigmask(signal.SIG_BLOCK, _ASKED)
    return engine


def terminate_group(group: int, grace: float) -> None:
    """Send SIGTERM to the group, and SIGKILL to the processes left after `grace` seconds."""
    deadline = time.monotonic() + grace
    _signal(group, signal.SIGTERM)
    while _is_group_alive(group):
        if time.monotonic() > deadline:
            _signal(group, signal.SIGKILL)
        time.sleep(_PAUSE)


def _end_with_keeper() -> None:
    """In the child before exec: have the engine terminated if the guard is killed."""
    ctypes.CDLL(None).prctl(_SET_DEATH_SIGNAL, signal.SIGTERM)


def _wait_owner_gone() -> None:
    # Do not read through sys.stdin: a thread that holds its lock aborts the interpreter's exit.
    while os.read(sys.stdin.fileno(), 1):
        pass


def _set_after(wait: Callable[[], object], ending: threading.Event) -> None:
    wait()
    ending.set()


def _reap_children() -> None:
    """Reap every child that has ended, since a container may have no init to do it."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG) != (0, 0):
            pass


def _signal(group: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, number)


def _is_group_alive(group: int) -> bool:
    """Return whether the group still has a running process; zombies do not count."""
    for process in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, _parent, its_group, *_ = (
                process.read_text(errors="replace").split(") ")[-1].split()
            )
            if int(its_group) == group and state not in "ZX":
                return True
    return False


if __name__ == "__main__":
    sys.exit(run_guarded(sys.argv[1], float(sys.argv[2]), sys.argv[3:]))
