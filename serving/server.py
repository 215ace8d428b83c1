"""Start a model server, wait for it, watch it, restart it once, stop it; or use one that runs."""

import asyncio
import hashlib
import json
import os
import socket
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import aiohttp

from serving.command import engine_command
from serving.engine import LOOPBACK, Engine, Order, Patience, is_healthy, serves
from serving.enginelog import new_log
from serving.errors import EngineError
from serving.hardware import Hardware, Share
from serving.profile import Profile
from serving.registry import Entry, entries, is_current, own_start_time, register, unregister
from serving.standin.cache import SHIM, standin_folder
from serving.weights import Weights

_START_SECONDS: Final = 300.0
_SECONDS_PER_GIB: Final = 15.0
_SECONDS_PER_GIB_FETCHED: Final = 120.0
_PAUSE: Final = 0.2
_FOLLOW_PAUSE: Final = 1.0

Say = Callable[[str], None]
"""Is told, in one line for a person, what is going on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """What answers at `url`, and how it came to be.

    `model` is the name to ask for. With `reused` another process owns the server; `pid` is the
    engine's and `start_seconds` what its start took.
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


class Server:
    """A model server in use: what it is, and a way to wait for it when it has gone away."""

    def __init__(self, served: Served, http: aiohttp.ClientSession) -> None:
        self.served = served
        self.restarts = 0
        self._http = http
        self._settled = asyncio.Event()
        self._dead = asyncio.Event()
        self._death = ""

    async def wait_until_up(self) -> None:
        """Return once the server answers, also across a restart.

        Raises `EngineError` with the cause where it is dead for good.
        """
        while True:
            await self._settled.wait()
            self._raise_if_dead()
            if await is_healthy(self._http, self.served.url.removesuffix("/v1")):
                return
            await asyncio.sleep(_PAUSE)

    async def wait(self) -> None:
        """Wait for as long as the server lives; raises `EngineError` once it is dead for good."""
        await self._dead.wait()
        self._raise_if_dead()

    def came_up(self, served: Served, *, again: bool = False) -> None:
        """Note, for those who wait, that the server has come up, or has come back."""
        self.served = served
        self.restarts += again
        self._settled.set()

    def went_away(self) -> None:
        """Note that the server has gone and may come back."""
        self._settled.clear()

    def died(self, cause: str) -> None:
        """Note that the server will not come back."""
        self._death = cause
        self._dead.set()
        self._settled.set()

    def _raise_if_dead(self) -> None:
        if self._dead.is_set():
            raise EngineError(self._death)


@asynccontextmanager
async def running(  # noqa: PLR0913 - three have defaults; a bundle would only be unpacked again
    profile: Profile,
    *,
    hardware: Hardware,
    weights: Weights,
    share: Share,
    port: int | None = None,
    share_with_others: bool = False,
    say: Say = lambda line: None,
) -> AsyncIterator[Server]:
    """Serve `profile` while the block runs, on loopback, or use a shared server that does already.

    A free port is chosen where none is named. Only a server started with `share_with_others` is
    ever used by others. Raises `EngineError` where the engine does not come up.
    """
    model = weights.path
    if profile.stand_in:
        say("making the untrained stand-in, where it is not there yet")
        model = str(await asyncio.to_thread(standin_folder))
    if not model:
        raise EngineError(f"there are no weights for {profile.name!r}: {weights.note}")
    chosen = free_port(port)
    command = engine_command(
        profile, hardware, port=chosen, model=model, share=share, dummy_weights=weights.dummy
    )
    order = Order(
        profile=profile.name,
        model=profile.name,
        port=chosen,
        argv=command.argv,
        env=command.env,
        log=new_log(profile.name, chosen),
        patience=Patience(start=start_limit(profile, weights)),
        engine_version=hardware.engine_version,
        shared=share_with_others,
    )
    async with AsyncExitStack() as stack:
        reused = await stack.enter_async_context(reusing(order, say)) if port is None else None
        yield reused or await stack.enter_async_context(supervised(order, say))


@asynccontextmanager
async def supervised(order: Order, say: Say) -> AsyncIterator[Server]:
    """Run the engine while the block runs; the block begins when it is up.

    An engine that dies later is started once more at the same port.
    """
    served = Served(
        url=f"{order.root}/v1",
        model=order.model,
        profile=order.profile,
        log=order.log,
        pid=0,
        start_seconds=0.0,
        reused=False,
        argv=order.argv,
        engine_version=order.engine_version,
    )
    async with aiohttp.ClientSession() as http:
        server = Server(served, http)
        async with _beside(_supervise(server, order, http, say)):
            await server.wait_until_up()
            yield server


