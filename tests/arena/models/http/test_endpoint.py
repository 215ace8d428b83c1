"""What an endpoint is found to be before the first match begins."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from arena.errors import ConfigError, EndpointUnavailableError, ModelError
from arena.models.chat import Message
from arena.models.http.address import EndpointAddress, parse_address
from arena.models.http.endpoint import EndpointTimeouts, open_endpoint
from arena.models.http.served_model import ServedModel
from arena.models.http.server_metrics import KvCache
from tests.arena.models.conversation import (
    FakeTime,
    asked,
    run,
    talking,
)
from tests.fakes.faults import Faults
from tests.fakes.openai_server import FakeServer, fake_server
from tests.fakes.tokens import FakePromptTokenizer


async def probed(
    server: FakeServer, *, model: str | None = None, key: str | None = None
) -> ServedModel:
    async with talking(server, model=model, key=key) as (endpoint, _):
        return endpoint.probe_result


def served(model: str | None = None, *, engine: str = "vllm", models: str = "m") -> ServedModel:
    async def play() -> ServedModel:
        async with fake_server(engine=engine, models=tuple(models.split())) as server:
            return await probed(server, model=model)

    return run(play)


def test_the_only_model_is_the_one_that_is_meant() -> None:
    assert served() == ServedModel(
        model="m",
        context_tokens=32768,
        engine="vllm 0.32.0",
        accepts_token_ids=True,
        kv=KvCache(tokens=8192, block_tokens=16, blocks=512),
    )
    assert served().is_vllm


def test_a_server_that_tells_nothing_of_itself_will_do() -> None:
    found = served(engine="")
    assert found == ServedModel(model="m", context_tokens=None, engine=None)
    assert not found.is_vllm


def test_one_of_several_models_must_be_named() -> None:
    assert served("b", models="a b").model == "b"
    with pytest.raises(ConfigError, match=r"serves a, b; write http://127.*#NAME"):
        served(models="a b")
    with pytest.raises(ConfigError, match=r"should serve model 'c', but serves a, b"):
        served("c", models="a b")
    with pytest.raises(ConfigError, match="serves none"):
        served(models="")


def test_a_server_that_wants_a_key_says_so_before_the_match() -> None:
    async def play() -> None:
        async with fake_server(FakeServer(key="right-key-1234")) as server:
            assert (await probed(server, key="right-key-1234")).model == "fake-vl"
            with pytest.raises(ConfigError, match=r"requires a key, but got none \(401\)"):
                await probed(server)
            with pytest.raises(ConfigError, match=r"refuses the key.* \(401\); name its key"):
                await probed(server, key="wrong-key-5678")

    run(play)


def test_nobody_behind_the_url_is_one_line() -> None:
    async def play() -> None:
        async with fake_server() as server:
            url = server.url
        async with open_endpoint(parse_address(url), max_requests=1) as endpoint:
            with pytest.raises(ConfigError, match="connection refused; a model should") as caught:
                await endpoint.probe()
            assert url in str(caught.value)
            assert "\n" not in str(caught.value)

    run(play)


@pytest.mark.parametrize("path", ["/nowhere", "/health?"])
def test_what_is_no_openai_server_is_named_so(path: str) -> None:
    async def play() -> None:
        async with fake_server() as server:
            address = EndpointAddress(url=server.url + path.strip("?"))
            async with open_endpoint(address, max_requests=1) as endpoint:
                with pytest.raises(ConfigError, match="OpenAI-compatible server, but GET /v1/mod"):
                    await endpoint.probe()

    run(play)


@asynccontextmanager
async def raw_server(answer: bytes, *, times: int = 1) -> AsyncGenerator[EndpointAddress]:
    """Yield the address of something that listens, sends `answer` and then waits."""

    ended: list[asyncio.Event] = []

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        ended.append(end := asyncio.Event())
        with suppress(ConnectionError):
            await reader.readuntil(b"\r\n\r\n")
            for _ in range(times):
                writer.write(answer)
                await writer.drain()
            await reader.read()
        with suppress(ConnectionError):
            writer.close()
            await writer.wait_closed()
        end.set()

    async with await asyncio.start_server(talk, "127.0.0.1", 0) as server:
        yield EndpointAddress(
            url=f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", model="m"
        )
        for end in ended:
            await end.wait()


def test_a_server_that_listens_but_never_answers_is_given_up() -> None:
    async def play() -> None:
        impatient = EndpointTimeouts(first_probe_seconds=0.1)
        async with (
            raw_server(b"") as address,
            open_endpoint(address, max_requests=1, timeouts=impatient) as silent,
        ):
            with pytest.raises(
                ConfigError, match=r"answer /v1/models within 0\.1 s; a model should"
            ):
                await silent.probe()

    run(play)


def test_a_server_that_others_keep_busy_is_waited_for_before_the_first_match() -> None:
    async def answer_late(_: web.Request) -> web.Response:
        await asyncio.sleep(0.2)
        return web.json_response({"data": [{"id": "m"}]})

    async def play() -> None:
        app = web.Application()
        app.router.add_get("/{path:.*}", answer_late)
        timeouts = EndpointTimeouts(probe_seconds=0.05)
        async with TestServer(app) as server:
            address = EndpointAddress(url=str(server.make_url("")).rstrip("/"))
            async with open_endpoint(address, max_requests=1, timeouts=timeouts) as endpoint:
                assert (await endpoint.probe()).model == "m"

    run(play)


def test_an_answer_without_end_is_not_read_to_its_end() -> None:
    async def play() -> None:
        head = b"HTTP/1.1 200 OK\r\n\r\n"
        async with (
            raw_server(head + b"x" * 1_000_000, times=10**6) as address,
            open_endpoint(address, max_requests=1) as endless,
        ):
            with pytest.raises(ConfigError, match="something else: a response that is too long"):
                await endless.probe()

    run(play)


def test_a_server_that_points_elsewhere_is_not_followed_with_a_key() -> None:
    async def play() -> None:
        async with fake_server() as server:
            head = b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: %s/v1/models\r\n\r\n"
            async with (
                raw_server(head % server.url.encode()) as address,
                open_endpoint(address, max_requests=1) as moved,
            ):
                with pytest.raises(ConfigError, match="gave 302"):
                    await moved.probe()

    run(play)


def test_a_server_without_a_list_is_taken_at_its_word() -> None:
    async def play() -> None:
        body = b'{"detail": "Not Found"}'
        head = b"HTTP/1.1 404 Not Found\r\nContent-Length: %d\r\nConnection: close\r\n\r\n"
        async with (
            raw_server(head % len(body) + body) as address,
            open_endpoint(address, max_requests=1) as plain,
        ):
            found = await plain.probe()
            assert found == ServedModel(
                model="m", context_tokens=None, engine=None, is_listed=False
            )

    run(play)


def test_an_endpoint_that_was_not_probed_serves_nobody() -> None:
    async def play() -> None:
        async with (
            fake_server() as server,
            open_endpoint(parse_address(server.url), max_requests=1) as endpoint,
        ):
            with pytest.raises(ModelError, match="not probed"):
                _ = endpoint.probe_result

    run(play)


def test_a_server_that_comes_back_is_waited_for() -> None:
    async def play() -> None:
        time = FakeTime()
        async with fake_server() as server:
            port = int(server.url.rsplit(":", 1)[1])
            address = parse_address(server.url)
        async with AsyncExitStack() as stack:

            async def sleep(seconds: float) -> None:
                await time.sleep(seconds)
                if len(time.slept) == 3:
                    await stack.enter_async_context(fake_server(port=port))

            patience = EndpointTimeouts(
                recovery_seconds=60, poll_seconds=1, sleep=sleep, clock=time.clock
            )
            endpoint = await stack.enter_async_context(
                open_endpoint(address, max_requests=2, timeouts=patience)
            )
            await endpoint.wait_until_up()
            await endpoint.probe()
        assert time.slept == [1, 1, 1]

    run(play)


def test_a_server_that_stays_away_or_unwell_is_dead() -> None:
    async def play() -> None:
        time = FakeTime()
        patience = EndpointTimeouts(
            recovery_seconds=5, poll_seconds=2, sleep=time.sleep, clock=time.clock
        )
        async with fake_server(faults=Faults(failing=99)) as server:
            address = parse_address(server.url)
            async with open_endpoint(address, max_requests=1, timeouts=patience) as endpoint:
                with pytest.raises(ModelError, match="is dead: no answer for 5 s"):
                    await endpoint.wait_until_up()
        assert time.slept == [2, 2, 2]

    run(play)


def test_a_server_that_we_started_is_left_to_its_supervisor() -> None:
    async def play() -> None:
        called: list[str] = []

        async def supervise() -> None:
            called.append("restarted")

        address = EndpointAddress(url="http://127.0.0.1:9")
        async with open_endpoint(address, max_requests=1, supervisor=supervise) as endpoint:
            await endpoint.wait_until_up()
        assert called == ["restarted"]

    run(play)


@pytest.mark.parametrize(
    ("text", "url", "model"),
    [
        ("http://host:8000", "http://host:8000", None),
        ("http://host:8000/", "http://host:8000", None),
        ("http://host:8000/v1", "http://host:8000", None),
        ("http://host:8000/v1/#org/name", "http://host:8000", "org/name"),
        ("https://host/api/v1/chat/completions", "https://host/api", None),
        ("http://[::1]:80/v1", "http://[::1]:80", None),
    ],
)
def test_an_address_is_read_with_and_without_v1(text: str, url: str, model: str | None) -> None:
    assert parse_address(text) == EndpointAddress(url=url, model=model)
    assert str(parse_address(text)) == (f"{url}#{model}" if model else url)


@pytest.mark.parametrize(
    "text", ["", "qwen", "ftp://host", "http://", "http://host:port", "http://host:0"]
)
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(ConfigError, match=r"is not (a|the) URL"):
        parse_address(text)


def test_the_model_answers_at_the_address_that_was_read() -> None:
    async def play() -> None:
        async with fake_server() as server:
            server.url += "/v1/"
            async with talking(server) as (endpoint, chat):
                assert (await chat.complete(asked())).text
                assert repr(endpoint) == f"Endpoint('{endpoint.url}')"

    run(play)


@pytest.mark.parametrize(
    "given", [{}, {"template": False}, {"tokenizer": False}, {"engine": ""}, {"tokenizing": 405}]
)
def test_a_prompt_is_counted_in_the_servers_own_tokens_where_it_has_the_door(
    given: dict[str, Any],
) -> None:
    async def play() -> None:
        said = (
            Message(role="system", text="You are Ada."),
            Message(role="user", text="Wer? \ud83d"),
        )
        heard = (said[0], Message(role="user", text="Wer? ?"))
        async with fake_server(**given) as server, talking(server) as (endpoint, _):
            found = await endpoint.tokenize(said)
            assert found == (None if given else tuple(FakePromptTokenizer().ids(heard)))

    run(play)


def test_a_server_that_cannot_count_now_says_so() -> None:
    async def play() -> None:
        async with fake_server(tokenizing=503) as server, talking(server) as (endpoint, _):
            with pytest.raises(EndpointUnavailableError, match="503: the engine is not ready"):
                await endpoint.tokenize(asked().messages)
            server.tokenizing = 400
            with pytest.raises(ModelError, match="400"):
                await endpoint.tokenize(asked().messages)

    run(play)
