"""Engines of a worker: one per GPU group, on loopback ports, while the worker plays."""

import asyncio
import json
import os
import secrets
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager

from arena.run.servers.local_engines import profile_to_serve
from serving.errors import ServingError
from serving.host.hardware import Hardware
from serving.host.replica_plan import plan_replicas
from serving.process.model_server import serve_model
from serving.process.supervisor import ModelServer, ServerInfo
from serving.resolution.endpoints import ENDPOINTS_VARIABLE
from serving.resolution.name_resolution import resolve_here


@asynccontextmanager
async def serve_models(
    names: Iterable[str], hardware: Hardware, say: Callable[[str], None]
) -> AsyncGenerator[None]:
    """Serve the models called `names` that have no server yet, and register them in this process.

    Runs find them in `ARENA_ENDPOINTS`, next to the servers that it already names. Raises
    `ServingError` if a model does not fit or an engine does not start.
    """
    found = {name: resolve_here(name, hardware) for name in dict.fromkeys(names)}
    profiles = {name: ours for name, one in found.items() if (ours := profile_to_serve(one))}
    if not profiles:
        yield
        return
    unique = {one.name: one for one in profiles.values()}
    shares = dict(plan_replicas(list(unique.values()), hardware))
    before = os.environ.get(ENDPOINTS_VARIABLE)
    key = secrets.token_hex(16)
    async with AsyncExitStack() as stack:
        starting: dict[str, list[asyncio.Future[ModelServer]]] = {name: [] for name in unique}
        for name, ours in profiles.items():
            weights = found[name].weights
            assert weights is not None, "resolution of a profile includes its weights"
            for share in shares.pop(ours.name, ()):
                engine = serve_model(
                    ours, hardware=hardware, weights=weights, share=share, key=key, say=say
                )
                starting[ours.name].append(await stack.enter_async_context(_run_engine(engine)))
        # Concurrently: each has its own GPUs, and an engine takes minutes to start.
        urls = {name: [(await one).served for one in some] for name, some in starting.items()}
        told = json.loads(before or "{}")
        told |= {name: _entry(urls[ours.name], key) for name, ours in profiles.items()}
        os.environ[ENDPOINTS_VARIABLE] = json.dumps(told)
        try:
            yield
        finally:
            _restore(before)


@asynccontextmanager
async def _run_engine(
    engine: AbstractAsyncContextManager[ModelServer],
) -> AsyncGenerator[asyncio.Future[ModelServer]]:
    """Run an engine in its own task while the block runs; yield a future of its server."""
    ready: asyncio.Future[ModelServer] = asyncio.get_running_loop().create_future()
    stop = asyncio.Event()

    async def hold() -> None:
        try:
            async with engine as server:
                ready.set_result(server)
                await stop.wait()
        except ServingError as error:
            if ready.done():
                raise
            ready.set_exception(error)

    async with asyncio.TaskGroup() as group:
        group.create_task(hold())
        try:
            yield ready
        finally:
            stop.set()
            if not ready.done():
                ready.cancel()


def _entry(servers: list[ServerInfo], key: str) -> dict[str, object]:
    first, *others = servers
    return {
        "url": first.url,
        "model": first.model,
        "key": key,
        "replicas": [one.url for one in others],
    }


def _restore(before: str | None) -> None:
    if before is None:
        os.environ.pop(ENDPOINTS_VARIABLE, None)
    else:
        os.environ[ENDPOINTS_VARIABLE] = before
