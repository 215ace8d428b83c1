"""An embedding server: what is sent, what is accepted, and what becomes of a failure."""

import asyncio
import json
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeVar

import numpy as np
import pytest
from aiohttp import web

from arena.errors import ConfigError, EndpointUnavailableError, ModelError
from arena.memory.embedding import check_vectors
from arena.memory.endpoint_embedder import EMBEDDINGS, EndpointEmbedder
from arena.memory.memory_index import MemoryIndex
from arena.models.http.address import parse_address
from arena.models.http.endpoint import EndpointTimeouts, open_endpoint
from serving.engine_sim.sim_server import create_simulator, serve_simulator
from tests.fakes.raw_server import (
    Answer,
    http,
    http_json,
    raw_server,
)

T = TypeVar("T")
KEY = "sk-embed-0123456789abcdef"
UNITS = ("She hid the letter in the piano.", "他把信藏在钢琴里。", "It rained all night.")


async def no_pause(failed: int, requested: float | None) -> None:
    pauses.append((failed, requested))


pauses: list[tuple[int, float | None]] = []


@asynccontextmanager
async def client(
    url: str, *, key: str = "", seconds: float = 5.0
) -> AsyncGenerator[EndpointEmbedder]:
    pauses.clear()
    address = parse_address(url, key=key)
    timeouts = EndpointTimeouts(probe_seconds=5.0)
    async with open_endpoint(address, max_requests=4, timeouts=timeouts) as endpoint:
        yield EndpointEmbedder(endpoint, timeout_seconds=seconds, backoff=no_pause)


def with_simulator(use: Callable[[EndpointEmbedder], Awaitable[T]], *, key: str = "") -> T:
    async def go() -> T:
        async with (
            serve_simulator(create_simulator("instant", key=key, model="embedder")) as url,
            client(url, key=key) as embedder,
        ):
            await embedder.probe()
            return await use(embedder)

    return asyncio.run(go())


def with_answers(
    use: Callable[[EndpointEmbedder], Awaitable[T]], answer: Answer, *, seconds: float = 5.0
) -> T:
    """Let a server that answers /v1/embeddings with `answer` after a good probe be used."""
    turn: list[Answer] = [listed, answer]

    def reply(body: bytes) -> bytes:
        now = turn[0] if len(turn) == 1 else turn.pop(0)
        return now if isinstance(now, bytes) else now(body)

    async def go() -> T:
        async with (
            raw_server(b"", v1__embeddings=reply) as server,
            client(server.url, key=KEY, seconds=seconds) as embedder,
        ):
            await embedder.probe()
            return await use(embedder)

    return asyncio.run(go())


def vectors_of(body: bytes, size: int = 3) -> list[list[float]]:
    return [[3.0, float(len(text)), 4.0][:size] for text in json.loads(body)["input"]]


def listed(body: bytes, **changes: Any) -> bytes:
    data = [{"index": n, "embedding": one} for n, one in enumerate(vectors_of(body))]
    return http_json({"data": data, **changes})


def items(*embeddings: object) -> bytes:
    return http_json({"data": [{"index": n, "embedding": e} for n, e in enumerate(embeddings)]})


async def one(embedder: EndpointEmbedder) -> Any:
    return await embedder.embed(["a lamp"])


def test_a_server_returns_unit_vectors_in_the_order_of_the_texts() -> None:
    async def use(embedder: EndpointEmbedder) -> None:
        many = [f"{text} {n}" for n in range(60) for text in UNITS]
        found = await embedder.embed(many)
        check_vectors(found, 180, embedder.dimensions)
        assert np.array_equal(found[100], (await embedder.embed([many[100]]))[0])
        assert (embedder.name, embedder.dimensions) == ("embedder", 256)
        assert (await embedder.embed([])).shape == (0, 256)
        check_vectors(await embedder.embed(["", " "]), 2, 256)

    with_simulator(use)


def test_a_memory_searches_with_a_server() -> None:
    async def use(embedder: EndpointEmbedder) -> None:
        memory = MemoryIndex(embedder)
        memory.add(UNITS)
        found = await memory.search("Where did she hide the letter?", 1)
        assert (found.in_order, found.lexical) == ((0,), False)
        assert (await memory.search("信藏在哪里？", 1, 0.1)).in_order == (1,)

    with_simulator(use, key=KEY)


def test_vectors_are_put_in_the_order_of_their_index_and_made_to_unit_length() -> None:
    def shuffled(body: bytes) -> bytes:
        data = [{"index": n, "embedding": v} for n, v in enumerate(vectors_of(body))]
        return http_json({"data": data[::-1]})

    found = with_answers(lambda e: e.embed(["a", "bbb"]), shuffled)
    assert found == pytest.approx(
        np.array([[3, 1, 4], [3, 3, 4]]) / np.sqrt([[26], [34]]), abs=1e-6
    )


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (items([1.0, 0.0]), "wanted 1 unit vectors of 3 dimensions"),
        (items([0.0, 0.0, 0.0]), "a vector is zero"),
        (http(b'{"data": [{"index": 0, "embedding": [NaN, 1.0, 0.0]}]}'), "not finite"),
        (http(b'{"data": [{"index": 0, "embedding": [1e400, 1.0, 0.0]}]}'), "not finite"),
        (items(), "0 vectors for 1 texts"),
        (items([1.0, 0.0, 0.0], [1.0, 0.0, 0.0]), "2 vectors for 1 texts"),
        (http_json({"data": [{"index": 1, "embedding": [1.0, 0, 0]}]}), "1 vectors for 1 texts"),
        (items(["a", "b", "c"]), "it sent"),
        (items("AACAPw=="), "it sent"),
        (http(b"<html>a page</html>"), "it sent '<html>a page</html>'"),
        (http(b""), "it sent ''"),
    ],
)
def test_what_is_no_embedding_is_asked_for_again_and_then_refused(
    answer: bytes, reason: str
) -> None:
    with pytest.raises(EndpointUnavailableError, match=reason) as caught:
        with_answers(one, answer)
    assert "\n" not in str(caught.value)
    assert [failed for failed, _ in pauses] == [1, 2], "three attempts"


