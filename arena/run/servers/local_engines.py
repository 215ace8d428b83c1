"""Engines that a run starts on this host."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AsyncExitStack

from arena.errors import ModelError
from arena.models.http.endpoint import Supervisor
from arena.players.player_registry import players_without_model
from serving.errors import ServingError
from serving.host.hardware import Hardware, HostShare
from serving.host.memory_plan import plan_host
from serving.model_files.profile import Profile
from serving.process.model_server import ModelServer, serve_model
from serving.resolution.name_resolution import check_name
from serving.resolution.resolution_types import Resolution


def profile_to_serve(resolution: Resolution) -> Profile | None:
    """Return the profile to serve on this host; None: a server exists already."""
    return resolution.profile if resolution.kind == "profile" else None


def unknown_models(names: Iterable[str]) -> Iterator[str]:
    """Yield a line for each model name that this host does not know; another host may know it."""
    for name in dict.fromkeys(names):
        try:
            if "://" not in name:
                check_name(name, os.environ, players_without_model())
        except ServingError as error:
            # Without the list of all known names.
            yield str(error).partition(" there are ")[0].rstrip(";")


async def start_engines(
    found: Mapping[str, Resolution],
    hardware: Hardware,
    stack: AsyncExitStack,
    say: Callable[[str], None],
) -> Mapping[str, ModelServer]:
    """Start one engine per profile, sequentially: each measures the free memory at its start."""
    ours = {profile.name: r for r in found.values() if (profile := profile_to_serve(r))}
    profiles = [profile for r in ours.values() if (profile := profile_to_serve(r))]
    shares = plan_host(profiles, hardware) if profiles else ()
    servers: dict[str, ModelServer] = {}
    for profile, share in zip(profiles, shares, strict=True):
        servers[profile.name] = await _start_engine(
            profile, share, ours[profile.name], hardware, stack, say
        )
    return servers


async def _start_engine(
    profile: Profile,
    share: HostShare,
    resolution: Resolution,
    hardware: Hardware,
    stack: AsyncExitStack,
    say: Callable[[str], None],
) -> ModelServer:
    weights = resolution.weights
    assert weights is not None, "resolution of a profile includes its weights"
    server = await stack.enter_async_context(
        serve_model(profile, hardware=hardware, weights=weights, share=share, say=say)
    )
    if not server.served.reused:
        stack.callback(say, f"stopping {profile.name}")
    return server


def make_supervisor(server: ModelServer | None) -> Supervisor | None:
    """Return the supervisor of an engine that this run started; None: it started none."""
    if server is None:
        return None

    async def wait() -> None:
        try:
            await server.wait_until_up()
        except ServingError as error:
            raise ModelError(str(error)) from error

    return wait
