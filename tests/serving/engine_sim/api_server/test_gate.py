"""Who may talk to a simulated server: what a web page of somebody else cannot do."""

import asyncio
from typing import Any

import aiohttp
import pytest

from serving.engine_sim.sim_server import create_simulator, run_simulator_process, serve_simulator
from tests.serving.engine_sim.api_server.asking import CHAT, Asker, user
from tests.serving.engine_sim.api_server.test_doors import asked, asking

KEY = "k" * 43
HELLO = {"messages": [user("Hello?")]}
PATHS = (
    *(CHAT, "/v1/embeddings", "/inference/v1/generate", "/tokenize"),
    *("/faults", "/reset_prefix_cache"),
)


async def status(url: str, method: str = "GET", **more: Any) -> int:
    async with aiohttp.ClientSession() as http, http.request(method, url, **more) as answer:
        return answer.status


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1", "localhost:1"])
def test_another_host_is_refused(host: str) -> None:
    async def check(ask: Asker) -> None:
        for path in ("/health", "/v1/models", "/metrics"):
            assert await status(ask.url + path, headers={"Host": host}) == 421
        for path in PATHS:
            assert await status(ask.url + path, "POST", json={}, headers={"Host": host}) == 421
        port = ask.url.rpartition(":")[2]
        assert await status(f"{ask.url}/health", headers={"Host": f"localhost:{port}"}) == 200

    asked(check)


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_what_a_web_page_can_post_without_leave_changes_nothing(kind: str) -> None:
    async def check(ask: Asker) -> None:
        headers, body = {"Content-Type": kind}, b'{"failing": 9, "seconds": 9}'
        for path in PATHS:
            assert await status(ask.url + path, "POST", data=body, headers=headers) == 415
        await ask.chat([user("Hi")])

    asked(check)


def test_a_server_with_a_key_wants_it_on_every_path_but_health() -> None:
    async def run() -> None:
        async with asking(key=KEY) as ask:
            for path in ("/v1/models", "/metrics", "/version", "/counters", "/nowhere"):
                assert await status(ask.url + path) == 401
            for path in PATHS:
                assert await status(ask.url + path, "POST", json=HELLO) == 401
            assert await status(f"{ask.url}/health") == 200
            wrong, right = ({"Authorization": f"Bearer {key}"} for key in (KEY[1:], KEY))
            assert await status(f"{ask.url}{CHAT}", "POST", json=HELLO, headers=wrong) == 401
            assert await status(f"{ask.url}{CHAT}", "POST", json=HELLO, headers=right) == 200

    asyncio.run(run())


@pytest.mark.slow
def test_a_program_has_its_key_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_ENGINE_KEY", "of something else")

    async def run() -> None:
        async with run_simulator_process("instant", key=KEY) as url:
            shown = {"Authorization": f"Bearer {KEY}"}
            assert await status(f"{url}/v1/models") == 401
            assert await status(f"{url}/v1/models", headers=shown) == 200
        async with run_simulator_process("instant") as url:
            assert await status(f"{url}/v1/models") == 200

    asyncio.run(run())


def test_requests_are_counted_by_path_unless_they_are_refused() -> None:
    async def run() -> None:
        async with (
            serve_simulator(create_simulator("instant")) as url,
            aiohttp.ClientSession() as http,
        ):
            ask = Asker(url, http)
            await ask.chat([user("Hi")])
            await ask.chat([user("Hi")])
            await ask.post(CHAT, {"nonsense": True})
            await ask.get("/nowhere")
            await status(url + CHAT, "POST", data=b"{}", headers={"Content-Type": "text/plain"})
            async with http.get(f"{url}/counters") as answer:
                assert await answer.json() == {CHAT: 3, "/counters": 1}

    asyncio.run(run())
