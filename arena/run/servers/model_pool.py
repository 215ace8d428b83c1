"""Model pool of a run: resolves the models that contestants name, starts engines, connects."""

from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

from arena.errors import ConfigError, ModelError
from arena.models.http.address import EndpointAddress, parse_address
from arena.models.http.endpoint import Endpoint, EndpointTimeouts, ServedModel, open_endpoint
from arena.models.http.server_identity import ServerIdentity, read_identity
from arena.players.player_registry import players_without_model
from arena.records.match_summary import BUNDLED
from arena.records.run_config import Transport
from arena.records.run_manifest import ServerRecord
from arena.run.match.call_stack import build_replica_model
from arena.run.servers.embedders import EmbedderPool, open_embedders
from arena.run.servers.endpoint_transport import EndpointTransport, choose_transport
from arena.run.servers.local_engines import make_supervisor, profile_to_serve, start_engines
from arena.run.servers.model_handle import ModelHandle, Replica
from arena.run.servers.picture_grids import GridComposer, SavePicture
from arena.run.servers.profile_limits import (
    TokenCounters,
    build_endpoint_hints,
    build_model_limits,
    describe_limits,
    find_profile_by_served_name,
)
from arena.run.servers.server_monitor import ReplyName, ServerMonitor
from arena.schedule.cache_prediction import WarmPrefixes
from scripts_mm.script import Picture
from serving.host.hardware import Hardware
from serving.model_files.profile import Profile
from serving.process.model_server import ModelServer
from serving.process.supervisor import run_in_background
from serving.resolution.name_resolution import resolve_all
from serving.resolution.resolution_types import Resolution

_SMALL_CONTEXT = 8192
"""Tokens of a context that is too small for most matches without context management."""
_DEFAULT_BLOCK = 16
"""Tokens of a cache block if the server does not report it: vLLM's default on CUDA."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientLimits:
    """Limits of the client of one endpoint."""

    max_requests: int
    """Maximum number of requests in flight to one endpoint."""
    recovery_seconds: float
    """Seconds to wait for a server that does not answer."""
    transport: Transport = "auto"


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureStore:
    """Functions that read and save the pictures of a run."""

    read: Callable[[Picture], bytes]
    save: SavePicture


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelPool:
    """Connected models of a run, by the names that contestants give."""

    models: Mapping[str, ModelHandle]
    servers: Mapping[str, ServerRecord]
    """For run.json: the served name, limits and details of each model."""
    embedders: EmbedderPool = field(default_factory=EmbedderPool)


@asynccontextmanager
async def open_model_pool(
    names: Sequence[str],
    hardware: Hardware,
    *,
    embeddings: Sequence[str] = (),
    client: ClientLimits,
    pictures: PictureStore,
    log: Callable[[str], None],
) -> AsyncGenerator[ModelPool]:
    """Connect the models called `names` and the `embeddings` that players search with.

    Engines that this call starts stop at the end.

    Raises `ServingError` or `ConfigError` if a model cannot be resolved, started or reached.
    """
    found = resolve_all(list(dict.fromkeys(names)), hardware, players_without_model())
    for name, resolution in found.items():
        if resolution.endpoint is None or resolution.endpoint.name != name:
            log(f"{name}: {resolution.why}")
    async with AsyncExitStack() as stack:
        # First, because a wrong embedder is found immediately and an engine takes minutes to start.
        embedders = await open_embedders(embeddings, stack=stack, max_requests=client.max_requests)
        servers = await start_engines(found, hardware, stack, log)
        models: dict[str, ModelHandle] = {}
        records: dict[str, ServerRecord] = {}
        grids = GridComposer(pictures.read, pictures.save)
        connecting = _Connecting(limits=client, read_picture=pictures.read, stack=stack, log=log)
        there: dict[EndpointAddress, _ConnectedServer] = {}
        for name, resolution in found.items():
            ours = profile_to_serve(resolution)
            server = servers[ours.name] if ours else None
            addresses = _addresses(resolution, server)
            for address in addresses:
                # Two names can resolve to one server, which has one connection and one model of its
                # cache.
                if address not in there:
                    there[address] = await _connect(address, resolution, server, connecting)
            served = [there[address] for address in addresses]
            models[name] = model = _make_handle(resolution, served, grids)
            if unknown := _small_context_warning(name, resolution, served[0].served_model):
                log(unknown)
            records[name] = ServerRecord(
                served=served[0].served_model.model,
                limits=describe_limits(model.limits),
                identities=tuple(asdict(one) for one in dict.fromkeys(s.identity for s in served)),
                details=_describe(resolution, served, server),
            )
        yield ModelPool(models=models, servers=records, embedders=embedders)


@dataclass(frozen=True, slots=True, kw_only=True)
class _ConnectedServer:
    """One server of a model: what it serves, and the transport to it."""

    served_model: ServedModel
    identity: ServerIdentity
    reply_name: ReplyName
    transport: EndpointTransport
    replica: Replica


@dataclass(frozen=True, slots=True, kw_only=True)
class _Connecting:
    """Shared values of a pool's connections; they close with `stack`."""

    limits: ClientLimits
    read_picture: Callable[[Picture], bytes]
    stack: AsyncExitStack
    log: Callable[[str], None]
    reply_names: dict[str, ReplyName] = field(default_factory=dict[str, ReplyName])
    """By the served name; replicas of one model share it."""


