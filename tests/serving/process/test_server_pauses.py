"""The time in which a supervisor was stopped is no silence of its engine."""

import signal
import time

import psutil
import pytest

from serving.process.awake_clock import AwakeClock
from tests.serving.supervising import (
    QUICK,
    Bench,
    owner,
    wait_for,
)


def test_time_in_which_this_process_was_stopped_or_the_clock_jumped_does_not_count(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    times = (1, 2, 302, 303, -5000, -4999, 1e9)
    told = iter((0.0, *times))
    monkeypatch.setattr(time, "monotonic", lambda: next(told))
    clock = AwakeClock(10)
    assert [clock.look() for _ in times] == [1, 2, 2, 3, 3, 4, 4]


@pytest.mark.slow
def test_an_engine_is_not_given_up_for_the_time_in_which_its_owner_was_stopped_too(
    bench: Bench,
) -> None:
    with owner(bench, "well") as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"up\n"
        engine = psutil.Process(bench.pids()[0])
        engine.suspend()
        process.send_signal(signal.SIGSTOP)
        time.sleep(3 * QUICK.max_silence)
        process.send_signal(signal.SIGCONT)
        # It looks and hears nothing, but not yet for as long as an engine may be silent.
        time.sleep(QUICK.response_timeout + 2 * QUICK.health_interval)
        engine.resume()
        time.sleep(2 * QUICK.max_silence)
        assert engine.is_running()
        assert bench.starts() == 1


@pytest.mark.slow
def test_an_engine_has_all_its_time_to_start_though_its_owner_was_stopped(bench: Bench) -> None:
    with owner(bench, "slow", start=6) as process:
        assert process.stdout is not None
        wait_for(lambda: len(bench.pids()) == 2)
        engine = psutil.Process(bench.pids()[0])
        engine.suspend()
        process.send_signal(signal.SIGSTOP)
        time.sleep(7)
        process.send_signal(signal.SIGCONT)
        time.sleep(QUICK.response_timeout + 1)
        engine.resume()
        assert process.stdout.readline() == b"up\n"
        assert bench.starts() == 1
