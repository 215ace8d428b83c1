"""Start a simulated server: in this process, for a test, or in a process of its own."""

import asyncio
import os
import sys
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any, Final

from aiohttp import web

from serving.engine_sim.api_server.http_app import HttpApp
from serving.engine_sim.cost_model.engine_profile import EngineProfile, load_engine_profile
from serving.engine_sim.simulator import SimOptions, Simulator
from serving.errors import EngineError
from serving.shim.engine_guard import KEY_VARIABLE

HOST: Final = "127.0.0.1"
_START_SECONDS: Final = 30.0
# Longer than any client keeps a connection, so that no request uses a closing one.
_KEEP_ALIVE_SECONDS: Final = 75.0
_BACKLOG: Final = 2_048
"""Connections that wait to be accepted: the default of uvicorn, vLLM's web server."""


def create_simulator(profile: EngineProfile | str, **options: Any) -> Simulator:
    """Return the state of a simulated server, or raise `ProfileError`."""
    if isinstance(profile, str):
        profile = load_engine_profile(profile)
    return Simulator(profile, replace(SimOptions(), **options))


@asynccontextmanager
async def serve_simulator(
    state: Simulator, *, port: int = 0, exit_at_death: Callable[[], None] | None = None
) -> AsyncGenerator[str]:
    """Serve `state` on loopback and yield its URL; `port` 0: any free port.

    `exit_at_death` is called when a fault ends the server; None: the server restarts empty.
    """
    loop = asyncio.get_running_loop()

    def die() -> None:
        if exit_at_death is not None:
            exit_at_death()
        routes.down = True
        for connection in list(getattr(runner.server, "connections", ())):
            if connection.transport is not None:
                connection.transport.abort()
        loop.call_later(state.faults.down_seconds, revive)

    def revive() -> None:
        state.restart()
        routes.down = False

    routes = HttpApp(state, die)
    # Handlers are cancelled with their connection, as vLLM aborts a request.
    runner = web.AppRunner(
        routes.build_app(),
        access_log=None,
        handler_cancellation=True,
        shutdown_timeout=0.1,
        keepalive_timeout=_KEEP_ALIVE_SECONDS,
    )
    await runner.setup()
    try:
        await web.TCPSite(runner, HOST, port, backlog=_BACKLOG).start()
        yield f"http://{HOST}:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


@asynccontextmanager
async def run_simulator_process(
    profile: str, arguments: Sequence[str] = (), *, key: str = ""
) -> AsyncGenerator[str]:
    """Run a simulated server in a child process while the block runs; yield its URL.

    `arguments` are those of `python -m serving.engine_sim`; every request must send `key` if it is
    not empty. Raises `EngineError` if the server does not start.
    """
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "serving.engine_sim", "--profile", profile, *arguments),
        env={**os.environ, KEY_VARIABLE: key},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    try:
        async with asyncio.timeout(_START_SECONDS):
            line = (await process.stdout.readline()).decode().strip()
            if not line:
                said = (await process.stderr.read()).decode().strip().splitlines()
                reason = said[-1] if said else "no output"
                raise EngineError(f"the simulated server of {profile!r} did not start: {reason}")
        yield line
    except TimeoutError as error:
        raise EngineError(f"the simulated server of {profile!r} did not start in time") from error
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
