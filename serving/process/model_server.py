"""Provide a model server while a block runs: reuse a shared one, or start one."""

import asyncio
import os
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Final

import aiohttp

from serving.errors import EngineError
from serving.host.hardware import Hardware, HostShare
from serving.host.vllm_plugins import plugin_variables
from serving.hub.weights_download import fetch_weights
from serving.model_files.profile import Profile
from serving.model_files.weights import Weights
from serving.process.engine_args import engine_command
from serving.process.engine_log import new_log
from serving.process.engine_process import EngineTimeouts, LaunchSpec
from serving.process.health_check import identify
from serving.process.ports import hold_port
from serving.process.server_registry import (
    RunningServer,
    is_current,
    key_path,
    list_servers,
    read_key,
)
from serving.process.supervisor import (
    LogLine,
    ModelServer,
    ServerInfo,
    command_digest,
    run_in_background,
    run_supervised,
)
from serving.standin.standin_cache import standin_folder

_START_SECONDS: Final = 300.0
_SECONDS_PER_GIB: Final = 15.0
_FOLLOW_PAUSE: Final = 1.0


@asynccontextmanager
async def serve_model(  # noqa: PLR0913 - three have defaults; an object would only be unpacked here
    profile: Profile,
    *,
    hardware: Hardware,
    weights: Weights,
    share: HostShare,
    port: int | None = None,
    share_with_others: bool = False,
    key: str | None = None,
    say: LogLine = lambda line: None,
) -> AsyncGenerator[ModelServer, None]:
    """Serve `profile` on loopback while the block runs, or reuse a shared server.

    `port` None chooses a free port, `key` None a random key. With a `port`, a `key` or
    `share_with_others` a new server is started; other processes reuse only servers with
    `share_with_others`. A reused server can differ in environment variables and memory share.
    Raises `EngineError` if the server does not start.
    """
    async with AsyncExitStack() as stack:
        chosen = stack.enter_context(hold_port(port, profile.name))
        model = await _locate_model(profile, weights, say)
        command = engine_command(
            profile, hardware, port=chosen, model=model, share=share, dummy_weights=weights.dummy
        )
        order = LaunchSpec(
            profile=profile.name,
            model=profile.name,
            port=chosen,
            argv=command.argv,
            env=(*command.env, *plugin_variables(profile.plugin, os.environ)),
            log=new_log(profile.name, chosen),
            timeouts=EngineTimeouts(start=start_timeout(profile)),
            engine_version=hardware.engine_version,
            shared=share_with_others,
            **({} if key is None else {"key": key}),
        )
        server = None
        if not port and not share_with_others and key is None:
            server = await stack.enter_async_context(attach_shared(order, say))
        yield server or await stack.enter_async_context(run_supervised(order, say))


async def _locate_model(profile: Profile, weights: Weights, say: LogLine) -> str:
    """Return what the engine loads: a folder, or a hub id."""
    if profile.stand_in:
        say("building the untrained stand-in, if it does not exist yet")
        return str(await asyncio.to_thread(partial(standin_folder, name=profile.name)))
    if not weights.path:
        raise EngineError(f"there are no weights for {profile.name!r}: {weights.note}")
    if weights.local or (weights.dummy and not profile.plugin):
        return weights.path
    say(f"downloading {weights.path} from the hub, {profile.weights_gib.value:.0f} GiB")
    return str(await fetch_weights(profile, weights, say))


@asynccontextmanager
async def attach_shared(
    order: LaunchSpec, say: LogLine
) -> AsyncGenerator[ModelServer | None, None]:
    """Yield a shared server that was started with the same command, or None if none runs."""
    async with aiohttp.ClientSession() as http:
        entry = await find_shared_server(order, http)
        if entry is None:
            yield None
            return
        say(f"{entry.profile} is served at {entry.url} already; using that server")
        server = ModelServer(_server_info(entry, read_key(entry.port)), http)
        server.mark_up(server.served)
        async with run_in_background(_watch_owner(server, entry)):
            yield server


def start_timeout(profile: Profile) -> float:
    """Return the time limit of a start in seconds: more for large weights."""
    return _START_SECONDS + profile.weights_gib.value * _SECONDS_PER_GIB


async def _watch_owner(server: ModelServer, entry: RunningServer) -> None:
    """Watch a server of another process until that process stops it."""
    while True:
        await asyncio.sleep(_FOLLOW_PAUSE)
        if not is_current(entry):
            return server.mark_dead(f"the shared server at {entry.url} was stopped by its owner")


async def find_shared_server(
    order: LaunchSpec, http: aiohttp.ClientSession
) -> RunningServer | None:
    """Return the entry of a shared server, started with the same command, that answers now."""
    digest = command_digest(order)
    for entry in list_servers():
        same = entry.shared and entry.profile == order.profile and entry.command == digest
        if same and await _is_up(entry, http):
            return entry
    return None


async def _is_up(entry: RunningServer, http: aiohttp.ClientSession) -> bool:
    root, key = entry.url.removesuffix("/v1"), read_key(entry.port)
    return bool(key) and await identify(http, root, model=entry.model, key=key) == "ours"


def _server_info(entry: RunningServer, key: str) -> ServerInfo:
    return ServerInfo(
        url=entry.url,
        model=entry.model,
        profile=entry.profile,
        log=Path(entry.log),
        pid=entry.pid,
        start_seconds=entry.start_seconds,
        reused=True,
        argv=entry.argv,
        engine_version=entry.engine_version,
        key=key,
        key_file=key_path(entry.port),
    )
