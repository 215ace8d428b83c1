"""Engine cores behind the HTTP API: the timed engine, or only its prefix cache."""

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
    """The metrics of a core for /metrics, by vLLM's names without prefix and suffix."""

    gauges: Mapping[str, float]
    counters: Mapping[str, float]
    steps: Histogram
    """Tokens per step; only the count and the sum are known."""


class EngineCore(Protocol):
    """An engine behind the HTTP API."""

    async def generate(self, job: EngineRequest) -> EngineResult:
        """Serve one request. Raises `EngineError` if it can never fit."""
        ...

    def reset_prefix(self) -> bool:
        """Empty the prefix cache; return False, and do nothing, while requests hold blocks."""
        ...

    def reset_encoder(self) -> None:
        """Empty the encoder's cache."""
        ...

    def reset_processor(self) -> None:
        """Empty the processor's cache: pictures must be processed again."""
        ...

    def read_metrics(self) -> EngineMetrics:
        """Return the engine's metrics."""
        ...


def create_core(profile: EngineProfile) -> EngineCore:
    """Return the core for a profile."""
    return InstantCore(profile) if profile.terms == CostTerms() else TimedCore(profile)


class TimedCore:
    """The engine whose requests take simulated time."""

    def __init__(self, profile: EngineProfile) -> None:
        self._cache = BlockCache(profile.blocks, profile.block)
        self._engine = SimEngine(profile, self._cache)

    async def generate(self, job: EngineRequest) -> EngineResult:
        """Serve one request; return after its simulated time."""
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
        """Return the engine's metrics."""
        engine = self._engine
        usage = 1 - self._cache.free / (self._cache.blocks - 1)
        return _build_metrics(
            engine.counters, running=engine.running, waiting=engine.waiting, usage=usage
        )


class InstantCore:
    """An engine whose requests take no time and run one after the other."""

    def __init__(self, profile: EngineProfile) -> None:
        self._cache = BlockCache(profile.blocks, profile.block)
        self._counters = EngineCounters()

    async def generate(self, job: EngineRequest) -> EngineResult:
        """Serve one request immediately; its prompt must be a fitting `HashedPrompt`."""
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
        """Do nothing: this core has no such cache."""

    def reset_processor(self) -> None:
        """Do nothing: this core has no such cache."""

    def read_metrics(self) -> EngineMetrics:
        """Return the engine's metrics."""
        return _build_metrics(self._counters, running=0, waiting=0, usage=0.0)


def _build_metrics(
    counters: EngineCounters, *, running: int, waiting: int, usage: float
) -> EngineMetrics:
    steps = Histogram(())
    # The engine does not count steps by their tokens.
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