def test_a_failure_is_survived_by_another_attempt() -> None:
    answers = [http(b"busy", 503, ["Retry-After: 2"]), http(b"", 429)]

    def reply(body: bytes) -> bytes:
        return answers.pop(0) if answers else listed(body)

    assert with_answers(one, reply).shape == (1, 3)
    assert pauses == [(1, 2.0), (2, None)]


def test_a_server_that_failed_is_tried_once_until_it_answers() -> None:
    asked: list[bytes] = []

    def reply(body: bytes) -> bytes:
        asked.append(body)
        return http(b"", 500) if len(asked) in {1, 2, 3, 4, 6} else listed(body)

    async def use(embedder: EndpointEmbedder) -> list[int]:
        counts: list[int] = []
        for _ in range(4):
            before = len(asked)
            with suppress(ModelError):
                await one(embedder)
            counts.append(len(asked) - before)
        return counts

    assert with_answers(use, reply) == [3, 1, 1, 2]


def test_a_request_that_the_server_refuses_is_not_repeated() -> None:
    with pytest.raises(ModelError, match=r"will not serve the request .* \(400\): no such field"):
        with_answers(one, http_json({"error": {"message": "no such field"}}, 400))
    assert not pauses


def test_a_text_that_is_too_long_is_cut_until_it_fits() -> None:
    lengths: list[int] = []

    def reply(body: bytes) -> bytes:
        lengths.append(max(map(len, json.loads(body)["input"])))
        if lengths[-1] > 1000:
            said = "This model's maximum context length is 512 tokens."
            return http_json({"error": {"message": said}}, 400)
        return listed(body)

    async def use(embedder: EndpointEmbedder) -> None:
        for _ in range(2):
            await embedder.embed(["short", "x" * 5000])

    with_answers(use, reply)
    assert lengths == [5000, 4096, 2048, 1024, 512, 512], "what fits is remembered"


def test_a_slow_server_is_not_waited_for() -> None:
    asked: list[bytes] = []

    async def models(request: web.Request) -> web.Response:
        return web.json_response({"data": [{"id": "m"}]})

    async def embeddings(request: web.Request) -> web.Response:
        asked.append(await request.read())
        await asyncio.sleep(60 if len(asked) > 1 else 0)
        data = [{"index": n, "embedding": [1.0, 0.0]} for n in range(2)]
        return web.json_response({"data": data})

    async def go() -> None:
        app = web.Application()
        app.router.add_get("/v1/models", models)
        app.router.add_post(EMBEDDINGS, embeddings)
        runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        async with client(f"http://127.0.0.1:{runner.addresses[0][1]}", seconds=0.2) as slow:
            await slow.probe()
            began = time.monotonic()
            with pytest.raises(EndpointUnavailableError, match=r"/v1/embeddings within 0.2 s"):
                await one(slow)
            assert time.monotonic() - began < 5
            assert len(asked) == 4
        await runner.cleanup()

    asyncio.run(go())


def probe(answer: Answer) -> str:
    async def go() -> str:
        async with raw_server(b"", v1__embeddings=answer) as server, client(server.url) as embedder:
            with pytest.raises(ConfigError) as caught:
                await embedder.probe()
            return str(caught.value)

    return asyncio.run(go())


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (http(b"", 404), "does not serve model 'm' at /v1/embeddings (404)"),
        (http_json({"error": {"message": "does not support Embeddings"}}, 400), "not support"),
        (http(b"", 503), "answered 503"),
        (http(b"{}"), "should answer with embeddings"),
    ],
)
def test_a_server_of_something_else_is_refused_in_one_line(answer: bytes, reason: str) -> None:
    said = probe(answer)
    assert reason in said
    assert said.endswith("an embedding model should be served there (vLLM: --runner pooling)")
    assert "\n" not in said


def test_nobody_there_is_refused_in_one_line() -> None:
    async def go() -> None:
        async with client("http://127.0.0.1:9/v1") as embedder:
            with pytest.raises(ConfigError, match=r"^http://127.0.0.1:9 does not answer: .*"):
                await embedder.probe()

    asyncio.run(go())


def test_the_key_opens_the_door_and_is_in_no_error() -> None:
    async def go() -> None:
        async with (
            serve_simulator(create_simulator("instant", key=KEY)) as url,
            client(url) as embedder,
        ):
            await embedder.probe()

    with pytest.raises(ConfigError, match="requires a key") as lacking:
        asyncio.run(go())
    assert KEY not in str(lacking.value)
    for status in (200, 400, 500):
        with pytest.raises(ModelError) as caught:
            with_answers(one, http(f"the key {KEY} is bad".encode(), status))
        assert KEY not in repr(caught.value)
        assert "***" in str(caught.value)


def test_the_path_is_that_of_the_api() -> None:
    assert EMBEDDINGS == "/v1/embeddings"
