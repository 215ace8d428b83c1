"""The bare client sends what the arena sent, and the ratio compares the two."""

import asyncio
import json
from collections import Counter
from pathlib import Path

import aiohttp
import pytest

from arena.bench.overhead import OverheadWorkload, measure_simulated, record_requests
from arena.bench.servers.bare_client import replay_requests
from arena.bench.servers.proxy import ProxiedRequest, open_proxy
from serving.engine_sim.sim_server import create_simulator, serve_simulator
from tests.fakes.faults import Faults
from tests.fakes.openai_server import FakeServer, fake_server
from tests.serving.engine_sim.api_server.asking import CHAT, user

LOAD = OverheadWorkload(matches=2, words=60, seats=3, scripts=1, transport="chat", concurrency=2)


def body(number: int) -> bytes:
    """Return the body of a chat completion that is like no other."""
    messages = [user(f"Question {number}?")]
    return json.dumps({"model": "fake-vl", "messages": messages}).encode()


def posts(count: int) -> list[ProxiedRequest]:
    return [ProxiedRequest(path=CHAT, body=body(n), request_id=f"m:{n}~0") for n in range(count)]


def test_the_bare_client_sends_every_post_once_and_no_more_at_once_than_asked() -> None:
    async def run() -> FakeServer:
        async with fake_server(faults=Faults(seconds=0.01)) as server:
            assert await replay_requests(server.url, posts(20), in_flight=3) > 0
            return server

    server = asyncio.run(run())
    assert Counter(map(str, server.bodies)) == Counter(str(json.loads(body(n))) for n in range(20))
    assert sorted(map(str, server.request_ids)) == sorted(f"m:{n}~0" for n in range(20))
    assert server.most_busy == 3


@pytest.mark.parametrize(
    ("faults", "error"),
    [(Faults(failing=1), aiohttp.ClientResponseError), (Faults(garbage=1), ValueError)],
)
def test_a_reply_that_is_no_completion_ends_the_measurement(
    faults: Faults, error: type[Exception]
) -> None:
    async def run() -> None:
        async with fake_server(faults=faults) as server:
            await replay_requests(server.url, posts(2), in_flight=1)

    with pytest.raises(ExceptionGroup) as raised:
        asyncio.run(run())
    assert raised.group_contains(error)


def test_the_proxy_answers_as_the_server_does_and_records_requests_that_have_an_id() -> None:
    recorded: list[ProxiedRequest] = []

    def record(post: ProxiedRequest) -> ProxiedRequest:
        recorded.append(post)
        return post

    async def run() -> None:
        async with (
            fake_server() as server,
            open_proxy(server.url, record) as proxy,
            aiohttp.ClientSession() as http,
        ):
            for path in ("/v1/models", "/version", "/nowhere"):
                async with http.get(proxy + path) as one, http.get(server.url + path) as other:
                    assert (one.status, await one.read()) == (other.status, await other.read())
            json_body = {"Content-Type": "application/json"}
            for headers in (json_body, {**json_body, "X-Request-Id": "m:1~0"}):
                async with http.post(proxy + CHAT, data=body(1), headers=headers) as answer:
                    assert answer.status == 200
                    assert (await answer.json())["choices"]
            assert recorded == [ProxiedRequest(path=CHAT, body=body(1), request_id="m:1~0")]
            assert server.request_ids == [None, "m:1~0"]

    asyncio.run(run())


@pytest.mark.slow
def test_all_turns_of_a_run_are_recorded_and_posting_them_again_takes_as_many(
    tmp_path: Path,
) -> None:
    async def run() -> None:
        state = create_simulator("instant", context=32_768, kv_tokens=1_000_000)
        async with serve_simulator(state) as url, aiohttp.ClientSession() as http:

            async def answered() -> int:
                async with http.get(url + "/counters") as answer:
                    return (await answer.json()).get(CHAT, 0)

            first = await record_requests(LOAD, url, tmp_path / "run")
            assert {post.path for post in first} == {CHAT}
            assert len(first) == await answered() > 20
            prompt, output = state.tally.prompt, state.tally.output
            await replay_requests(url, first, in_flight=2)
            assert await answered() == 2 * len(first)
            assert (state.tally.prompt, state.tally.output) == (2 * prompt, 2 * output)

    asyncio.run(run())


@pytest.mark.slow
def test_the_ratio_is_the_arenas_cpu_by_that_of_the_bare_client() -> None:
    found = asyncio.run(measure_simulated(LOAD, None, repeat=1))
    assert found.finished == found.matches == 2
    ratio = found.cpu_ms_per_turn / found.bare_cpu_ms_per_turn
    assert found.cpu_ratio == found.cpu_ratio_low == found.cpu_ratio_high == pytest.approx(ratio)
    assert found.cpu_ratio > 1
