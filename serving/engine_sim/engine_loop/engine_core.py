"""What stands behind the doors: the timed engine, or its prefix cache alone where time is nil."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from serving.engine_sim.api_server.prometheus_text import Histogram
from serving.engine_sim.caches.block_cache import BlockCache
from serving.engine_sim.caches.prompt_types import HashedPrompt
from serving.engine_sim.cost_model.engine_profile import CostTerms, EngineProfile
from serving.engine_sim.engine_loop.scheduler import EngineCounters
from serving.engine_sim.engine_loop.sim_engine import EngineRequest, EngineResult, SimEngine


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineMetrics:
    """What a core tells for /metrics, by vLLM's names without prefix and ending."""

    gauges: Mapping[str, float]
    counters: Mapping[str, float]
    steps: Histogram
    """The tokens of its steps; their number and sum alone."""


class EngineCore(Protocol):
    """An engine behind the doors."""

    async def generate(self, job: EngineRequest) -> EngineResult:
        """Serve one request. Raises `EngineError` where it could never fit."""
        ...

    def reset_prefix(self) -> bool:
        """Empty the prefix cache; False, and nothing done, while requests hold blocks."""
        ...

    def reset_encoder(self) -> None:
        """Empty the encoder's cache."""
        ...

    def reset_processor(self) -> None:
        """Empty the processor's cache: pictures must be processed again."""
        ...

    def read_metrics(self) -> EngineMetrics:
        """Return what it tells of itself."""
        ...


def create_core(profile: EngineProfile) -> EngineCore:
    """Return the core for a profile."""
    return InstantCore(profile) if profile.terms == CostTerms() else TimedCore(profile)


class TimedCore:
    """The engine that takes its time."""

    def __init__(self, profile: EngineProfile) -> None:
        self._cache = BlockCache(profile.blocks, profile.block)
        self._engine = SimEngine(profile, self._cache)

    async def generate(self, job: EngineRequest) -> EngineResult:
        """Serve one request in its time."""
        return await self._engine.generate(job)

    def reset_prefix(self) -> bool:
        """Empty the prefix cache, unless requests hold blocks."""
        return self._cache.reset()

    def reset_encoder(self) -> None:
        """Empty the encoder's cache."""
        self._engine.scheduler.encoder.reset()

    def reset_processor(self) -> None:
        """Empty the processor's cache."""
        self._engine.reset_processor()

    def read_metrics(self) -> EngineMetrics:
        """Return what it tells of itself."""
        engine = self._engine
        usage = 1 - self._cache.free / (self._cache.blocks - 1)
        return _build_metrics(
            engine.counters, running=engine.running, waiting=engine.waiting, usage=usage
        )


class InstantCore:
    """An engine that needs no time: requests run one after the other, each for no time at all."""

    def __init__(self, profile: EngineProfile) -> None:
        self._cache = BlockCache(profile.blocks, profile.block)
        self._counters = EngineCounters()

    async def generate(self, job: EngineRequest) -> EngineResult:
        """Serve one request at once; its prompt must be `HashedPrompt` and fit into the cache."""
        assert isinstance(job.prompt, HashedPrompt)
        prompt, counters = job.prompt.tokens, self._counters
        blocks = self._cache.open(job.prompt, "", job.output)
        found, _ = blocks.match_prefix(prompt)
        blocks.acquire()
        # The last token of a reply is never computed.
        fits = blocks.extend(prompt + job.output - 1)
        assert fits
        blocks.release()
        cached = found * self._cache.block
        counters.queries += prompt
        counters.hits += cached
        counters.computed += prompt - cached
        counters.outputs += job.output
        counters.steps += job.output
        return EngineResult(
            prompt_tokens=prompt,
            cached_tokens=cached,
            output_tokens=job.output,
            queued=0.0,
            first=0.0,
            seconds=0.0,
        )

    def reset_prefix(self) -> bool:
        """Empty the prefix cache."""
        return self._cache.reset()

    def reset_encoder(self) -> None:
        """Do nothing: what takes no time needs no cache."""

    def reset_processor(self) -> None:
        """Do nothing: what takes no time needs no cache."""

    def read_metrics(self) -> EngineMetrics:
        """Return what it tells of itself."""
        return _build_metrics(self._counters, running=0, waiting=0, usage=0.0)


def _build_metrics(
    counters: EngineCounters, *, running: int, waiting: int, usage: float
) -> EngineMetrics:
    steps = Histogram(())
    # The engine keeps no count of steps by tokens.
    steps.set(number=counters.steps, total=counters.computed + counters.outputs)
    return EngineMetrics(
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
