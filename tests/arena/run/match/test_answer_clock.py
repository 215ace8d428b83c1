"""The clock of a deadline: what counts as time to answer, and what does not."""

import asyncio
from collections.abc import Iterator
from itertools import chain, repeat

import pytest

from arena.errors import EndpointUnavailableError
from arena.run.match.answer_clock import AnswerClock
from serving.process.supervisor import run_in_background

DEADLINE = 1 / 32
LOOK = DEADLINE / 4
HOUR = 3600.0


class Looks:
    """A server, and a clock of its own: each look takes the given seconds and has a result."""

    def __init__(self, looks: Iterator[tuple[float, bool]], *, answer_at: int = 0) -> None:
        """Answer at the look of that number; 0: never."""
        self._looks, self._answer_at = looks, answer_at
        self.now, self.count = 0.0, 0
        self.answer = asyncio.Event()

    async def is_up(self) -> bool:
        seconds, is_up = next(self._looks)
        self.now += seconds
        self.count += 1
        if self.count == self._answer_at:
            self.answer.set()
        return is_up


def wait(looks: Looks, *, seconds: float = DEADLINE) -> bool:
    """Wait for the answer; return whether it came in time."""

    async def run() -> bool:
        clock = AnswerClock(looks.is_up, clock=lambda: looks.now)
        async with run_in_background(clock.run()):
            try:
                async with clock.limit(seconds):
                    await looks.answer.wait()
            except TimeoutError:
                return False
            return True

    return asyncio.run(asyncio.wait_for(run(), 20))


def test_a_deadline_ends_after_its_seconds_at_a_server_that_is_up() -> None:
    looks = Looks(repeat((LOOK, True)))
    assert not wait(looks)
    assert looks.count == 4


@pytest.mark.parametrize(
    "pause",
    [(HOUR, True), (-HOUR, True), (10.0, True)],
    ids=["the clock jumps ahead", "the clock jumps back", "all was stopped, or the server"],
)
def test_a_pause_counts_no_more_than_one_look(pause: tuple[float, bool]) -> None:
    looks = Looks(chain([(LOOK, True), pause], repeat((LOOK, True))))
    assert not wait(looks)
    assert looks.count in {4, 5}
    assert wait(Looks(chain([(LOOK, True), pause], repeat((LOOK, True))), answer_at=3))


def test_the_time_of_a_server_that_gives_no_sign_of_life_does_not_count() -> None:
    silent = [(LOOK, False)] * 3
    looks = Looks(chain(silent, [(LOOK, True)], silent, repeat((LOOK, True))))
    assert not wait(looks)
    assert looks.count == 10


def test_a_server_that_stays_silent_is_unavailable_and_the_seat_is_not_slow() -> None:
    looks = Looks(chain([(LOOK, True)], repeat((LOOK, False))))
    with pytest.raises(EndpointUnavailableError, match=r"no sign of life for 0\.03125 s"):
        wait(looks)
    assert looks.count == 5


def test_a_stop_of_this_process_during_a_look_does_not_make_a_server_silent_for_long() -> None:
    assert wait(Looks(chain([(HOUR, False)], repeat((LOOK, True))), answer_at=1), seconds=20.0)


def test_nobody_looks_at_a_server_that_nobody_waits_for() -> None:
    looks = Looks(repeat((LOOK, True)))

    async def run() -> None:
        clock = AnswerClock(looks.is_up, clock=lambda: looks.now)
        async with run_in_background(clock.run()):
            async with clock.limit(DEADLINE):
                pass
            await asyncio.sleep(5 * LOOK)
            assert looks.count == 0

    asyncio.run(run())


def test_each_wait_has_its_own_deadline() -> None:
    looks = Looks(repeat((LOOK, True)))
    ended: list[str] = []

    async def one(clock: AnswerClock, name: str, seconds: float) -> None:
        try:
            async with clock.limit(seconds):
                await asyncio.get_running_loop().create_future()
        except TimeoutError:
            ended.append(name)

    async def run() -> None:
        clock = AnswerClock(looks.is_up, clock=lambda: looks.now)
        async with run_in_background(clock.run()), asyncio.TaskGroup() as group:
            group.create_task(one(clock, "late", 3 * DEADLINE))
            group.create_task(one(clock, "early", DEADLINE))

    asyncio.run(run())
    assert ended == ["early", "late"]
