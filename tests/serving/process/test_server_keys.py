"""A server is believed to be up only if it shows that it is the one that was started."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace

import psutil
import pytest
from aiohttp import web

from serving.errors import EngineError
from serving.process.engine_process import LaunchSpec
from serving.process.model_server import attach_shared
from serving.process.server_registry import list_servers, read_key
from tests.serving.supervising import Bench, post

pytestmark = pytest.mark.slow


@asynccontextmanager
async def stranger(port: int, status: int) -> AsyncGenerator[None]:
    """Another server, which is well and has a model of the same name for whoever may ask."""

    async def answer(request: web.Request) -> web.Response:
        is_health = request.path == "/health"
        return web.json_response({"data": [{"id": "tiny"}]}, status=200 if is_health else status)

    app = web.Application()
    app.router.add_get("/{path:.*}", answer)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", port).start()
        yield
    finally:
        await runner.cleanup()


@pytest.mark.parametrize("status", [200, 401])
def test_the_health_of_another_server_at_the_port_is_not_the_engines(
    bench: Bench, status: int
) -> None:
    async def use() -> None:
        order = bench.order("bind")
        async with stranger(order.port, status), bench.up(order):
            pytest.fail("its own engine never came up")

    with pytest.raises(EngineError, match="a server other than the engine of 'tiny' answers"):
        asyncio.run(use())
    assert bench.left_over() == []


def test_an_engine_that_serves_another_model_is_not_the_one_that_was_started(bench: Bench) -> None:
    async def use() -> None:
        async with bench.up(replace(bench.order(), model="other")):
            pytest.fail("it serves 'tiny'")

    with pytest.raises(EngineError, match="a server other than the engine of 'tiny' answers"):
        asyncio.run(use())


def test_every_server_has_a_new_key_and_keeps_it_when_it_is_started_again(bench: Bench) -> None:
    keys: list[str] = []

    async def use(order: LaunchSpec) -> None:
        async with bench.up(order) as server:
            keys.append(server.served.key)
            await post(server, "/die")
            await server.wait_until_up()
            assert server.restarts == 1
            keys.append(server.served.key)
            assert read_key(list_servers()[0].port) == (keys[-1] if order.shared else "")

    asyncio.run(use(bench.order()))
    (bench.folder / "starts").unlink()
    asyncio.run(use(replace(bench.order(), shared=True)))
    assert keys[0] == keys[1]
    assert keys[2] == keys[3]
    assert keys[0] != keys[2]
    folder = bench.folder / "state" / "murder-arena" / "servers"
    assert list(folder.iterdir()) == []


def test_the_key_is_in_no_command_line_no_log_and_no_repr(bench: Bench) -> None:
    async def use() -> None:
        async with bench.up(bench.order()) as server:
            key = server.served.key
            engine = psutil.Process(server.served.pid)
            family = [engine, engine.parent(), *engine.children()]
            assert not [one for one in family if one and key in " ".join(one.cmdline())]
            assert engine.environ()["ARENA_ENGINE_KEY"] == key
            assert key not in server.served.log.read_text(encoding="utf-8")
            assert key not in repr(server.served)

    asyncio.run(use())
    assert bench.order().key not in repr(bench.order())


def test_a_shared_server_whose_key_is_not_there_or_wrong_is_not_used(bench: Bench) -> None:
    async def use() -> None:
        async with bench.up(replace(bench.order(), shared=True)) as server:
            assert server.served.key_file is not None
            for key in ("", "wrong"):
                server.served.key_file.write_text(key, encoding="utf-8")
                async with attach_shared(bench.order(), bench.said.append) as none:
                    assert none is None

    asyncio.run(use())
