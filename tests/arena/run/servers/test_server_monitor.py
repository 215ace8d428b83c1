"""A server during a run: whether it is up, and whether it is still the same."""

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from arena.errors import EndpointUnavailableError, ModelChangedError, ModelError
from arena.models.chat import Completion
from arena.models.http.address import parse_address
from arena.models.http.endpoint import Endpoint, EndpointTimeouts, open_endpoint
from arena.models.http.server_identity import SAMPLE, ServerIdentity, describe_change, read_identity
from arena.run.servers.server_monitor import ReplyName, ServerMonitor
from arena.schedule.cache_prediction import WarmPrefixes
from serving.process.supervisor import run_in_background
from tests.arena.models.conversation import FakeTime
from tests.fakes.openai_server import FakeServer, fake_server


@asynccontextmanager
async def monitored(
    server: FakeServer, log: list[str] | None = None, *, reply_name: ReplyName | None = None
) -> AsyncGenerator[ServerMonitor]:
    """Yield the monitor of a server with a clock that runs."""
    lines = [] if log is None else log
    async with open_endpoint(parse_address(server.url), max_requests=2) as endpoint:
        await endpoint.probe()
        identity = await read_identity(endpoint)
        monitor = ServerMonitor(
            endpoint, identity, WarmPrefixes(), reply_name=reply_name, log=lines.append
        )
        async with run_in_background(monitor.clock.run()):
            yield monitor


def on_server(play: Callable[[FakeServer, ServerMonitor], Awaitable[None]]) -> None:
    async def run() -> None:
        async with fake_server() as server, monitored(server) as monitor:
            await play(server, monitor)

    asyncio.run(run())


def named(model: str) -> Completion:
    return Completion(
        text="It was Otto.",
        finish="stop",
        prompt_tokens=1,
        output_tokens=1,
        cached_tokens=None,
        seconds=0.1,
        model=model,
    )


def change_model(server: FakeServer) -> None:
    server.models = ("another-vl",)


def change_root(server: FakeServer) -> None:
    server.root = "/models/another-revision"


def change_context(server: FakeServer) -> None:
    server.context = 4096


def change_template(server: FakeServer) -> None:
    server.template_ids = (7,)


CHANGES = {
    change_model: "but now another-vl; serve the same",
    change_root: "root '' is now '/models/another-revision'",
    change_context: "context_tokens '32768' is now '4096'",
    change_template: "template ",
}


@pytest.mark.parametrize(("change", "words"), CHANGES.items())
def test_a_server_that_comes_back_as_another_is_not_asked(
    change: Callable[[FakeServer], None], words: str
) -> None:
    async def play(server: FakeServer, monitor: ServerMonitor) -> None:
        await monitor.wait_until_up("it was away")
        change(server)
        with pytest.raises(ModelChangedError) as caught:
            await monitor.wait_until_up("it was away")
        assert words in str(caught.value)
        assert "\n" not in str(caught.value)
        with pytest.raises(ModelChangedError):
            monitor.verify(named("fake-vl"))

    on_server(play)


@pytest.mark.parametrize("change", [change_model, change_root, change_context])
def test_a_server_that_changes_while_it_is_up_is_noticed_at_the_next_look(
    change: Callable[[FakeServer], None],
) -> None:
    async def play(server: FakeServer, monitor: ServerMonitor) -> None:
        monitor.verify(named("fake-vl"))
        change(server)
        with pytest.raises(TimeoutError):
            async with monitor.clock.limit(0.1):
                await asyncio.get_running_loop().create_future()
        with pytest.raises(ModelChangedError):
            monitor.verify(named("fake-vl"))
        with pytest.raises(ModelChangedError):
            await monitor.require_usable()
        assert await monitor.has_changed()

    on_server(play)


def test_a_server_that_is_put_right_again_is_used_again() -> None:
    async def play(server: FakeServer, monitor: ServerMonitor) -> None:
        change_model(server)
        assert await monitor.has_changed()
        server.models = ("fake-vl",)
        await monitor.require_usable()
        monitor.verify(named("fake-vl"))

    on_server(play)


def test_a_reply_that_names_another_model_is_refused() -> None:
    async def play(server: FakeServer, monitor: ServerMonitor) -> None:
        with pytest.raises(ModelChangedError, match="but one names 'gpt-evil-9000'"):
            monitor.verify(named("gpt-evil-9000"))
        monitor.verify(named("fake-vl"))

    on_server(play)


def test_a_server_other_than_vllm_may_name_its_model_otherwise_but_always_the_same() -> None:
    async def run() -> None:
        async with fake_server(engine="") as server, monitored(server) as monitor:
            monitor.verify(named("fake-vl-2026-11-01"))
            monitor.verify(named("fake-vl-2026-11-01"))
            with pytest.raises(ModelChangedError):
                monitor.verify(named("fake-vl"))

    asyncio.run(run())


