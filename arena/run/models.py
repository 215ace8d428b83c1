"""Open the models that a run's contestants name: resolve, start what is ours to start, probe."""

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from arena.errors import ModelError
from arena.models.address import Address, read_address
from arena.models.endpoint import Patience, Served, Supervisor, open_endpoint
from arena.models.openai_http import OpenAIChat
from arena.models.retrying import Retrying, back_off
from arena.run.one import OpenModel
from scripts_mm.script import Picture
from serving.errors import ServingError
from serving.fit import plan_host
from serving.hardware import Hardware, Share
from serving.profile import Profile, load_profiles
from serving.resolve import Resolution, resolve_here
from serving.server import Server, running

STAND_IN_MARK = "untrained stand-in"
_DEFAULT_REPLY_TOKENS = 1024
_TRIES = 4
_REPLY_SHARE = 4
"""A reply takes at most one part in so many of the context."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """What an endpoint must bear, and how long it may stay away."""

    requests: int
    """The most that are ever in flight to one endpoint."""
    patience: float
    """Seconds that a server that does not answer is waited for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """The models of a run, by the names that contestants give, and how each came to be there."""

    models: Mapping[str, OpenModel]
    about: Mapping[str, Mapping[str, object]]
    """For run.json: why it was chosen, its URL, engine, flags."""


@asynccontextmanager
async def open_models(
    names: Sequence[str],
    hardware: Hardware,
    *,
    load: Load,
    read: Callable[[Picture], bytes],
    say: Callable[[str], None],
) -> AsyncGenerator[Opened]:
    """Yield the models called `names`; engines that were started for them stop at the end.

    `read` gives a picture's bytes. Raises `ServingError` or `ConfigError` where one cannot be had.
    """
    found = _resolve(list(dict.fromkeys(names)), hardware)
    for name, resolution in found.items():
        if resolution.endpoint is None or resolution.endpoint.name != name:
            say(f"{name}: {resolution.why}")
    async with AsyncExitStack() as stack:
        servers = await _start(found, hardware, stack, say)
        models: dict[str, OpenModel] = {}
        about: dict[str, Mapping[str, object]] = {}
        for name, resolution in found.items():
            ours = _to_serve(resolution)
            server = servers[ours.name] if ours else None
            endpoint = await stack.enter_async_context(
                open_endpoint(
                    _address(resolution, server),
                    concurrency=load.requests,
                    patience=Patience(seconds=load.patience),
                    supervisor=_supervisor(server),
                )
            )
            served = await endpoint.probe()
            profile = resolution.profile or load_profiles().get(served.model)
            models[name] = OpenModel(
                chat=Retrying(OpenAIChat(endpoint, read), tries=_TRIES, pause=back_off()),
                health=endpoint,
                served=served.model,
                reply_tokens=_reply_tokens(profile, served.context_tokens),
                marks=(STAND_IN_MARK,) if profile and profile.stand_in else (),
            )
            about[name] = _about(resolution, endpoint.url, served, server)
        yield Opened(models=models, about=about)


def _about(
    resolution: Resolution, url: str, served: Served, server: Server | None
) -> Mapping[str, object]:
    return {
        "why": resolution.why,
        "url": url,
        "served": served.model,
        "engine": served.engine,
        "context_tokens": served.context_tokens,
        "argv": list(server.served.argv) if server else None,
        "start_seconds": server.served.start_seconds if server else None,
    }


def _to_serve(resolution: Resolution) -> Profile | None:
    """Return the profile that must be served here; None: a server is there already."""
    return resolution.profile if resolution.kind == "profile" else None


def _resolve(names: Sequence[str], hardware: Hardware) -> Mapping[str, Resolution]:
    """Resolve the names; two models that are to be served here get half of the host each."""
    found = {name: resolve_here(name, hardware) for name in names}
    if len({ours.name for r in found.values() if (ours := _to_serve(r))}) > 1:
        return {name: resolve_here(name, hardware, share=0.5) for name in names}
    return found


async def _start(
    found: Mapping[str, Resolution],
    hardware: Hardware,
    stack: AsyncExitStack,
    say: Callable[[str], None],
) -> Mapping[str, Server]:
    """Start one engine for each profile, one after the other: each measures what is left free."""
    ours = {profile.name: r for r in found.values() if (profile := _to_serve(r))}
    profiles = [load_profiles()[name] for name in ours]
    shares = plan_host(profiles, hardware) if profiles else ()
    servers: dict[str, Server] = {}
    for profile, share in zip(profiles, shares, strict=True):
        servers[profile.name] = await _engine(
            profile, share, ours[profile.name], hardware, stack, say
        )
    return servers


async def _engine(
    profile: Profile,
    share: Share,
    resolution: Resolution,
    hardware: Hardware,
    stack: AsyncExitStack,
    say: Callable[[str], None],
) -> Server:
    weights = resolution.weights
    assert weights is not None, "a profile is resolved with its weights"
    server = await stack.enter_async_context(
        running(profile, hardware=hardware, weights=weights, share=share, say=say)
    )
    if not server.served.reused:
        stack.callback(say, f"stopping {profile.name}")
    return server


def _address(resolution: Resolution, server: Server | None) -> Address:
    if server is not None:
        return read_address(f"{server.served.url}#{server.served.model}")
    endpoint = resolution.endpoint
    assert endpoint is not None, "what is no profile is an endpoint"
    return read_address(
        f"{endpoint.url}#{endpoint.model}" if endpoint.model else endpoint.url,
        key=endpoint.key or None,
    )


def _supervisor(server: Server | None) -> Supervisor | None:
    if server is None:
        return None

    async def wait() -> None:
        try:
            await server.wait_until_up()
        except ServingError as error:
            raise ModelError(str(error)) from error

    return wait


def _reply_tokens(profile: Profile | None, context: int | None) -> int:
    most = profile.reply_tokens if profile else _DEFAULT_REPLY_TOKENS
    return max(1, min(most, context // _REPLY_SHARE)) if context else most
