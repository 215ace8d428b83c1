"""Arms over HTTP: cold repetitions, what a server lacks, and which servers words name."""

import asyncio
import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest

from arena.bench.arms import ARMS, OURS
from arena.bench.servers.bench_servers import (
    SERVED_MODEL,
    BenchServers,
    find_servers,
    open_servers,
    start_servers,
)
from arena.bench.servers.cache_reset import MAX_TRIES, reset_cache
from arena.bench.workload import Workload, make_workload
from arena.bench.workload_shapes import WorkloadShape
from arena.errors import ModelError
from arena.models.http.responses import HttpResponse
from arena.records.run_config import RunConfig, make_pairs
from arena.run.servers.connected_model import NO_PICTURES
from serving.engine_sim.cost_model.engine_profile import load_engine_profile
from serving.errors import ServingError
from serving.host.hardware import detect
from serving.resolution.endpoints import NamedEndpoint
from tests.fakes.openai_server import FakeServer, fake_server

RUN = WorkloadShape(
    name="tiny", kv_tokens=50_000, scripts=1, words=(60,), seats=4, matches=2, preset="short"
).make_run(0)


def load(seed: int = 0) -> Workload:
    config = RunConfig(
        pairs=make_pairs(SERVED_MODEL, SERVED_MODEL),
        scripts=(),
        game=RUN.game,
        options=RUN.options,
        matches=RUN.matches,
        seed=seed,
    )
    return make_workload(config, RUN.scripts)


@asynccontextmanager
async def served(server: FakeServer) -> AsyncGenerator[BenchServers]:
    endpoint = NamedEndpoint(name="fake", url=server.url)
    async with open_servers(endpoint, load(), detect(), NO_PICTURES) as found:
        yield found


@pytest.mark.slow
def test_on_a_server_that_keeps_its_cache_each_play_has_a_salt_of_its_own() -> None:
    async def play() -> list[set[str]]:
        async with fake_server() as server, served(server) as found:
            assert not found.has_reset
            seen: list[set[str]] = []
            for name, seed in (("gather_32", 0), ("gather_32", 1), ("gather_128", 1)):
                server.bodies.clear()
                await found.play(load(seed), ARMS[name])
                seen.append({body.get("cache_salt", "") for body in server.bodies})
            return seen

    seen = asyncio.run(play())
    salts_seen = [salt for one in seen for salt in one]
    assert len(set(salts_seen)) == len(salts_seen) == 3
    assert "" not in salts_seen


def test_arms_that_need_more_than_a_server_has_are_left_out_with_the_reason() -> None:
    async def lacks() -> dict[str, str]:
        async with fake_server(blocks=0) as server, served(server) as found:
            return {name: found.find_missing_feature(arm) for name, arm in ARMS.items()}

    found = asyncio.run(lacks())
    assert "does not report its KV capacity" in found[OURS]
    assert not found["gather_32"]
    assert not found["static_best"]
    assert found["ours_without_token_in"]


@pytest.mark.slow
def test_replicas_of_a_simulated_server_share_the_load_and_end_with_it() -> None:
    async def play() -> tuple[int, int, object]:
        run = WorkloadShape(
            name="two",
            kv_tokens=50_000,
            scripts=2,
            words=(60,),
            seats=4,
            matches=4,
            preset="short",
            profile="instant",
            replicas=2,
        ).make_run(0)
        config = load().config
        async with start_servers(
            "sim", "", run, blocks=None, hardware=detect(), say=lambda _: None
        ) as endpoint:
            both = make_workload(config, run.scripts)
            async with open_servers(endpoint, both, detect(), NO_PICTURES) as found:
                assert found.has_reset
                figures = await found.play(both, ARMS[OURS])
        return figures.finished, figures.unfinished, found.details["kv_tokens"]

    finished, unfinished, kv_tokens = asyncio.run(play())
    assert (finished, unfinished) == (4, 0)
    block = load_engine_profile("instant").block
    assert kv_tokens == [50_000 // block * block - block] * 2
    assert SERVED_MODEL not in os.environ.get("ARENA_ENDPOINTS", "")


def test_servers_are_named_by_urls_or_as_in_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(
        "ARENA_ENDPOINTS",
        '{"lab": {"url": "http://lab:8000/v1", "key": "lab-secret-key", "kv_tokens": 77,'
        ' "replicas": ["http://lab:8001/v1"]}}',
    )
    assert find_servers("lab").urls == ("http://lab:8000/v1", "http://lab:8001/v1")
    two = find_servers("http://a:1/v1#m,http://b:1/v1#m")
    assert (two.urls, two.model) == (("http://a:1/v1", "http://b:1/v1"), "m")
    known = find_servers("http://lab:8000/v1#m")
    assert (known.key, known.kv_tokens, known.model) == ("lab-secret-key", 77, "m")
    with pytest.raises(ServingError, match="is not a server's URL"):
        find_servers("http://a:1/v1,elsewhere")


class Resets:
    """A server whose prefix cache is held for the first so many tries."""

    def __init__(self, held: int, status: int = 200) -> None:
        self.held, self.status, self.paths = held, status, list[str]()

    async def post(self, body: bytes, path: str) -> HttpResponse:
        self.paths.append(path)
        if self.status != 200 or "prefix" not in path:
            return HttpResponse(status=self.status, content=b"")
        self.held -= 1
        return HttpResponse(
            status=200, content=b'{"success":%s}' % (b"true", b"false")[self.held >= 0]
        )


def test_a_cache_that_is_still_held_is_emptied_again_until_it_is_empty() -> None:
    server = Resets(held=3)
    assert asyncio.run(reset_cache(server, pause=0.0))
    assert [path for path in server.paths if "prefix" in path] == server.paths[:4]
    assert server.paths[4:] == ["/reset_mm_cache", "/reset_encoder_cache"]
    assert not asyncio.run(reset_cache(Resets(held=0, status=404), pause=0.0))
    with pytest.raises(ModelError, match=f"refused {MAX_TRIES} times"):
        asyncio.run(reset_cache(Resets(held=MAX_TRIES), pause=0.0))
