"""The supervisor, with real processes that only pretend to be engines."""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import aiohttp
import psutil
import pytest

from serving.engine import Order, Patience
from serving.errors import EngineError
from serving.registry import entries
from serving.server import free_port, reusing
from serving.supervise import Server, command_digest, engine_environment, supervised

FAKE = Path(__file__).with_name("fake_engine.py")
QUICK = Patience(start=15, pause=0.05, tell=0.3, pulse=0.1, silence=0.6, grace=1, answer=0.5)


@pytest.fixture(autouse=True)
def _own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@dataclass
class Bench:
    """One fake engine to order, and what was said about it."""

    folder: Path
    said: list[str] = field(default_factory=list[str])

    def order(self, lives: str = "well", *more: str, patience: Patience = QUICK) -> Order:
        port = free_port()
        fixed = ("--port", str(port), "--model", "tiny", "--folder", str(self.folder))
        return Order(
            profile="tiny",
            model="tiny",
            port=port,
            argv=(sys.executable, str(FAKE), *fixed, "--lives", lives, *more),
            env=(("FAKE", "1"),),
            log=self.folder / "engine.log",
            patience=patience,
            engine_version="0",
        )

    @asynccontextmanager
    async def up(self, order: Order) -> AsyncGenerator[Server, None]:
        async with asyncio.timeout(30), supervised(order, self.said.append) as server:
            yield server

    def pids(self) -> list[int]:
        """Every process that the engine was, or started."""
        listed = self.folder / "pids"
        return [int(line) for line in listed.read_text().split()] if listed.exists() else []

    def left_over(self) -> list[int]:
        """Those of them that still run."""
        return [pid for pid in self.pids() if is_running(pid)]


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(folder=tmp_path)


def is_running(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def wait_for(condition: Callable[[], object], seconds: float = 10) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.02)


async def post(server: Server, path: str) -> None:
    root = server.served.url.removesuffix("/v1")
    async with aiohttp.ClientSession() as http:
        with contextlib.suppress(aiohttp.ClientError):
            async with http.post(f"{root}{path}"):
                pass


def run[T](work: Awaitable[T]) -> T:
    async def inner() -> T:
        return await work

    return asyncio.run(inner())


def test_a_server_comes_up_is_used_and_leaves_no_process_behind(bench: Bench) -> None:
    async def use() -> None:
        async with bench.up(bench.order("slow")) as server:
            assert server.served.url.startswith("http://127.0.0.1:")
            assert server.served.start_seconds >= 1
            assert server.served.pid == bench.pids()[0]
            assert len(bench.left_over()) == 2
            await server.wait_until_up()

    run(use())
    assert len(bench.pids()) == 2
    assert bench.left_over() == []
