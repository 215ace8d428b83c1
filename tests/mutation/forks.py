"""Processes that each try one mutant: forked, so that a change ends with its process."""

import os
import resource
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

_MEMORY = 4 << 30
"""Bytes that a mutant may allocate: an endless list must not take the machine's memory."""
Verdict = Literal["killed", "survived", "timed out"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """One mutant by its position in the sample, and the tests that try it as a function.

    The function returns 0 where no test fails.
    """

    number: int
    seconds: float
    run: Callable[[], int]


def run_trials(trials: Sequence[Trial], processes: int) -> Iterator[tuple[int, Verdict]]:
    """Yield the verdict on each mutant, with `processes` at once."""
    running: dict[int, int] = {}
    for trial in trials:
        if len(running) == processes:
            yield _wait(running)
        running[fork(trial.run, trial.seconds)] = trial.number
    while running:
        yield _wait(running)


def fork(run: Callable[[], int], seconds: float) -> int:
    """Start a process that ends with the status of `run`, at the latest after `seconds`."""
    pid = os.fork()
    if pid:
        return pid
    status = 1
    try:
        os.setpgid(0, 0)
        resource.setrlimit(resource.RLIMIT_DATA, (_MEMORY, resource.RLIM_INFINITY))
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(int(seconds) + 1)
        status = run()
    finally:
        os._exit(status)


def _wait(running: dict[int, int]) -> tuple[int, Verdict]:
    pid, status = os.waitpid(-1, 0)
    while pid not in running:
        pid, status = os.waitpid(-1, 0)
    with suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGALRM:
        return running.pop(pid), "timed out"
    return running.pop(pid), "survived" if status == 0 else "killed"
