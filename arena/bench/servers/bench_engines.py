"""Real engine for one comparison, with a cache so small that matches compete for it."""

import asyncio
import os
from collections.abc import AsyncGenerator, Generator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

from arena.errors import ConfigError
from arena.models.http.address import EndpointAddress, parse_address
from serving.errors import ServingError
from serving.host.hardware import EngineBuild, Hardware
from serving.host.memory_plan import check_fit, plan_host
from serving.host.vllm_plugins import find_load_problem
from serving.model_files.dummy_weights import find_dummy_weights
from serving.model_files.profile import Profile, find_profile
from serving.model_files.weights import Weights, find_weights
from serving.process.model_server import serve_model
from serving.process.supervisor import LogLine
from serving.resolution.name_resolution import resolve_here
from serving.standin.standin_cache import standin_folder
from serving.yi_vl import ARCHITECTURE

BLOCK_TOKENS: Mapping[EngineBuild, int] = MappingProxyType({"cpu": 128, "cuda": 16})
"""Tokens of a block of vLLM's cache."""
_DEV_MODE_VARIABLE = "VLLM_SERVER_DEV_MODE"
"""Enables the engine's paths for emptying its caches."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StartedEngine:
    """An engine that was started for a benchmark."""

    address: EndpointAddress
    argv: tuple[str, ...]
    version: str
    seconds: float
    """From the start of its process until it answered."""
    remark: str = ""
    """Differences of a shape with random weights from the published one."""


@asynccontextmanager
async def serve_engine(
    name: str, hardware: Hardware, *, blocks: int | None, say: LogLine
) -> AsyncGenerator[EndpointAddress]:
    """Serve the model called `name` while the block runs, with `blocks` of KV cache.

    Yields its address. `blocks` None: as many as its memory allows. Raises `ServingError` if it
    does not start, `ConfigError` if it is served elsewhere.
    """
    found = resolve_here(name, hardware)
    if found.profile is None or found.weights is None or found.kind != "profile":
        raise ConfigError(f"{name!r} is not started here: {found.why}; measure it with --url")
    async with _serve(found.profile, found.weights, hardware, blocks=blocks, say=say) as started:
        yield started.address


@asynccontextmanager
async def serve_dummy_engine(
    name: str,
    hardware: Hardware,
    *,
    blocks: int | None = None,
    flags: Sequence[str] = (),
    say: LogLine,
) -> AsyncGenerator[StartedEngine]:
    """Serve the shape of the profile `name` with random weights while the block runs.

    A stand-in is served as it is. `flags` are added to the engine's. Raises `ServingError` if it
    does not start.
    """
    profile = find_profile(name)
    if profile.stand_in:
        weights, remark = find_weights(profile, None), ""
    else:
        weights, remark = await asyncio.to_thread(find_dummy_weights, name)
    profile = replace(profile, flags=(*profile.flags, *flags))
    async with _serve(profile, weights, hardware, blocks=blocks, say=say) as started:
        yield replace(started, remark=remark)


def find_fit_problem(name: str, hardware: Hardware) -> str:
    """Return why the profile `name` cannot be served on this host; empty: it can."""
    fitting = check_fit(find_profile(name), hardware)
    return "" if fitting.ok else fitting.why


async def find_yi_problem() -> str:
    """Return why vLLM does not support Yi-VL here after loading its plugins; empty: it does."""
    return await asyncio.to_thread(find_load_problem, ARCHITECTURE)


@asynccontextmanager
async def _serve(
    profile: Profile, weights: Weights, hardware: Hardware, *, blocks: int | None, say: LogLine
) -> AsyncGenerator[StartedEngine]:
    [share] = plan_host([profile], hardware)
    if blocks is not None:
        # One context may fill the cache, but an engine does not start with a longer context than
        # that.
        context = min(profile.serve_tokens, (blocks - 1) * BLOCK_TOKENS[share.where])
        cut = ("--num-gpu-blocks-override", str(blocks), "--max-model-len", str(context))
        profile = replace(profile, flags=(*profile.flags, *cut))
    with set_variable(_DEV_MODE_VARIABLE, "1"):
        async with serve_model(
            profile, hardware=hardware, weights=weights, share=share, say=say
        ) as server:
            served = server.served
            yield StartedEngine(
                address=parse_address(f"{served.url}#{served.model}", key=served.key),
                argv=served.argv,
                version=served.engine_version,
                seconds=served.start_seconds,
            )


@contextmanager
def set_variable(name: str, value: str) -> Generator[None]:
    """Set an environment variable of this process while the block runs."""
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before


def standin_tokenizer() -> Path | None:
    """Return the folder of the stand-in, whose tokenizer simulated servers can use.

    None if it cannot be created because the libraries of a model server are missing.
    """
    try:
        return standin_folder()
    except (ImportError, ServingError):
        return None
