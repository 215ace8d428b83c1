"""Embedders of a run: opened once per process and checked before anything starts."""

import asyncio
import os
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType

from arena.errors import ConfigError, ModelError, RecordError
from arena.memory.embedding import Embedder
from arena.memory.endpoint_embedder import EndpointEmbedder
from arena.memory.ngram_embedder import DIMENSIONS, NGRAMS
from arena.memory.search_log import RecordedSearches
from arena.memory.sentence_transformer import load_sentence_transformer
from arena.models.http.address import parse_address
from arena.models.http.endpoint import open_endpoint
from arena.players.contestants import Contestant
from arena.players.model_limits import ModelLimits
from arena.players.prompting import NGRAMS_OPTION
from arena.players.roster import prompting_options
from arena.records.run_manifest import EmbedderRecord
from arena.run.match.call_stack import MatchCalls
from serving.resolution.endpoints import NamedEndpoint, load_endpoints, parse_endpoint_url

_SCHEMES = ("http://", "https://")


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedderPool:
    """Opened embedders by the value of the option `embedding`."""

    opened: Mapping[str, Embedder] = field(default_factory=lambda: MappingProxyType({}))
    records: Mapping[str, EmbedderRecord] = field(default_factory=lambda: MappingProxyType({}))
    """For run.json."""


def embeddings_of(contestants: Sequence[Contestant]) -> tuple[str, ...]:
    """Return the embedders that the contestants' options name, each once."""
    options = [prompting_options(who) for who in contestants]
    return tuple(dict.fromkeys(one.embedding for one in options if one is not None))


async def open_embedders(
    names: Sequence[str], *, stack: AsyncExitStack, max_requests: int
) -> EmbedderPool:
    """Open the embedders that options name; `stack` closes them.

    Raises `ConfigError` or `ServingError` if one is unknown, dead or serves no embeddings.
    """
    opened: dict[str, Embedder] = {}
    records: dict[str, EmbedderRecord] = {}
    embedder: Embedder
    for name in names:
        if name == NGRAMS_OPTION:
            embedder = NGRAMS
            record = EmbedderRecord(model=NGRAMS.name, dimensions=DIMENSIONS)
        elif (endpoint := _find_endpoint(name)) is not None:
            embedder, record = await _open(endpoint, stack, max_requests)
        else:
            embedder, record = await _load(_folder(name))
        opened[name], records[name] = embedder, record
    return EmbedderPool(opened=opened, records=records)


def bind_memory(
    limits: ModelLimits, who: Contestant, embedders: Mapping[str, Embedder], calls: MatchCalls
) -> ModelLimits:
    """Return `limits` with the embedder of `who`; its searches are recorded in the match."""
    options = prompting_options(who)
    embedder = embedders.get(options.embedding, NGRAMS) if options is not None else NGRAMS
    searches = RecordedSearches(calls.recorded, save=calls.save, model=embedder.name)
    return replace(limits, embedder=embedder, searches=searches)


def check_same_embedders(before: Mapping[str, EmbedderRecord], pool: EmbedderPool) -> None:
    """Raise `RecordError` if a resumed run would search with other vectors than before."""
    for name, now in pool.records.items():
        then = before.get(name, now)
        if (then.model, then.dimensions) != (now.model, now.dimensions):
            raise RecordError(
                f"this run was played with embedding={name} as {then.model!r} of "
                f"{then.dimensions} dimensions, but now it is {now.model!r} of {now.dimensions}; "
                "serve the same or start a new run"
            )


def _find_endpoint(name: str) -> NamedEndpoint | None:
    known = load_endpoints(os.environ)
    if not name.startswith(_SCHEMES):
        return known.get(name)
    endpoint = parse_endpoint_url(name)
    keys = [one.key for one in known.values() if one.url == endpoint.url and one.key]
    return replace(endpoint, key=keys[0]) if keys else endpoint


def _folder(name: str) -> Path:
    folder = Path(name).expanduser()
    if os.sep in name or folder.is_dir():
        return folder
    raise ConfigError(
        f"no embedding {name!r}: write {NGRAMS_OPTION}, a server's URL with #model, a name in "
        "ARENA_ENDPOINTS, or the folder of a sentence-transformers model"
    )


async def _load(folder: Path) -> tuple[Embedder, EmbedderRecord]:
    embedder = await asyncio.to_thread(load_sentence_transformer, folder)
    try:
        vectors = await embedder.embed(("one",))
    except ModelError as error:
        raise ConfigError(f"{error}; choose another folder") from error
    return embedder, EmbedderRecord(model=embedder.name, dimensions=vectors.shape[1])


async def _open(
    endpoint: NamedEndpoint, stack: AsyncExitStack, max_requests: int
) -> tuple[EndpointEmbedder, EmbedderRecord]:
    model = f"#{endpoint.model}" if endpoint.model else ""
    key, name = endpoint.key_of(endpoint.url), endpoint.variable_name
    address = parse_address(f"{endpoint.url}{model}", key=key, endpoint=name)
    client = await stack.enter_async_context(open_endpoint(address, max_requests=max_requests))
    embedder = EndpointEmbedder(client)
    await embedder.probe()
    details = {
        "url": client.url,
        "engine": client.probe_result.engine,
        "root": client.probe_result.root,
    }
    return embedder, EmbedderRecord(
        model=embedder.name, dimensions=embedder.dimensions or 0, details=details
    )
