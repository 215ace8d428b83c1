"""What can be made to go wrong with a simulated server."""

import asyncio
import time

import aiohttp
import pytest

from serving.engine_sim.fault_injection import parse_faults
from serving.engine_sim.sim_server import create_simulator, run_simulator_process, serve_simulator
from serving.errors import EngineError
from tests.serving.engine_sim.api_server.asking import (
    CHAT,
    Asker,
    named,
    seeing,
    shown,
    user,
)
from tests.serving.engine_sim.api_server.test_doors import LONG, asked, cached

HELLO = {"messages": [user("Hello?")]}


def test_the_next_answers_can_be_500_and_slow() -> None:
    async def check(ask: Asker) -> None:
        await ask.post("/faults", {"failing": 2, "seconds": 0.1})
        for status in (500, 500, 200):
            began = time.monotonic()
            came, said = await ask.post(CHAT, {"messages": [user("Hi")]})
            assert came == status
            assert (time.monotonic() - began >= 0.1) == (status == 200)
            if status == 500:
                assert said["error"]["message"] == "Internal server error"

    asked(check)


def test_the_fault_says_what_it_is_told_to_say() -> None:
    async def check(ask: Asker) -> None:
        await ask.post("/faults", {"failing": 1, "status": 503, "words": "busy"})
        status, said = await ask.post(CHAT, HELLO)
        assert (status, said["error"]["message"]) == (503, "busy")

    asked(check)


def test_a_drift_is_500_once_and_then_a_miss_until_the_bytes_come() -> None:
    async def check(ask: Asker) -> None:
        await ask.chat([seeing(shown(1))])
        await ask.post("/faults", {"drift": True})
        bare, whole = {"messages": [seeing(named(1))]}, {"messages": [seeing(shown(1))]}
        status, said = await ask.post(CHAT, bare)
        assert (status, said["error"]["type"]) == (500, "InternalServerError")
        assert (await ask.post(CHAT, bare))[0] == 400
        assert (await ask.post(CHAT, whole))[0] == 200
        assert (await ask.post(CHAT, bare))[0] == 200

    asked(check)


def test_bytes_that_come_before_the_drift_was_noticed_are_ignored_as_by_vllm() -> None:
    async def check(ask: Asker) -> None:
        await ask.chat([seeing(shown(1))])
        await ask.post("/faults", {"drift": True})
        whole = {"messages": [seeing(shown(1))]}
        assert [(await ask.post(CHAT, whole))[0] for _ in range(2)] == [500, 200]

    asked(check)


def test_media_can_be_forgotten() -> None:
    async def check(ask: Asker) -> None:
        await ask.chat([seeing(shown(1))])
        await ask.post("/faults", {"forget": True})
        status, said = await ask.post(CHAT, {"messages": [seeing(named(1))]})
        assert (status, "Cache miss for image at index 0" in said["error"]["message"]) == (
            400,
            True,
        )
        assert (await ask.post(CHAT, {"messages": [seeing(shown(1))]}))[0] == 200

    asked(check)


def test_a_dead_server_in_this_process_drops_all_and_comes_back_empty() -> None:
    async def run() -> None:
        state = create_simulator("instant", faults=parse_faults('{"down_seconds": 0.3}'))
        async with serve_simulator(state) as url, aiohttp.ClientSession() as http:
            ask = Asker(url, http)
            await ask.chat([seeing(shown(1)), user(LONG)])
            assert cached(await ask.chat([seeing(named(1)), user(LONG)])) > 100
            await ask.post("/faults", {"seconds": 5})

            async def cut(path: str) -> None:
                with pytest.raises(aiohttp.ClientError):
                    await (ask.get(path) if path == "/health" else ask.post(path, HELLO))

            async with asyncio.TaskGroup() as group:
                group.create_task(cut(CHAT))
                await asyncio.sleep(0.05)
                await ask.post("/faults", {"die_after": 0})
                for path in (CHAT, "/faults", "/health"):
                    await cut(path)
            await asyncio.sleep(0.4)
            await ask.post("/faults", {"seconds": 0})
            assert (await ask.get("/health"))[0] == 200
            assert (await ask.post(CHAT, {"messages": [seeing(named(1))]}))[0] == 400
            assert cached(await ask.chat([seeing(shown(1)), user(LONG)])) == 0
            assert (await ask.metrics())["vllm:prefix_cache_hits_total"] == 0

    asyncio.run(run())


@pytest.mark.slow
def test_a_server_of_its_own_says_its_url_and_can_die() -> None:
    async def run() -> None:
        faults = ("--faults", '{"die_after": 1}', "--model", "tiny")
        async with run_simulator_process("instant", faults) as url, aiohttp.ClientSession() as http:
            ask = Asker(url, http)
            assert (await ask.chat([user("Hi")]))["model"] == "tiny"
            with pytest.raises(aiohttp.ClientError):
                await ask.chat([user("Hi")])
            await asyncio.sleep(0.2)
            with pytest.raises(aiohttp.ClientConnectorError):
                await ask.get("/health")

    asyncio.run(run())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--tokenizer", "nowhere"), "no tokenizer in 'nowhere'"),
        (("--faults", '{"x": 1}'), "invalid faults"),
        (("--kv-tokens", "16"), "fewer than 2 blocks"),
    ],
)
def test_a_server_that_cannot_start_says_why(arguments: tuple[str, str], words: str) -> None:
    async def run() -> None:
        async with run_simulator_process("instant", arguments):
            pass

    with pytest.raises(EngineError, match=words):
        asyncio.run(run())
