"""Open the models that a run's contestants name: resolve, start what is ours to start, probe."""

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from arena.errors import ConfigError, ModelError
from arena.models.address import Address, read_address
from arena.models.endpoint import Patience, Served, Supervisor, open_endpoint
from arena.models.retrying import Retrying, back_off
from arena.run.boards import Boards, Keep
from arena.run.config import Transport
from arena.run.known import Counts, known, means, profile_called, told
from arena.run.open_model import OpenModel, Replica, Returning
from arena.run.transport import Way, choose
from arena.schedule.forecast import Warm
from scripts_mm.script import Picture
from serving.errors import ServingError
from serving.fit import plan_host
from serving.hardware import Hardware, Share
from serving.profile import Profile, load_profiles
from serving.resolve import Resolution, resolve_here
from serving.server import Server, running

_TRIES = 4
_SMALL = 8192
"""Tokens of a context in which hardly a match fits as it is."""
_BLOCK = 16
"""Tokens of a cache block where the server does not tell: vLLM's on CUDA."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """What an endpoint must bear, and how long it may stay away."""

    requests: int
    """The most that are ever in flight to one endpoint."""
    patience: float
    """Seconds that a server that does not answer is waited for."""
    transport: Transport = "auto"


@dataclass(frozen=True, slots=True, kw_only=True)
class Album:
    """The pictures of a run."""

    read: Callable[[Picture], bytes]
    keep: Keep


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
    album: Album,
    say: Callable[[str], None],
) -> AsyncGenerator[Opened]:
    """Yield the models called `names`; engines that were started for them stop at the end.

    Raises `ServingError` or `ConfigError` where one cannot be had.
    """
    found = _resolve(list(dict.fromkeys(names)), hardware)
    for name, resolution in found.items():
        if resolution.endpoint is None or resolution.endpoint.name != name:
            say(f"{name}: {resolution.why}")
    async with AsyncExitStack() as stack:
        servers = await _start(found, hardware, stack, say)
        models: dict[str, OpenModel] = {}
        about: dict[str, Mapping[str, object]] = {}
        boards = Boards(album.read, album.keep)
        there: dict[Address, _Server] = {}
        for name, resolution in found.items():
            ours = _to_serve(resolution)
            server = servers[ours.name] if ours else None
            addresses = _addresses(resolution, server)
            for address in addresses:
                # Two names may stand for one server: what it holds is known once.
                if address not in there:
                    there[address] = await _replica(
                        address, resolution, server, load, album.read, stack
                    )
            served = [there[address] for address in addresses]
            models[name] = model = _model(resolution, served, boards)
            if unknown := _unknown(name, resolution, served[0].served):
                say(unknown)
            about[name] = {**_about(resolution, served, server), "means": told(model.means)}
        yield Opened(models=models, about=about)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Server:
    """One server of a model: what it said of itself, and how it is asked."""

    served: Served
    way: Way
    replica: Replica


async def _replica(
    address: Address,
    resolution: Resolution,
    server: Server | None,
    load: Load,
    read: Callable[[Picture], bytes],
    stack: AsyncExitStack,
) -> _Server:
    endpoint = await stack.enter_async_context(
        open_endpoint(
            address,
            concurrency=load.requests,
            patience=Patience(seconds=load.patience),
            supervisor=_supervisor(server),
        )
    )
    served = await endpoint.probe()
    weights = resolution.weights
    way = await choose(
        endpoint,
        read,
        wanted=load.transport,
        known=known(
            _profile(resolution, served),
            Path(weights.path) if weights and weights.path else None,
        ),
    )
    by_hand = resolution.endpoint.kv_tokens if resolution.endpoint else 0
    told, warm = served.kv, Warm()
    replica = Replica(
        url=endpoint.url,
        chat=Retrying(way.chat, tries=_TRIES, pause=back_off()),
        health=Returning(endpoint, warm),
        warm=warm,
        kv_tokens=by_hand or (told.usable if told else 0),
        block=told.block if told else _BLOCK,
    )
    return _Server(served=served, way=way, replica=replica)


def _model(resolution: Resolution, servers: Sequence[_Server], boards: Boards) -> OpenModel:
    """Return the model of these servers, or raise `ConfigError` where they serve several."""
    first = servers[0]
    if other := next((s for s in servers if s.served.model != first.served.model), None):
        raise ConfigError(
            f"replicas were to serve one model, but {first.replica.url} serves "
            f"{first.served.model!r} and {other.replica.url} {other.served.model!r}; "
            "mend ARENA_ENDPOINTS"
        )
    profile = _profile(resolution, first.served)
    exact = all(server.way.exact for server in servers)
    return OpenModel(
        replicas=tuple(server.replica for server in servers),
        served=first.served.model,
        means=means(
            profile,
            [server.served.context_tokens for server in servers],
            Counts(
                messages=first.way.count,
                exact=exact,
                words=first.way.words if exact else None,
            ),
            boards=boards,
        ),
        marks=(f"untrained {profile.name}",) if profile and profile.stand_in else (),
    )


def _profile(resolution: Resolution, served: Served) -> Profile | None:
    return resolution.profile or profile_called(served.model, served.root)


def _unknown(name: str, resolution: Resolution, served: Served) -> str:
    """Return the line that says that a model of a small context has no profile; empty: it has."""
    context = served.context_tokens
    if context is None or context > _SMALL or _profile(resolution, served):
        return ""
    return (
        f"{name}: no profile is known for {served.model!r}, whose context is only {context} "
        "tokens: it is shown pictures and ends replies as any model; if it is one of ours, serve "
        "it under the profile's name (vLLM: --served-model-name yi-vl-6b)"
    )


def _about(
    resolution: Resolution, servers: Sequence[_Server], server: Server | None
) -> Mapping[str, object]:
    first = servers[0]
    return {
        "why": resolution.why,
        "urls": [one.replica.url for one in servers],
        "served": first.served.model,
        "engine": first.served.engine,
        "context_tokens": first.served.context_tokens,
        "kv_tokens": [one.replica.kv_tokens or None for one in servers],
        "transport": first.way.name,
        "transport_why": first.way.why,
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


def _addresses(resolution: Resolution, server: Server | None) -> list[Address]:
    if server is not None:
        return [read_address(f"{server.served.url}#{server.served.model}")]
    endpoint = resolution.endpoint
    assert endpoint is not None, "what is no profile is an endpoint"
    model = f"#{endpoint.model}" if endpoint.model else ""
    return [read_address(f"{url}{model}", key=endpoint.key or None) for url in endpoint.urls]


def _supervisor(server: Server | None) -> Supervisor | None:
    if server is None:
        return None

    async def wait() -> None:
        try:
            await server.wait_until_up()
        except ServingError as error:
            raise ModelError(str(error)) from error

    return wait
