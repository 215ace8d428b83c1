"""The command line with a clock that a test can move: `python -m tests.campaign.clock COMMAND ...`.

SIGUSR1 makes the process read its offsets from the file that `CAMPAIGN_CLOCK` names: seconds that
are added to the wall clock and to the monotonic one. The monotonic clock never goes back.
"""

import json
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Final

CLOCK_VARIABLE: Final = "CAMPAIGN_CLOCK"
_NANOSECONDS: Final = 1_000_000_000


class MovableClock:
    """Clock of this process with an offset for each of its two kinds."""

    def __init__(self) -> None:
        self._wall = 0.0
        self._monotonic = 0.0

    def install(self) -> None:
        """Replace the functions of `time`; every module finds them there when it calls one."""
        time.time = _shifted(time.time, lambda: self._wall)
        time.monotonic = _shifted(time.monotonic, lambda: self._monotonic)
        time.perf_counter = _shifted(time.perf_counter, lambda: self._monotonic)
        time.time_ns = _in_nanoseconds(time.time_ns, lambda: self._wall)
        time.monotonic_ns = _in_nanoseconds(time.monotonic_ns, lambda: self._monotonic)
        time.perf_counter_ns = _in_nanoseconds(time.perf_counter_ns, lambda: self._monotonic)

    def read_offsets(self, number: int, frame: FrameType | None) -> None:
        """Take the offsets of the file; a handler of SIGUSR1."""
        del number, frame
        found: dict[str, float] = json.loads(Path(os.environ[CLOCK_VARIABLE]).read_text())
        self._wall = found["wall"]
        self._monotonic = max(self._monotonic, found["monotonic"])


def write_offsets(path: Path, *, wall: float, monotonic: float) -> None:
    """Write the offsets that a process takes at its next SIGUSR1."""
    path.write_text(json.dumps({"wall": wall, "monotonic": monotonic}))


def _shifted(now: Callable[[], float], offset: Callable[[], float]) -> Callable[[], float]:
    return lambda: now() + offset()


def _in_nanoseconds(now: Callable[[], int], offset: Callable[[], float]) -> Callable[[], int]:
    return lambda: now() + int(offset() * _NANOSECONDS)


if __name__ == "__main__":
    clock = MovableClock()
    clock.install()
    signal.signal(signal.SIGUSR1, clock.read_offsets)

    from arena.cli.main import run  # the clock must stand before any module takes a function of it

    run()
