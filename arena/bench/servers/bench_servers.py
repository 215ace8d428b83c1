"""Arms over HTTP: on running servers, or on servers started for one comparison."""

import asyncio
import json
import os
import time
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import AbstractContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from typing import Final

from arena.bench.arm_comparison import ArmFigures, compute_figures
from arena.bench.arms import Arm
from arena.bench.loop_lag import measure_loop_lag
from arena.bench.servers.bench_engines import serve_engine, set_variable, standin_tokenizer
from arena.bench.servers.cache_reset import reset_cache
from arena.bench.simulation.virtual_run import VirtualRun
from arena.bench.workload import Workload, play_workload
from arena.errors import ConfigError
from arena.models.chat import Request
from arena.models.http.address import EndpointAddress, parse_address
from arena.models.http.endpoint import open_endpoint
from arena.models.http.server_metrics import parse_counters
from arena.records.run_config import Transport
from arena.run.observer import BaseObserver
from arena.run.process_limits import process_limits
from arena.run.servers.model_handle import Replica
from arena.run.servers.model_pool import ClientLimits, ModelPool, PictureStore, open_model_pool
from serving.engine_sim.sim_server import run_simulator_process
from serving.host.hardware import Hardware
from serving.resolution.endpoints import (
    ENDPOINTS_VARIABLE,
    NamedEndpoint,
    load_endpoints,
    parse_endpoint_url,
)

SERVED_MODEL: Final = "server"
"""Name of the model of a comparison in contestants."""
_RECOVERY_SECONDS: Final = 60.0
LogLine = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchServers:
    """Servers of one model, for plays that each begin with empty caches. Made by `open_servers`."""

    endpoint: NamedEndpoint
    hardware: Hardware
    pictures: PictureStore
    details: Mapping[str, object]
    """Details as in the record of a run."""
    has_reset: bool
    """Whether the prefix caches can be emptied; otherwise each play has its own salt."""

    def find_missing_feature(self, arm: Arm) -> str:
        """Return why `arm` cannot be played here; empty: it can."""
        kv = self.details["kv_tokens"]
        if arm.policy.limit_kv and not (isinstance(kv, list) and all(kv)):  # pyright: ignore[reportUnknownArgumentType]
            return "the server does not report its KV capacity; name it in ARENA_ENDPOINTS"
        if arm.transport == "chat" and self.details["transport"] == "chat":
            return f"requests are not sent as token ids: {self.details['transport_why']}"
        return ""

    async def play(
        self, load: Workload, arm: Arm, observer: BaseObserver | None = None
    ) -> ArmFigures:
        """Play `load` in `arm`, notifying `observer`."""
        await reset_caches(self.endpoint)
        salt = "" if self.has_reset else f"{arm.name}-{load.config.seed}-{os.getpid()}"
        async with _open_pool(self, load, arm.transport) as pool, measure_loop_lag() as lags:
            replicas = pool.models[SERVED_MODEL].replicas
            before = await _count_preemptions(replicas)
            client = replace(arm.client, salt=salt)
            played = await play_workload(load, pool.models, arm.policy, client, observer)
            after = await _count_preemptions(replicas)
        preemptions = None if before is None or after is None else after - before
        return compute_figures(replace(played, preemptions=preemptions), lags=sorted(lags))

    async def send_all(self, load: Workload, requests: Sequence[Request]) -> float:
        """Send all `requests` of a play of `load` together, on empty caches; return the seconds.

        They do not wait for each other: earlier ones have the higher priority. Replies are drawn
        again, with at most `max_tokens`.
        """
        await reset_caches(self.endpoint)
        async with _open_pool(self, load) as pool:
            replicas = pool.models[SERVED_MODEL].replicas
            began = time.monotonic()
            async with asyncio.TaskGroup() as group:
                for place, request in enumerate(requests):
                    chat = replicas[place % len(replicas)].chat
                    group.create_task(chat.complete(replace(request, priority=place)))
            return time.monotonic() - began