def test_a_server_that_cannot_be_compared_now_has_not_changed() -> None:
    async def run() -> None:
        async with fake_server() as server, monitored(server) as monitor:
            server.models = ()
            assert not await monitor.has_changed()
            await server.die()
            assert not await monitor.has_changed()

    asyncio.run(run())


def test_a_server_that_was_waited_for_in_vain_keeps_nobody_else_waiting() -> None:
    async def run() -> None:
        time, log = FakeTime(), list[str]()
        patience = EndpointTimeouts(
            recovery_seconds=5, poll_seconds=1, sleep=time.sleep, clock=time.clock
        )
        async with fake_server() as server:
            address = parse_address(server.url)
            async with open_endpoint(address, max_requests=1, timeouts=patience) as endpoint:
                await endpoint.probe()
                warm = WarmPrefixes()
                monitor = ServerMonitor(
                    endpoint, await read_identity(endpoint), warm, log=log.append
                )
                server.faults.failing = 99
                for _ in range(3):
                    with pytest.raises(ModelError, match="is dead: no answer for 5 s"):
                        await monitor.wait_until_up("503: the engine is not ready")
                assert len(time.slept) == 5
                server.faults.failing = 0
                await monitor.wait_until_up("503")
                assert warm.epoch == 1
        assert log == ["503: the engine is not ready; retrying"]

    asyncio.run(run())


def test_another_template_is_noticed_at_the_end_of_a_match() -> None:
    async def play(server: FakeServer, monitor: ServerMonitor) -> None:
        assert not await monitor.has_changed()
        change_template(server)
        monitor.__dict__["_checked"] = 0.0
        assert await monitor.has_changed()

    on_server(play)


def test_what_a_server_hides_for_a_while_is_no_change() -> None:
    async def play(server: FakeServer, monitor: ServerMonitor) -> None:
        server.context = None
        assert not await monitor.has_changed()
        server.context = 32768
        await monitor.wait_until_up("503")
        monitor.verify(named("fake-vl"))

    on_server(play)


def test_a_server_that_accepts_a_question_about_itself_and_never_answers_keeps_nobody_waiting() -> (
    None
):
    async def run() -> None:
        async with fake_server() as server:
            timeouts = EndpointTimeouts(probe_seconds=0.2)
            address = parse_address(server.url)
            async with open_endpoint(address, max_requests=1, timeouts=timeouts) as endpoint:
                await endpoint.probe()
                server.tokenize_seconds = 3600
                with pytest.raises(EndpointUnavailableError, match=r"/tokenize within 0\.2 s"):
                    await endpoint.tokenize(SAMPLE)

    asyncio.run(run())


def test_servers_of_one_model_give_it_one_name() -> None:
    async def run() -> None:
        async with (
            fake_server(engine="") as first,
            fake_server(engine="") as second,
        ):
            name = ReplyName()
            async with (
                monitored(first, reply_name=name) as one,
                monitored(second, reply_name=name) as other,
            ):
                one.verify(named("good-model"))
                other.verify(named("good-model"))
                with pytest.raises(ModelChangedError, match="but one names 'gpt-evil-9000'"):
                    other.verify(named("gpt-evil-9000"))

    asyncio.run(run())


def test_a_dead_server_is_not_waited_for_by_every_match_that_is_admitted_later() -> None:
    async def play(server: FakeServer, monitor: ServerMonitor) -> None:
        monitor.__dict__.update(_dead="it is dead", _dead_since=time.monotonic())
        with pytest.raises(ModelError, match="it is dead"):
            await monitor.require_usable()
        monitor.__dict__["_dead_since"] -= 10
        await monitor.require_usable()
        await monitor.require_usable()

    on_server(play)


def test_a_value_that_was_not_told_at_the_start_is_no_change_later() -> None:
    before = ServerIdentity(model="m", root="", version="")
    assert not describe_change(before, replace(before, version="1.0", template="t"))
    assert describe_change(before, replace(before, root="/a"))
    told = replace(before, version="1.0")
    assert describe_change(told, replace(told, version="2.0")) == "version '1.0' is now '2.0'"


def test_what_a_server_does_not_report_is_no_change() -> None:
    async def identity(endpoint: Endpoint) -> str:
        return describe_change(await read_identity(endpoint), await read_identity(endpoint))

    async def run() -> None:
        async with (
            fake_server(engine="", tokenizer=False, blocks=0) as server,
            open_endpoint(parse_address(server.url), max_requests=1) as endpoint,
        ):
            await endpoint.probe()
            assert not await identity(endpoint)

    asyncio.run(run())
