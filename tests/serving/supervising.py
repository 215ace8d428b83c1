"""Engines that only pretend to be some, for the tests of their supervisor."""

import asyncio
import contextlib
import subprocess
import sys
import time
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp
import psutil

from serving.process.engine_process import EngineTimeouts, LaunchSpec
from serving.process.ports import free_port
from serving.process.supervisor import ModelServer, run_supervised

ROOT = Path(__file__).parents[2]
FAKE = Path(__file__).with_name("fake_engine.py")
QUICK = EngineTimeouts(
    start=15,
    poll_interval=0.05,
    progress_interval=0.3,
    health_interval=0.1,
    max_silence=1.5,
    grace=0.3,
    response_timeout=0.5,
)


@dataclass
class Bench:
    """One fake engine to order, and what was said about it."""

    folder: Path
    said: list[str] = field(default_factory=list[str])

    def order(
        self, lives: str = "well", *more: str, patience: EngineTimeouts = QUICK
    ) -> LaunchSpec:
        port = free_port()
        fixed = ("--port", str(port), "--model", "tiny", "--folder", str(self.folder))
        return LaunchSpec(
            profile="tiny",
            model="tiny",
            port=port,
            argv=(sys.executable, str(FAKE), *fixed, "--lives", lives, *more),
            env=(("FAKE", "1"),),
            log=self.folder / "engine.log",
            timeouts=patience,
            engine_version="0",
        )

    @asynccontextmanager
    async def up(self, order: LaunchSpec) -> AsyncGenerator[ModelServer, None]:
        async with asyncio.timeout(30), run_supervised(order, self.said.append) as server:
            yield server

    def pids(self) -> list[int]:
        """Every process that the engine was, or started."""
        listed = self.folder / "pids"
        return [int(line) for line in listed.read_text().split()] if listed.exists() else []

    def starts(self) -> int:
        return int((self.folder / "starts").read_text(encoding="utf-8"))

    def left_over(self) -> list[int]:
        """Those of them that still run."""
        return [pid for pid in self.pids() if is_running(pid)]


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


async def post(server: ModelServer, path: str) -> None:
    root = server.served.url.removesuffix("/v1")
    async with aiohttp.ClientSession() as http:
        with contextlib.suppress(aiohttp.ClientError):
            async with http.post(f"{root}{path}"):
                pass


OWNER = """
import asyncio, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from dataclasses import replace
from tests.serving.supervising import QUICK, Bench
async def use():
    bench = Bench(folder=Path(sys.argv[2]))
    order = bench.order(sys.argv[3], patience=replace(QUICK, start=float(sys.argv[4])))
    async with bench.up(order) as server:
        print("up", flush=True)
        await server.wait()
asyncio.run(use())
"""


@contextlib.contextmanager
def owner(
    bench: Bench, life: str, start: float = QUICK.start
) -> Generator[subprocess.Popen[bytes]]:
    """Another process that has the fake engine running until it is told or made to end."""
    command = (sys.executable, "-c", OWNER, str(ROOT), str(bench.folder), life, str(start))
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        try:
            yield process
        finally:
            process.kill()
    wait_for(lambda: not bench.left_over())