@asynccontextmanager
async def reusing(order: Order, say: Say) -> AsyncIterator[Server | None]:
    """Give a shared server that was started with the same command, or None where none runs."""
    async with aiohttp.ClientSession() as http:
        entry = await _find_shared(order, http)
        if entry is None:
            yield None
            return
        say(f"{entry.profile} is served at {entry.url} already; it is used, and left running")
        server = Server(_as_served(entry), http)
        server.came_up(server.served)
        async with _beside(_follow(server, entry)):
            yield server


def free_port(wanted: int | None = None) -> int:
    """Return `wanted` if it is free on loopback, or any free port where None is wanted."""
    with socket.socket() as door:
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            door.bind((LOOPBACK, wanted or 0))
        except OSError as error:
            raise EngineError(f"port {wanted} cannot be used: {error.strerror}") from error
        return int(door.getsockname()[1])


def start_limit(profile: Profile, weights: Weights) -> float:
    """Return the seconds that a start may take: more for large weights, most where fetched."""
    fetched = weights.origin == "hub" and not weights.dummy
    return _START_SECONDS + profile.weights_gib.value * (
        _SECONDS_PER_GIB_FETCHED if fetched else _SECONDS_PER_GIB
    )


def engine_environment(env: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """Return the variables of an engine's processes: ours, the command's, and the shim's folder.

    Nothing but loopback is to be asked for anything, and nobody to be told of the use.
    """
    path = [str(SHIM), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {
        **os.environ,
        "DO_NOT_TRACK": "1",
        "VLLM_NO_USAGE_STATS": "1",
        "VLLM_HOST_IP": LOOPBACK,
        **dict(env),
        "PYTHONPATH": os.pathsep.join(path),
    }


def command_digest(order: Order) -> str:
    """Return a digest of what an engine is started with, all but its port."""
    argv = [word for word in order.argv if word != str(order.port)]
    return hashlib.sha256(json.dumps([argv, order.env]).encode()).hexdigest()


async def _supervise(server: Server, order: Order, http: aiohttp.ClientSession, say: Say) -> None:
    try:
        while True:
            cause = await _one_life(server, order, http, say)
            if server.restarts:
                raise EngineError(f"{cause}; it had been restarted once already")
            server.went_away()
            say(f"{cause}; it is started once more")
    except EngineError as error:
        server.died(str(error))
    finally:
        unregister(order.port)


async def _one_life(server: Server, order: Order, http: aiohttp.ClientSession, say: Say) -> str:
    """Run one engine from its start to its end; return why it ended."""
    again = server.served.pid != 0
    engine = await Engine.start(order, engine_environment(order.env))
    try:
        await engine.until_up(http, say)
        served = replace(server.served, pid=engine.pid, start_seconds=engine.seconds)
        register(_as_entry(served, order))
        server.came_up(served, again=again)
        return await engine.until_dead(http)
    finally:
        await engine.stop()


async def _follow(server: Server, entry: Entry) -> None:
    """Watch a server of another process until that process gives it up."""
    while is_current(entry):
        await asyncio.sleep(_FOLLOW_PAUSE)
    server.died(f"the shared server at {entry.url} was stopped by its owner")


@asynccontextmanager
async def _beside(work: Coroutine[None, None, None]) -> AsyncIterator[None]:
    """Do `work` while the block runs; at the end cancel it and wait until it has cleaned up."""
    try:
        async with asyncio.TaskGroup() as group:
            task = group.create_task(work)
            try:
                yield
            finally:
                task.cancel()
    except BaseExceptionGroup as failed:
        # A task group wraps what its block raised, even a single error.
        raise failed.exceptions[0] from failed.exceptions[0].__cause__


async def _find_shared(order: Order, http: aiohttp.ClientSession) -> Entry | None:
    digest = command_digest(order)
    for entry in entries():
        same = entry.shared and entry.profile == order.profile and entry.command == digest
        if same and await serves(http, entry.url.removesuffix("/v1"), entry.model):
            return entry
    return None


def _as_entry(served: Served, order: Order) -> Entry:
    return Entry(
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


def _as_served(entry: Entry) -> Served:
    return Served(
        url=entry.url,
        model=entry.model,
        profile=entry.profile,
        log=Path(entry.log),
        pid=entry.pid,
        start_seconds=entry.start_seconds,
        reused=True,
        argv=entry.argv,
        engine_version=entry.engine_version,
    )
