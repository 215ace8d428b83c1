"""The benchmark as a whole: which trace, which server, all arms, and what they were played with."""

import asyncio
import os
import shlex
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, replace

from arena.bench.arms import chosen
from arena.bench.bounds import check_count
from arena.bench.compare import Compared, Plan, Say, compare
from arena.bench.engines import engine, pressing_blocks
from arena.bench.faults import one_fault
from arena.bench.http_wire import Place, open_http
from arena.bench.in_process import InProcess
from arena.bench.measure import parked_kib
from arena.bench.offers import staged
from arena.bench.report import Circumstances
from arena.bench.sources import QUICK, QUICK_KV_TOKENS, SERVED, SIMULATED, trace_from
from arena.bench.synthetic import synthetic_trace
from arena.bench.trace import Trace
from arena.errors import ConfigError
from arena.games.registry import DEFAULT, find_game
from arena.models.address import parse_address
from arena.run.provenance import provenance
from serving.endpoints import endpoint_of_url, endpoints_from
from serving.engine_sim.profile import EngineProfile, load_engine_profile
from serving.engine_sim.virtual import run_virtual
from serving.hardware import Engine, Hardware, detect

SIM = "sim"
ENGINES = (SIM, "cpu", "cuda")
_PROFILE = "h200-qwen2.5-vl-7b"
_LEAST_BLOCKS = 8
_MOST_REPEATS = 1000
_MODELS = {"cpu": "stand-in", "cuda": "qwen"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What the command line asks for."""

    quick: bool = False
    url: str = ""
    engine: str = ""
    """`sim`, `cpu` or `cuda`, perhaps with a profile as in `sim:h200-qwen2.5-vl-3b`."""
    trace: str = ""
    repeat: int = 5
    arms: tuple[str, ...] = ()
    seed: int = 0
    static: int | None = None
    """Live matches of `static_best`; None: the best of a sweep."""
    kv_blocks: int | None = None
    """Of an engine that is started; None: so few that matches compete for them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """A comparison that can be made: all of the user's words were understood."""

    plan: Plan
    url: str
    engine: str
    where: Engine
    kv_blocks: int | None
    profile: EngineProfile | None
    """Of the stand-in engine; None where a real server answers."""
    hardware: Hardware


def prepared(wanted: Wanted) -> Bench:
    """Return what is to be done, or raise `ConfigError` or `RecordError` for what is wrong."""
    _check(wanted)
    arms = chosen(wanted.arms)
    kind, _, name = (wanted.engine or SIM).partition(":")
    profile = None
    if not wanted.url and kind == SIM:
        profile = load_engine_profile(name or _PROFILE)
        if wanted.quick:
            profile = replace(profile, name=f"{profile.name} (cut)", kv_tokens=QUICK_KV_TOKENS)
    if wanted.url:
        endpoint_of_url(wanted.url)
        parse_address(wanted.url)
    return Bench(
        plan=Plan(
            trace=_trace(wanted, simulated=profile is not None),
            arms=arms,
            repeat=wanted.repeat,
            seed=wanted.seed,
            static=wanted.static,
        ),
        url=wanted.url,
        engine=name or _MODELS.get(kind, ""),
        where="cuda" if kind == "cuda" else "cpu",
        kv_blocks=wanted.kv_blocks,
        profile=profile,
        hardware=detect(),
    )


def compared(bench: Bench, say: Say) -> Compared:
    """Play all of it, in virtual time where the engine is the stand-in.

    Raises `ArenaError` or `ServingError` where the server fails.
    """
    with one_fault():
        if bench.profile is not None:
            return run_virtual(_simulated(bench.plan, bench.profile, say))
        return asyncio.run(_served(bench, say))


def circumstances(bench: Bench, words: Sequence[str]) -> Circumstances:
    """Return with what a comparison is made; `words` are those of the command line."""
    plan, about = bench.plan, provenance(bench.hardware, find_game(DEFAULT))
    stage = staged(plan.trace)
    return Circumstances(
        command=shlex.join(words),
        seed=plan.seed,
        repeat=plan.repeat,
        trace={
            "name": plan.trace.name,
            "matches": len(stage.offers),
            "turns": stage.turns,
            "scripts": len({offer.script for offer in stage.offers}),
            "pictures": len(plan.trace.pictures),
        },
        about=asdict(about),
        kib_per_parked_match=round(parked_kib(plan.trace), 3),
    )


def _check(wanted: Wanted) -> None:
    kind, colon, name = wanted.engine.partition(":")
    if wanted.engine and (kind not in ENGINES or (colon and not name)):
        raise ConfigError(
            f"an engine is one of {', '.join(ENGINES)}, perhaps as {SIM}:PROFILE; got "
            f"{wanted.engine!r}"
        )
    if wanted.url and wanted.engine:
        raise ConfigError("give --url or --engine: one server is measured")
    if wanted.quick and (wanted.url or wanted.trace or kind not in ("", SIM)):
        raise ConfigError(
            "--quick plays a trace of its own on the stand-in engine; leave out --url, --trace "
            "and other engines"
        )
    if wanted.kv_blocks is not None and (kind not in _MODELS or wanted.kv_blocks < _LEAST_BLOCKS):
        raise ConfigError(
            f"--kv-blocks cuts the cache of an engine that is started (--engine cpu or cuda) to "
            f"{_LEAST_BLOCKS} blocks or more, got {wanted.kv_blocks}"
        )
    if wanted.static is not None:
        check_count("live matches of static_best", wanted.static)
    check_count("repetitions", wanted.repeat, most=_MOST_REPEATS)


def _trace(wanted: Wanted, *, simulated: bool) -> Trace:
    if wanted.quick:
        return synthetic_trace(QUICK)
    if wanted.trace:
        return trace_from(wanted.trace)
    return synthetic_trace(SIMULATED if simulated else SERVED)


async def _simulated(plan: Plan, profile: EngineProfile, say: Say) -> Compared:
    return await compare(plan, InProcess(plan.trace, profile), say)


async def _served(bench: Bench, say: Say) -> Compared:
    async with _place(bench, say) as place, open_http(place, bench.plan.trace) as wire:
        return await compare(bench.plan, wire, say)


@asynccontextmanager
async def _place(bench: Bench, say: Say) -> AsyncGenerator[Place]:
    """Yield where the server is: it runs, or is started for as long as the block runs."""
    if bench.url:
        yield _known(bench.url)
        return
    blocks = bench.kv_blocks or pressing_blocks(staged(bench.plan.trace, exact=True), bench.where)
    async with engine(bench.engine, bench.hardware, blocks=blocks, say=say) as address:
        yield Place(address=address)


def _known(url: str) -> Place:
    """Return the place at `url`, with what ARENA_ENDPOINTS says of it."""
    bare = endpoint_of_url(url)
    for endpoint in endpoints_from(os.environ).values():
        if bare.url in endpoint.urls:
            address = parse_address(url, key=endpoint.key_of(bare.url))
            return Place(address=address, kv_tokens=endpoint.kv_tokens)
    return Place(address=parse_address(url, key=bare.key_of(bare.url)))


def arms_of(words: Sequence[str]) -> tuple[str, ...]:
    """Return the names in words such as `ours,sequential`."""
    return tuple(name.strip() for word in words for name in word.split(",") if name.strip())