@asynccontextmanager
async def open_servers(
    endpoint: NamedEndpoint, load: Workload, hardware: Hardware, pictures: PictureStore
) -> AsyncGenerator[BenchServers]:
    """Yield the servers at `endpoint` after probing them.

    Raises `ConfigError` or `ServingError` if no model server answers there.
    """
    with _register_endpoint(endpoint):
        found = BenchServers(
            endpoint=endpoint, hardware=hardware, pictures=pictures, details={}, has_reset=False
        )
        async with _open_pool(found, load) as pool:
            details = pool.servers[SERVED_MODEL].details
        yield replace(found, details=details, has_reset=await reset_caches(endpoint))


def find_servers(url: str) -> NamedEndpoint:
    """Return the servers at `url`: one, several separated by commas, or a known name.

    Raises `ServingError` or `ConfigError` for an invalid URL.
    """
    known = load_endpoints(os.environ)
    if url in known:
        return known[url]
    first, *others = [parse_endpoint_url(one.strip()) for one in url.split(",")]
    parse_address(url.split(",", maxsplit=1)[0].strip())
    if any(one.model != first.model for one in others):
        raise ConfigError(f"replicas serve one model; {url!r} names several after #")
    same = next((one for one in known.values() if first.url in one.urls), first)
    return replace(
        first, key=same.key, kv_tokens=same.kv_tokens, replicas=tuple(one.url for one in others)
    )


@asynccontextmanager
async def start_servers(
    kind: str, name: str, run: VirtualRun, *, blocks: int | None, hardware: Hardware, say: LogLine
) -> AsyncGenerator[NamedEndpoint]:
    """Start the engine `kind`: `sim` as `run` describes it, else the model called `name`.

    `blocks`: of the KV cache of a real engine; None: as many as its memory allows. Raises
    `ServingError` if it does not start.
    """
    async with AsyncExitStack() as stack:
        if kind != "sim":
            address = await stack.enter_async_context(
                serve_engine(name, hardware, blocks=blocks, say=say)
            )
            yield name_endpoint(address)
            return
        profile = run.profile
        words = ["--kv-tokens", profile.kv_tokens, "--reply-tokens", run.style.tokens]
        tokenizer = standin_tokenizer()
        words += ["--tokenizer", tokenizer] if tokenizer else []
        urls = [
            await stack.enter_async_context(
                run_simulator_process(profile.name, list(map(str, words)))
            )
            for _ in range(run.replicas)
        ]
        yield NamedEndpoint(name=SERVED_MODEL, url=urls[0], replicas=tuple(urls[1:]))


def _register_endpoint(endpoint: NamedEndpoint) -> AbstractContextManager[None]:
    """Let the model pool find `endpoint` under the name `SERVED_MODEL` while the block runs."""
    entry = {"url": endpoint.url, "replicas": endpoint.replicas, "model": endpoint.model}
    entry |= {"key": endpoint.key, "kv_tokens": endpoint.kv_tokens}
    return set_variable(ENDPOINTS_VARIABLE, json.dumps({SERVED_MODEL: entry}))


def name_endpoint(address: EndpointAddress) -> NamedEndpoint:
    """Return the endpoint at `address`, under the name of a comparison's model."""
    return NamedEndpoint(
        name=SERVED_MODEL, url=address.url, model=address.model or "", key=address.key or ""
    )


@asynccontextmanager
async def _open_pool(
    served: BenchServers, load: Workload, transport: Transport = "auto"
) -> AsyncGenerator[ModelPool]:
    seats = max(len(script.roles) for script in load.scripts.values())
    limits = process_limits(load.config.matches * len(load.scripts), seats, None)
    async with open_model_pool(
        [SERVED_MODEL],
        served.hardware,
        client=ClientLimits(
            max_requests=limits.requests,
            recovery_seconds=_RECOVERY_SECONDS,
            transport=transport,
        ),
        pictures=served.pictures,
        log=lambda _: None,
    ) as pool:
        yield pool


async def reset_caches(endpoint: NamedEndpoint) -> bool:
    """Empty the caches of all servers that allow it; return whether all do."""
    done: list[bool] = []
    for url in endpoint.urls:
        address = parse_address(f"{url}#{endpoint.model}", key=endpoint.key_of(url))
        async with open_endpoint(address, max_requests=1) as server:
            done.append(await reset_cache(server))
    return all(done)


async def _count_preemptions(replicas: tuple[Replica, ...]) -> int | None:
    texts = [await one.read_metrics() for one in replicas]
    return sum(parse_counters(one).preemptions for one in texts if one) if all(texts) else None
