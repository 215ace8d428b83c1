"""What the scheduler deals with: requests on their way, steps, and what came of them."""

from collections import Counter
from dataclasses import dataclass, field

from serving.engine_sim.caches.block_cache import BlockAllocation
from serving.engine_sim.caches.encoder_cache import PlacedPicture
from serving.engine_sim.cost_model.step_cost import StepWork


@dataclass(slots=True, kw_only=True, eq=False)
class RequestState:
    """One request on its way: `made` tokens of `output`, `computed` of its tokens in the cache."""

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
        """Return the tokens that there are: the prompt and the reply so far."""
        return self.prompt + self.made

    def needs_blocks(self, tokens: int, block: int) -> bool:
        """Tell whether its lease must grow for so many tokens, or publish a block."""
        lease = self.allocation
        return tokens > lease.held * block or tokens >= (lease.full + 1) * block


@dataclass(slots=True, kw_only=True)
class SchedulerStep:
    """One step: how many tokens of which sequence, `started` those that were waiting until now.

    `pure`: it only decodes, and so do the steps after it until one ends or another comes.
    `preempted`: one or more gave their blocks back for it; then even an empty step may be followed
    by another.
    """

    parts: dict[RequestState, int]
    work: StepWork
    started: list[RequestState]
    pure: bool = True
    preempted: bool = False


@dataclass(slots=True, kw_only=True)
class StepOutcome:
    """What came of a step: the sequences with their first token, and those that are whole."""

    first: list[RequestState] = field(default_factory=list[RequestState])
    ended: list[RequestState] = field(default_factory=list[RequestState])


@dataclass(slots=True, kw_only=True)
class EngineCounters:
    """What an engine has done since it was made: tokens, except where the name says otherwise.

    `queries` and `hits` are those of the prefix cache, of first admissions only (as vLLM counts);
    `computed` are prompt tokens really computed, recomputed ones among them; `busy` are seconds;
    `batches` counts steps by how many sequences ran.
    """

    queries: int = 0
    hits: int = 0
    computed: int = 0
    prompts: int = 0
    outputs: int = 0
    turns: int = 0
    preemptions: int = 0
    steps: int = 0
    busy: float = 0.0
    batches: Counter[int] = field(default_factory=Counter[int])
