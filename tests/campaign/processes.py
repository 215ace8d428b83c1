"""Processes that the campaign starts: each in a session of its own, and ended whatever happens."""

import contextlib
import os
import resource
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import psutil

ROOT: Final = Path(__file__).parents[2]
_POLL_SECONDS: Final = 0.003
_START_SECONDS: Final = 60.0
_KIB_A_MIB: Final = 1024


class CampaignError(Exception):
    """A fault of the campaign itself, not of what it tests."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How a process ended."""

    status: int
    """Its exit status; negative: the signal that ended it."""
    stdout: str
    stderr: str
    memory_mib: int
    """The most that it held."""
    seconds: float


class Child:
    """A process that we started. Its output goes to files, so that it never waits for a reader."""

    def __init__(
        self,
        arguments: Sequence[str],
        folder: Path,
        name: str,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """Start `python` with `arguments`; `folder` takes the output."""
        self.name = name
        self._out, self._err = folder / f"{name}.out", folder / f"{name}.err"
        self._began = time.monotonic()
        with self._out.open("wb") as out, self._err.open("wb") as err:
            self._process = subprocess.Popen(
                [sys.executable, *arguments],
                cwd=ROOT,
                env={**os.environ, **(environment or {})},
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                start_new_session=True,
            )
        self._ending: Ending | None = None
        self._memory_kib = 0

    @property
    def pid(self) -> int:
        """The number of the process, which is that of its session too."""
        return self._process.pid

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the process, if it still runs."""
        if self.ending() is None:
            os.kill(self.pid, number)

    def limit_file_size(self, size: int | None) -> None:
        """Let no file of the process grow beyond `size` bytes; None: no limit any more."""
        if self.ending() is None:
            limit = resource.RLIM_INFINITY if size is None else size
            resource.prlimit(self.pid, resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))

    def ending(self) -> Ending | None:
        """Return how the process ended; None: it runs."""
        if self._ending is None:
            self._memory_kib = max(self._memory_kib, _peak_kib(self.pid))
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self._process.returncode = os.waitstatus_to_exitcode(status)
                self._ending = Ending(
                    status=self._process.returncode,
                    stdout=self._out.read_text(errors="replace"),
                    stderr=self._err.read_text(errors="replace"),
                    memory_mib=self._memory_kib // _KIB_A_MIB,
                    seconds=time.monotonic() - self._began,
                )
        return self._ending

    def wait(self, seconds: float) -> Ending | None:
        """Wait for the end; None: it did not come within so many seconds."""
        wait_for(lambda: self.ending() is not None, seconds)
        return self.ending()

    def wait_ended(self, seconds: float) -> Ending:
        """Wait for an end that must come."""
        found = self.wait(seconds)
        if found is None:
            raise CampaignError(f"{self.name} did not end within {seconds:g} s")
        return found

    def kill(self) -> Ending:
        """Kill the process at once, stopped or not, and all that it started."""
        if self.ending() is None:
            os.kill(self.pid, signal.SIGKILL)
        found = self.wait_ended(_START_SECONDS)
        for other in self.leftover():
            with contextlib.suppress(psutil.NoSuchProcess):
                other.kill()
        return found

    def leftover(self) -> list[psutil.Process]:
        """Return the processes of the ended one's session that still run."""
        return [one for one in psutil.process_iter() if _session(one) == self.pid]


def wait_for(is_so: Callable[[], bool], seconds: float) -> bool:
    """Wait until something is so; return whether it came within so many seconds."""
    end = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > end:
            return False
        time.sleep(_POLL_SECONDS)
    return True


def free_port() -> int:
    """Return a port of the loopback that nobody listens on."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def wait_until_up(url: str, child: Child) -> None:
    """Wait until a server that was just started answers."""

    def answers() -> bool:
        if (ending := child.ending()) is not None:
            raise CampaignError(f"{child.name} does not start: {ending.stderr[-500:]}")
        try:
            with urllib.request.urlopen(f"{url}/health", timeout=1):
                return True
        except (urllib.error.URLError, OSError):
            return False

    if not wait_for(answers, _START_SECONDS):
        raise CampaignError(f"{child.name} did not answer within {_START_SECONDS:g} s")


def _peak_kib(pid: int) -> int:
    """Return the most that a program held since it was executed; 0: it has ended.

    What `wait4` tells counts from the fork, when the child is as large as its parent.
    """
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1])
    return 0


def _session(process: psutil.Process) -> int | None:
    try:
        if process.status() == psutil.STATUS_ZOMBIE:
            return None
        return os.getsid(process.pid)
    except (psutil.Error, OSError):
        return None
