"""Faults of the clock: the orchestrator's wall clock and monotonic clock jump."""

import signal
from collections.abc import Callable, Mapping
from typing import Final

from tests.campaign.clock import CLOCK_VARIABLE, write_offsets
from tests.campaign.trial import UNFINISHED, WHOLE, Trial

_HOUR: Final = 3600.0


def jump(*, wall: float = 0.0, monotonic: float = 0.0) -> Callable[[Trial], None]:
    """Return the trial in which both clocks jump several times by so many seconds."""

    def run(trial: Trial) -> None:
        offsets = trial.folder / "clock.json"
        write_offsets(offsets, wall=0, monotonic=0)
        trial.program = ("-m", "tests.campaign.clock")
        trial.environment = {CLOCK_VARIABLE: str(offsets)}
        child = trial.start()
        for number in range(1, trial.id.faults + 1):
            if not trial.wait_for_calls(child, trial.choose_moment(0.3)):
                break
            write_offsets(offsets, wall=number * wall, monotonic=number * monotonic)
            trial.count_fault(lost=trial.reference.most_in_flight)
            child.signal(signal.SIGUSR1)
        trial.end(child, WHOLE, UNFINISHED)
        trial.program, trial.environment = (), {}
        trial.finish()
        trial.compare()

    return run


CLOCKS: Final[Mapping[str, Callable[[Trial], None]]] = {
    "clock-wall-forward": jump(wall=_HOUR),
    "clock-wall-back": jump(wall=-_HOUR),
    "clock-monotonic": jump(monotonic=_HOUR),
    "clock-both": jump(wall=_HOUR, monotonic=_HOUR),
    "clock-steps": jump(wall=-0.7, monotonic=0.4),
}
"""Jumps of the clocks, by kind."""
