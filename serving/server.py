"""A model server for as long as a block runs: one that runs already, or one started for it."""

import asyncio
import os
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Final

import aiohttp

from serving.command import engine_command
from serving.engine import Order, Patience
from serving.enginelog import new_log
from serving.errors import EngineError
from serving.fetched import fetch_profile
from serving.hardware import Hardware, Share
from serving.plugins import plugin_variables
from serving.ports import held_port
from serving.probe import identify
from serving.profile import Profile
from serving.registry import Entry, entries, is_current, key_path, read_key
from serving.standin.cache import standin_folder
from serving.supervise import Say, Served, Server, beside, command_digest, supervised
from serving.weights import Weights

_START_SECONDS: Final = 300.0
_SECONDS_PER_GIB: Final = 15.0
_FOLLOW_PAUSE: Final = 1.0


@asynccontextmanager
async def running(  # noqa: PLR0913 - three have defaults; a bundle would only be unpacked again
    profile: Profile,
    *,
    hardware: Hardware,
    weights: Weights,
    share: Share,
    port: int | None = None,
    share_with_others: bool = False,
    key: str | None = None,
    say: Say = lambda line: None,
) -> AsyncGenerator[Server, None]:
    """Serve `profile` while the block runs, on loopback, or use a shared server that does already.

    A free port is chosen where none is named, and a key where none is given; with a key the server
    is a new one. So it is with `share_with_others`, the only kind that is ever used by others; the
    variables of an engine and its part of the memory do not count as a difference. Raises
    `EngineError` where it does not come up.
    """
    async with AsyncExitStack() as stack:
        chosen = stack.enter_context(held_port(port, profile.name))
        model = await _model(profile, weights, say)
        command = engine_command(
            profile, hardware, port=chosen, model=model, share=share, dummy_weights=weights.dummy
        )
        order = Order(
            profile=profile.name,
            model=profile.name,
            port=chosen,
            argv=command.argv,
            env=(*command.env, *plugin_variables(profile.plugin, os.environ)),
            log=new_log(profile.name, chosen),
            patience=Patience(start=start_limit(profile)),
            engine_version=hardware.engine_version,
            shared=share_with_others,
            **({} if key is None else {"key": key}),
        )
        server = None
        if not port and not share_with_others and key is None:
            server = await stack.enter_async_context(reusing(order, say))
        yield server or await stack.enter_async_context(supervised(order, say))


async def _model(profile: Profile, weights: Weights, say: Say) -> str:
    """Return what the engine is to load: a folder, or a hub id."""
    if profile.stand_in:
        say("making the untrained stand-in, where it is not there yet")
        return str(await asyncio.to_thread(partial(standin_folder, name=profile.name)))
    if not weights.path:
        raise EngineError(f"there are no weights for {profile.name!r}: {weights.note}")
    if weights.local or (weights.dummy and not profile.plugin):
        return weights.path
    say(f"fetching {weights.path} from the hub, {profile.weights_gib.value:.0f} GiB")
    return str(await fetch_profile(profile, weights, say))


@asynccontextmanager
async def reusing(order: Order, say: Say) -> AsyncGenerator[Server | None, None]:
    """Give a shared server that was started with the same command, or None where none runs."""
    async with aiohttp.ClientSession() as http:
        entry = await find_shared(order, http)
        if entry is None:
            yield None
            return
        say(f"{entry.profile} is served at {entry.url} already; it is used, and left running")
        server = Server(_as_served(entry, read_key(entry.port)), http)
        server.came_up(server.served)
        async with beside(_follow(server, entry)):
            yield server


def start_limit(profile: Profile) -> float:
    """Return the seconds that a start may take: more for large weights."""
    return _START_SECONDS + profile.weights_gib.value * _SECONDS_PER_GIB


async def _follow(server: Server, entry: Entry) -> None:
    """Watch a server of another process until that process gives it up."""
    while True:
        await asyncio.sleep(_FOLLOW_PAUSE)
        if not is_current(entry):
            return server.died(f"the shared server at {entry.url} was stopped by its owner")


async def find_shared(order: Order, http: aiohttp.ClientSession) -> Entry | None:
    """Return the entry of a shared server, started with the same command, that answers now."""
    digest = command_digest(order)
    for entry in entries():
        same = entry.shared and entry.profile == order.profile and entry.command == digest
        if same and await _is_up(entry, http):
            return entry
    return None


async def _is_up(entry: Entry, http: aiohttp.ClientSession) -> bool:
    root, key = entry.url.removesuffix("/v1"), read_key(entry.port)
    return bool(key) and await identify(http, root, model=entry.model, key=key) == "ours"


def _as_served(entry: Entry, key: str) -> Served:
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
        key=key,
        key_file=key_path(entry.port),
    )
