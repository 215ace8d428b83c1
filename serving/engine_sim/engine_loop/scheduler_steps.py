"""Types of the scheduler: request states, steps and counters."""

from dataclasses import dataclass, field

from serving.engine_sim.caches.block_cache import BlockAllocation
from serving.engine_sim.caches.encoder_cache import PlacedPicture
from serving.engine_sim.cost_model.step_cost import StepWork


@dataclass(slots=True, kw_only=True, eq=False)
class RequestState:
    """A request in progress: `made` of `output` tokens exist, `computed` are in the cache."""

    number: int
    allocation: BlockAllocation
    prompt: int
    output: int
    priority: int = 0
    pictures: tuple[PlacedPicture, ...] = ()
    rank: tuple[int, int] = (0, 0)
    made: int = 0
    computed: int = 0
    cached: int = 0
    preempted: int = 0

    @property
    def token_count(self) -> int:
        """Return the tokens of the prompt and the reply so far."""
        return self.prompt + self.made

    def needs_blocks(self, tokens: int, block: int) -> bool:
        """Return whether `tokens` in total need a new block, or the publication of a full one."""
        lease = self.allocation
        return tokens > lease.held * block or tokens >= (lease.full + 1) * block


@dataclass(slots=True, kw_only=True)
class SchedulerStep:
    """One step: the tokens of each sequence, and what is left of the step's budgets in tokens.

    `pure`: it only decodes, and so do the following steps until a sequence ends or a request
    arrives. `preempted`: sequences released their blocks for it; another step can then follow even
    an empty one.
    """

    tokens_left: int
    pictures_left: int
    parts: dict[RequestState, int] = field(default_factory=dict[RequestState, int])
    work: StepWork = field(default_factory=StepWork)
    pure: bool = True
    preempted: bool = False


@dataclass(slots=True, kw_only=True)
class EngineCounters:
    """Totals of an engine since its creation, in tokens unless noted.

    `queries` and `hits` are of the prefix cache, for first admissions only (as vLLM counts);
    `computed` are the computed prompt tokens, including recomputed ones.
    """

    queries: int = 0
    hits: int = 0
    computed: int = 0
    outputs: int = 0
    preemptions: int = 0
    steps: int = 0
