"""Engine cores behind the HTTP API: the timed engine, or only its prefix cache."""

from serving.engine_sim.caches.block_cache import BlockCache
from serving.engine_sim.caches.prompt_types import HashedPrompt
from serving.engine_sim.cost_model.engine_profile import CostTerms, EngineProfile
from serving.engine_sim.engine_loop.scheduler import EngineCounters
from serving.engine_sim.engine_loop.sim_engine import EngineRequest, EngineResult, SimEngine


class InstantCore:
    """An engine whose requests take no time and run one after the other."""

    running = 0
    waiting = 0
    usage = 0.0

    def __init__(self, profile: EngineProfile) -> None:
        self.counters = EngineCounters()
        self._cache = BlockCache(profile.blocks, profile.block)

    async def generate(self, job: EngineRequest) -> EngineResult:
        """Serve one request immediately; its prompt must be a fitting `HashedPrompt`."""
        assert isinstance(job.prompt, HashedPrompt)
        prompt, counters = job.prompt.tokens, self.counters
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


EngineCore = SimEngine | InstantCore


def create_core(profile: EngineProfile) -> EngineCore:
    """Return the core for a profile."""
    return InstantCore(profile) if profile.terms == CostTerms() else SimEngine(profile)
