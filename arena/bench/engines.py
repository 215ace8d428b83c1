"""A real engine for one comparison, its cache cut so small that matches compete for it."""

import os
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from arena.errors import ConfigError
from arena.models.address import EndpointAddress, parse_address
from serving.errors import ServingError
from serving.fit import plan_host
from serving.hardware import Engine, Hardware
from serving.resolve import resolve_here
from serving.server import running
from serving.standin.cache import standin_folder
from serving.supervise import Say

_BLOCK: Mapping[Engine, int] = MappingProxyType({"cpu": 128, "cuda": 16})
"""Tokens of a block of vLLM's cache."""
_RESETS = "VLLM_SERVER_DEV_MODE"
"""Gives the engine the paths by which its caches are emptied."""


@asynccontextmanager
async def engine(
    name: str, hardware: Hardware, *, blocks: int | None, say: Say
) -> AsyncGenerator[EndpointAddress]:
    """Serve the model called `name` while the block runs, with `blocks` of KV cache.

    Yields its address. `blocks` None: as many as it has memory for. Raises `ServingError` where it
    does not come up, `ConfigError` where it is served elsewhere.
    """
    found = resolve_here(name, hardware)
    if found.profile is None or found.weights is None or found.kind != "profile":
        raise ConfigError(f"{name!r} is not started here: {found.why}; measure it with --url")
    [share] = plan_host([found.profile], hardware)
    profile = found.profile
    if blocks is not None:
        # One context may fill the cache, but no engine starts that promises more than that.
        context = min(profile.serve_tokens, (blocks - 1) * _BLOCK[share.where])
        cut = ("--num-gpu-blocks-override", str(blocks), "--max-model-len", str(context))
        profile = replace(profile, flags=(*profile.flags, *cut))
    before = os.environ.get(_RESETS)
    os.environ[_RESETS] = "1"
    try:
        async with running(
            profile, hardware=hardware, weights=found.weights, share=share, say=say
        ) as server:
            served = server.served
            yield parse_address(f"{served.url}#{served.model}", key=served.key)
    finally:
        if before is None:
            del os.environ[_RESETS]
        else:
            os.environ[_RESETS] = before


def standin_tokenizer() -> Path | None:
    """Return the folder of the stand-in, whose tokenizer simulated servers can use.

    None where it cannot be made, for want of the libraries of a model server.
    """
    try:
        return standin_folder()
    except (ImportError, ServingError):
        return None
