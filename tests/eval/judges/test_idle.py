"""Idle engine time: a judge waits while its server has requests of others."""

import asyncio

from eval.judges.idle_gate import IdleGate


def counters(running: int, waiting: int) -> str:
    return f"vllm:num_requests_running {running}\nvllm:num_requests_waiting {waiting}\n"


class Server:
    """Server whose counters a test sets; others leave it after some looks."""

    def __init__(self, others: int = 0, looks: int = 0) -> None:
        self.own = 0
        self.others, self.looks = others, looks

    async def read(self) -> str:
        self.looks -= 1
        if self.looks < 0:
            self.others = 0
        return counters(self.own + self.others, 0)


async def sleep(seconds: float) -> None:
    del seconds
    await asyncio.sleep(0)


def test_a_judge_waits_until_the_requests_of_others_are_over() -> None:
    async def run() -> int:
        server = Server(others=2, looks=3)
        gate = IdleGate(server.read, sleep=sleep)
        async with gate.enter():
            assert server.others == 0
        return gate.pauses

    assert asyncio.run(run()) == 3


def test_waiting_requests_of_others_hold_a_judge_too() -> None:
    answers = iter([counters(0, 1), counters(0, 0)])

    async def run() -> int:
        async def read() -> str:
            return next(answers)

        gate = IdleGate(read, sleep=sleep)
        async with gate.enter():
            pass
        return gate.pauses

    assert asyncio.run(run()) == 1


def test_requests_of_its_own_do_not_hold_a_judge_up() -> None:
    async def run() -> int:
        server = Server()
        gate = IdleGate(server.read, sleep=sleep)
        async with gate.enter():
            server.own = 1
            async with gate.enter():
                server.own = 2
                async with gate.enter():
                    pass
        return gate.pauses

    assert asyncio.run(run()) == 0


def test_a_request_that_is_over_is_not_counted_as_its_own_any_more() -> None:
    async def run() -> int:
        server = Server()
        gate = IdleGate(server.read, sleep=sleep)
        async with gate.enter():
            pass
        server.others, server.looks = 1, 2
        async with gate.enter():
            assert server.others == 0
        return gate.pauses

    assert asyncio.run(run()) == 2


def test_a_server_without_counters_is_asked_at_once() -> None:
    async def run() -> int:
        async def read() -> None:
            return None

        gate = IdleGate(read, sleep=sleep)
        async with gate.enter():
            return gate.pauses

    assert asyncio.run(run()) == 0
