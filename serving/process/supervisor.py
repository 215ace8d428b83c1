"""Supervise one engine while a block runs: start, watch, restart once, stop, register."""

import asyncio
import hashlib
import json
import os
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

import aiohttp

from serving.errors import EngineError
from serving.process.engine_process import EngineProcess, LaunchSpec
from serving.process.health_check import identify
from serving.process.ports import LOOPBACK
from serving.process.server_registry import (
    RunningServer,
    key_path,
    own_start_time,
    register,
    unregister,
)
from serving.shim.engine_guard import KEY_VARIABLE
from serving.standin.standin_cache import SHIM

_PAUSE: Final = 0.2
_OTHER_KEY: Final = "VLLM_API_KEY"
_VARIABLE_FLAGS: Final = ("--port", "--gpu-memory-utilization")

LogLine = Callable[[str], None]
"""Receives one line of progress for people."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerInfo:
    """The server at `url`, and how it was started.

    `model` is the served name. With `reused` another process owns the server; `pid` is the engine's
    and `start_seconds` its start time. Requests must send `key`; a shared server has it in
    `key_file`.
    """

    url: str
    model: str
    profile: str
    log: Path
    pid: int
    start_seconds: float
    reused: bool
    argv: tuple[str, ...]
    engine_version: str
    key: str = field(repr=False)
    key_file: Path | None = None


class ModelServer:
    """A model server in use: its information, and methods to wait for a restart."""

    def __init__(self, served: ServerInfo, http: aiohttp.ClientSession) -> None:
        self.served = served
        self.restarts = 0
        self._http = http
        self._settled = asyncio.Event()
        self._dead = asyncio.Event()
        self._death = ""

    async def wait_until_up(self) -> None:
        """Wait until the server answers, also across a restart.

        Raises `EngineError` with the cause if it will not restart.
        """
        while True:
            await self._settled.wait()
            self._raise_if_dead()
            served = self.served
            root = served.url.removesuffix("/v1")
            if await identify(self._http, root, model=served.model, key=served.key) == "ours":
                return
            await asyncio.sleep(_PAUSE)

    async def wait(self) -> None:
        """Wait while the server lives; raise `EngineError` when it is down for good."""
        await self._dead.wait()
        self._raise_if_dead()

    def mark_up(self, served: ServerInfo, *, again: bool = False) -> None:
        """Record that the server is up, or up again, and wake the waiting tasks."""
        self.served = served
        self.restarts += again
        self._settled.set()

    def mark_down(self) -> None:
        """Record that the server is down and can restart."""
        self._settled.clear()

    def mark_dead(self, cause: str) -> None:
        """Record that the server will not restart."""
        self._death = cause
        self._dead.set()
        self._settled.set()

    def _raise_if_dead(self) -> None:
        if self._dead.is_set():
            raise EngineError(self._death)


@asynccontextmanager
async def run_supervised(order: LaunchSpec, say: LogLine) -> AsyncGenerator[ModelServer, None]:
    """Run the engine while the block runs; the block begins when it is up.

    An engine that dies later is started once more at the same port.
    """
    served = ServerInfo(
        url=f"{order.root}/v1",
        model=order.model,
        profile=order.profile,
        log=order.log,
        pid=0,
        start_seconds=0.0,
        reused=False,
        argv=order.argv,
        engine_version=order.engine_version,
        key=order.key,
        key_file=key_path(order.port) if order.shared else None,
    )
    async with aiohttp.ClientSession() as http:
        server = ModelServer(served, http)
        async with run_in_background(_supervise(server, order, http, say)):
            await server.wait_until_up()
            yield server


@asynccontextmanager
async def run_in_background(work: Coroutine[None, None, None]) -> AsyncGenerator[None, None]:
    """Run `work` while the block runs; at the end cancel it and wait for its cleanup."""
    try:
        async with asyncio.TaskGroup() as group:
            task = group.create_task(work)
            try:
                yield
            finally:
                task.cancel()
    except BaseExceptionGroup as failed:
        # A task group wraps even a single error of its block.
        raise failed.exceptions[0] from failed.exceptions[0].__cause__


def engine_environment(env: tuple[tuple[str, str], ...], key: str) -> dict[str, str]:
    """Return an engine's environment variables: ours, the command's, and the shim's folder.

    vLLM's internal sockets use loopback, and usage reports are disabled. The key is a variable
    because every user can read a command line; a key from another variable is removed.
    """
    inherited = {name: value for name, value in os.environ.items() if name != _OTHER_KEY}
    path = [str(SHIM), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {
        **inherited,
        "DO_NOT_TRACK": "1",
        "VLLM_NO_USAGE_STATS": "1",
        "VLLM_HOST_IP": LOOPBACK,
        **dict(env),
        "PYTHONPATH": os.pathsep.join(path),
        KEY_VARIABLE: key,
    }


def command_digest(order: LaunchSpec) -> str:
    """Return a digest of an engine's command, without its port and memory share."""
    argv = list(order.argv)
    for flag in _VARIABLE_FLAGS:
        if flag in argv[:-1]:
            argv[argv.index(flag) + 1] = ""
    return hashlib.sha256(json.dumps(argv).encode()).hexdigest()


async def _supervise(
    server: ModelServer, order: LaunchSpec, http: aiohttp.ClientSession, say: LogLine
) -> None:
    try:
        while True:
            cause = await _run_engine_once(server, order, http, say)
            if server.restarts:
                return server.mark_dead(f"{cause}; it was already restarted once")
            server.mark_down()
            say(f"{cause}; restarting it once")
    except EngineError as error:
        server.mark_dead(str(error))
    finally:
        unregister(order.port)


async def _run_engine_once(
    server: ModelServer, order: LaunchSpec, http: aiohttp.ClientSession, say: LogLine
) -> str:
    """Run one engine from its start to its end; return why it ended."""
    again = server.served.pid != 0
    engine = await EngineProcess.start(order, engine_environment(order.env, order.key))
    try:
        await engine.wait_until_up(http, say)
        served = replace(server.served, pid=engine.pid, start_seconds=engine.seconds)
        register(_running_server(served, order), order.key)
        server.mark_up(served, again=again)
        return await engine.wait_until_dead(http)
    finally:
        await engine.stop()


def _running_server(served: ServerInfo, order: LaunchSpec) -> RunningServer:
    return RunningServer(
        profile=served.profile,
        model=served.model,
        port=order.port,
        pid=served.pid,
        owner=os.getpid(),
        owner_since=own_start_time(),
        command=command_digest(order),
        argv=served.argv,
        log=str(served.log),
        engine_version=served.engine_version,
        start_seconds=served.start_seconds,
        shared=order.shared,
    )
