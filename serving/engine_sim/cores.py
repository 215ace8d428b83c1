"""What stands behind the doors: the timed engine, or its prefix cache alone where time is nil."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from serving.engine_sim.alone import AloneCache
from serving.engine_sim.cache import BlockCache
from serving.engine_sim.engine import Done, Engine, Job
from serving.engine_sim.exposition import Histogram
from serving.engine_sim.profile import EngineProfile, Terms
from serving.engine_sim.prompt import Hashed
from serving.engine_sim.scheduler import Counters


@dataclass(frozen=True, slots=True, kw_only=True)
class Readings:
    """What a core tells for /metrics, by vLLM's names without prefix and ending."""

    gauges: Mapping[str, float]
    counters: Mapping[str, float]
    steps: Histogram
    """The tokens of its steps; their number and sum alone."""


class Core(Protocol):
    """An engine behind the doors."""

    async def generate(self, job: Job) -> Done:
        """Serve one request. Raises `EngineError` where it could never fit."""
        ...

    def reset_prefix(self) -> bool:
        """Empty the prefix cache; False, and nothing done, while requests hold blocks."""
        ...

    def reset_encoder(self) -> None:
        """Empty the encoder's cache."""
        ...

    def forget_pictures(self) -> None:
        """Empty the processor's cache: pictures must be processed again."""
        ...

    def readings(self) -> Readings:
        """Return what it tells of itself."""
        ...


def core_of(profile: EngineProfile) -> Core:
    """Return the core for a profile."""
    return Instant(profile) if profile.terms == Terms() else Timed(profile)


class Timed:
    """The engine that takes its time."""

    def __init__(self, profile: EngineProfile) -> None:
        self._cache = BlockCache(profile.blocks, profile.block)
        self._engine = Engine(profile, self._cache)

    async def generate(self, job: Job) -> Done:
        """Serve one request in its time."""
        return await self._engine.generate(job)

    def reset_prefix(self) -> bool:
        """Empty the prefix cache, unless requests hold blocks."""
        return self._cache.reset()

    def reset_encoder(self) -> None:
        """Empty the encoder's cache."""
        self._engine.scheduler.encoder.reset()

    def forget_pictures(self) -> None:
        """Empty the processor's cache."""
        self._engine.forget_pictures()

    def readings(self) -> Readings:
        """Return what it tells of itself."""
        engine = self._engine
        usage = 1 - self._cache.free / (self._cache.blocks - 1)
        return _readings(
            engine.counters, running=engine.running, waiting=engine.waiting, usage=usage
        )


class Instant:
    """An engine that needs no time: requests run one after the other, each for no time at all."""

    def __init__(self, profile: EngineProfile) -> None:
        self._block = profile.block
        self._cache = AloneCache(profile.blocks, profile.block)
        self._counters = Counters()

    async def generate(self, job: Job) -> Done:
        """Serve one request at once; its prompt must be `Hashed` and fit into the cache."""
        assert isinstance(job.prompt, Hashed)
        prompt, counters = job.prompt.tokens, self._counters
        # The last token of a reply is never computed.
        total = prompt + job.output - 1
        cached = self._block * self._cache.serve(job.prompt.blocks, prompt=prompt, total=total)
        counters.queries += prompt
        counters.hits += cached
        counters.computed += prompt - cached
        counters.outputs += job.output
        counters.steps += job.output
        return Done(
            prompt_tokens=prompt,
            cached_tokens=cached,
            output_tokens=job.output,
            queued=0.0,
            first=0.0,
            seconds=0.0,
        )

    def reset_prefix(self) -> bool:
        """Empty the prefix cache."""
        self._cache.reset()
        return True

    def reset_encoder(self) -> None:
        """Do nothing: what takes no time needs no cache."""

    def forget_pictures(self) -> None:
        """Do nothing: what takes no time needs no cache."""

    def readings(self) -> Readings:
        """Return what it tells of itself."""
        return _readings(self._counters, running=0, waiting=0, usage=0.0)


def _readings(counters: Counters, *, running: int, waiting: int, usage: float) -> Readings:
    steps = Histogram(())
    # The engine keeps no count of steps by tokens.
    steps.set(number=counters.steps, total=counters.computed + counters.outputs)
    return Readings(
        gauges={
            "num_requests_running": running,
            "num_requests_waiting": waiting,
            "kv_cache_usage_perc": usage,
        },
        counters={
            "prefix_cache_queries": counters.queries,
            "prefix_cache_hits": counters.hits,
            "num_preemptions": counters.preemptions,
        },
        steps=steps,
    )
