"""Faults of the orchestrator: it is killed, ended, interrupted or stopped at chosen moments."""

import signal
import time
from collections.abc import Callable
from typing import Final

from tests.campaign.answer_faults import HASTY_DEADLINE
from tests.campaign.processes import Child, wait_for
from tests.campaign.trial import (
    INTERRUPTED,
    REFUSED,
    SITTING_SECONDS,
    UNFINISHED,
    WHOLE,
    Trial,
)

_MAKING_SECONDS: Final = 0.12
"""So long after its folder is there may a run be killed while it is made."""
_RESUMING_SECONDS: Final = 2.0
_SHORT_STOP: Final = 0.5
_AFTER_DEADLINE: Final = 1.5


def kill_in_play(trial: Trial) -> None:
    """Kill the orchestrator in the middle of matches, again and again."""
    for _ in range(trial.id.faults):
        child = trial.start()
        if trial.wait_for_calls(child, trial.choose_moment(0.5)):
            trial.count_fault()
        trial.kill(child)
    _conclude(trial)


def kill_while_made(trial: Trial) -> None:
    """Kill the orchestrator while it makes the folder of the run."""
    for _ in range(trial.id.faults):
        child = trial.start()
        wait_for(lambda child=child: trial.run.exists() or child.ending() is not None, 30)
        time.sleep(trial.chance.random() * _MAKING_SECONDS)
        trial.count_fault()
        trial.kill(child)
    _conclude(trial)


def kill_while_resuming(trial: Trial) -> None:
    """Kill the orchestrator in play, then at any moment while it starts and replays."""
    child = trial.start()
    trial.wait_for_calls(child, trial.choose_moment(0.9))
    trial.count_fault()
    trial.kill(child)
    for _ in range(trial.id.faults - 1):
        child = trial.start()
        child.wait(trial.chance.random() * _RESUMING_SECONDS)
        trial.count_fault()
        trial.kill(child)
    _conclude(trial)


def kill_at_ends(trial: Trial) -> None:
    """Kill the orchestrator just when a match ends, the last one included."""
    ends = sorted(trial.chance.sample(range(1, len(trial.reference.matches) + 1), trial.id.faults))
    for number in ends:
        child = trial.start()
        wait_for(
            lambda child=child, number=number: (
                child.ending() is not None or _count_done(trial) >= number
            ),
            SITTING_SECONDS,
        )
        trial.count_fault()
        trial.kill(child)
    _conclude(trial)


def end_by(number: signal.Signals) -> Callable[[Trial], None]:
    """Return the trial in which the orchestrator gets a signal that ends it."""

    def run(trial: Trial) -> None:
        for _ in range(trial.id.faults):
            child = trial.start()
            if trial.wait_for_calls(child, trial.choose_moment(0.5)):
                trial.count_fault(lost=trial.reference.most_in_flight)
            child.signal(number)
            trial.end(child, -number, INTERRUPTED, WHOLE)
        _conclude(trial)

    return run


def stop_shortly(who: Callable[[Trial, Child], Child]) -> Callable[[Trial], None]:
    """Return the trial in which a process is stopped for less than a deadline, several times."""

    def run(trial: Trial) -> None:
        child = trial.start()
        for _ in range(trial.id.faults):
            if trial.wait_for_calls(child, trial.choose_moment(0.3)):
                _stop(trial, who(trial, child), trial.chance.random() * _SHORT_STOP)
        trial.end(child, WHOLE, UNFINISHED)
        _conclude(trial)

    return run


def stop_beyond_deadline(who: Callable[[Trial, Child], Child]) -> Callable[[Trial], None]:
    """Return the trial in which a process is stopped for longer than a deadline."""

    def run(trial: Trial) -> None:
        trial.deadline = HASTY_DEADLINE
        child = trial.start()
        for _ in range(trial.id.faults):
            if trial.wait_for_calls(child, trial.choose_moment(0.6)):
                seconds = HASTY_DEADLINE + trial.chance.random() * _AFTER_DEADLINE + 0.5
                _stop(trial, who(trial, child), seconds)
        trial.end(child, WHOLE, UNFINISHED)
        _conclude(trial)

    return run


def resume_twice_at_once(trial: Trial) -> None:
    """Let two processes resume a run at the same time: one plays, the other is refused."""
    child = trial.start()
    trial.wait_for_calls(child, trial.choose_moment(0.7))
    trial.kill(child)
    for _ in range(trial.id.faults):
        both = [trial.start(), trial.start()]
        trial.count_fault()
        statuses = sorted(trial.end(one, WHOLE, UNFINISHED, REFUSED).status for one in both)
        if statuses not in ([WHOLE, REFUSED], [WHOLE, WHOLE]):
            trial.problems.append(f"two resumes at once ended with {statuses}")
    _conclude(trial)


def _stop(trial: Trial, child: Child, seconds: float) -> None:
    trial.count_fault(lost=trial.reference.most_in_flight)
    child.signal(signal.SIGSTOP)
    try:
        time.sleep(seconds)
    finally:
        child.signal(signal.SIGCONT)


def _count_done(trial: Trial) -> int:
    return len(list(trial.run.glob("matches/*/done.json")))


def _conclude(trial: Trial) -> None:
    trial.finish()
    trial.compare()