async def _connect(
    address: EndpointAddress,
    resolution: Resolution,
    server: ModelServer | None,
    connecting: _Connecting,
) -> _ConnectedServer:
    limits, stack = connecting.limits, connecting.stack
    endpoint = await stack.enter_async_context(
        open_endpoint(
            address,
            max_requests=limits.max_requests,
            timeouts=EndpointTimeouts(recovery_seconds=limits.recovery_seconds),
            supervisor=make_supervisor(server),
        )
    )
    served = await endpoint.probe()
    identity = await _identify(endpoint)
    weights = resolution.weights
    transport = await choose_transport(
        endpoint,
        requested=limits.transport,
        hints=build_endpoint_hints(
            _find_profile(resolution, served),
            Path(weights.path) if weights and weights.path else None,
        ),
    )
    configured = resolution.endpoint.kv_tokens if resolution.endpoint else 0
    kv, warm = served.kv, WarmPrefixes()
    reply_name = connecting.reply_names.setdefault(served.model, ReplyName())
    monitor = ServerMonitor(endpoint, identity, warm, reply_name=reply_name, log=connecting.log)
    await stack.enter_async_context(run_in_background(monitor.clock.run()))
    replica = Replica(
        url=endpoint.url,
        chat=build_replica_model(endpoint, monitor, transport, connecting.read_picture),
        health=monitor,
        warm=warm,
        kv_tokens=configured or (kv.usable if kv else 0),
        block_tokens=kv.block_tokens if kv else _DEFAULT_BLOCK,
        read_metrics=endpoint.metrics,
    )
    return _ConnectedServer(
        served_model=served,
        identity=identity,
        reply_name=reply_name,
        transport=transport,
        replica=replica,
    )


async def _identify(endpoint: Endpoint) -> ServerIdentity:
    try:
        return await read_identity(endpoint)
    except ModelError as error:
        raise ConfigError(f"{error}; fix the server or restart it") from error


def _make_handle(
    resolution: Resolution, servers: Sequence[_ConnectedServer], grids: GridComposer
) -> ModelHandle:
    """Build the handle of these replicas; `ConfigError` if they serve different models."""
    first = servers[0]
    if other := next(
        (s for s in servers if s.served_model.model != first.served_model.model), None
    ):
        raise ConfigError(
            f"replicas should serve one model, but {first.replica.url} serves "
            f"{first.served_model.model!r} and {other.replica.url} {other.served_model.model!r}; "
            "fix ARENA_ENDPOINTS"
        )
    templates = {server.identity.template: server.replica.url for server in servers}
    templates.pop("", None)
    if len(templates) > 1:
        one, other, *_ = templates.values()
        raise ConfigError(
            f"replicas should tokenise equally, but {one} and {other} differ in tokenizer or "
            "chat template; serve both with the same"
        )
    profile = _find_profile(resolution, first.served_model)
    exact = all(server.transport.exact for server in servers)
    return ModelHandle(
        replicas=tuple(server.replica for server in servers),
        served_name=first.served_model.model,
        limits=build_model_limits(
            profile,
            [server.served_model.context_tokens for server in servers],
            TokenCounters(
                messages=first.transport.count,
                exact=exact,
                text=first.transport.count_text if exact else None,
            ),
            grids=grids,
        ),
        reply_name=first.reply_name,
        flags=(
            *_substitute_flag(profile),
            *(("replicas differ",) if len({s.identity for s in servers}) > 1 else ()),
        ),
    )


def _substitute_flag(profile: Profile | None) -> Iterator[str]:
    """Yield the flag of every result of a stand-in or the mini model."""
    if profile and profile.is_substitute:
        yield f"{'untrained ' if profile.stand_in else BUNDLED}{profile.name}"


def _find_profile(resolution: Resolution, served: ServedModel) -> Profile | None:
    return resolution.profile or find_profile_by_served_name(served.model, served.root)


def _small_context_warning(name: str, resolution: Resolution, served: ServedModel) -> str:
    """Return a warning if a small context suggests a missing profile; else an empty text."""
    context = served.context_tokens
    if context is None or context > _SMALL_CONTEXT or _find_profile(resolution, served):
        return ""
    return (
        f"{name}: no profile is known for {served.model!r}, whose context is only {context} "
        "tokens; pictures and reply ends are handled as for any model. If it has a profile, serve "
        "it under the profile's name (vLLM: --served-model-name yi-vl-6b)"
    )


def _describe(
    resolution: Resolution, servers: Sequence[_ConnectedServer], server: ModelServer | None
) -> dict[str, object]:
    first = servers[0]
    return {
        "why": resolution.why,
        "urls": [one.replica.url for one in servers],
        "engine": first.served_model.engine,
        "context_tokens": first.served_model.context_tokens,
        "kv_tokens": [one.replica.kv_tokens or None for one in servers],
        "transport": first.transport.name,
        "transport_why": first.transport.reason,
        "argv": list(server.served.argv) if server else None,
        "start_seconds": server.served.start_seconds if server else None,
    }


def _addresses(resolution: Resolution, server: ModelServer | None) -> list[EndpointAddress]:
    if server is not None:
        served = server.served
        return [parse_address(f"{served.url}#{served.model}", key=served.key)]
    endpoint = resolution.endpoint
    assert endpoint is not None, "a resolution is a profile or an endpoint"
    model = f"#{endpoint.model}" if endpoint.model else ""
    name = endpoint.variable_name
    return [
        parse_address(f"{url}{model}", key=endpoint.key_of(url), endpoint=name)
        for url in endpoint.urls
    ]
