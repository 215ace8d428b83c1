"""A server that only waits and takes notes, and small traces to play against it."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from arena.bench.arms import ARMS, Arm
from arena.bench.offers import staged
from arena.bench.replay import Replayed, Setting, replay
from arena.bench.synthetic import Shape, synthetic_trace
from arena.bench.trace import Trace
from arena.bench.wires import SERVER, Answer, Call, Counts, Facts
from arena.errors import EndpointUnavailableError
from arena.schedule.capacity import KvCapacity
from serving.engine_sim.prompt import Prompt, Segment
from serving.engine_sim.virtual import run_virtual

TINY = Shape(
    scripts=2,
    matches=6,
    seats=3,
    script_tokens=400,
    options="rounds=1",
    pictures=1,
    picture_tokens=50,
    output=20,
    rules_tokens=64,
    unasked=0,
    preset="wide",
)
"""Introductions, questions and votes are waves, so that turns wait for several others."""


@dataclass(slots=True)
class NotingWire:
    """Answers after a second; `calls` are those that came, each with when and until when."""

    tokens: int = 1 << 30
    fails_at: int = -1
    forgets: bool = False
    """Nothing is ever found in the cache."""
    calls: list[tuple[Call, float, float]] = field(default_factory=list[tuple[Call, float, float]])
    now: int = 0
    most: int = 0
    begun: int = 0

    @property
    def facts(self) -> Facts:
        """Return everything that a server can have."""
        return Facts(
            name="noting",
            engine="none",
            features=frozenset({"capacity", "token_in", "chat", "media_once", "priority"}),
            capacity=KvCapacity(endpoint=SERVER, tokens=self.tokens, block_size=16),
            virtual=True,
        )

    async def ask(self, call: Call) -> Answer:
        """Wait and answer."""
        at = len(self.calls)
        if at == self.fails_at:
            raise EndpointUnavailableError("the wire is cut")
        time = asyncio.get_running_loop().time
        self.calls.append((call, time(), 0.0))
        self.now += 1
        self.most = max(self.most, self.now)
        await asyncio.sleep(1.0)
        self.now -= 1
        self.calls[at] = (call, self.calls[at][1], time())
        prompt = sum(piece.tokens for piece in call.pieces)
        cached = 0 if self.forgets else prompt
        return Answer(prompt_tokens=prompt, output_tokens=call.output, cached_tokens=cached)

    async def begin(self) -> None:
        """Count how often caches were emptied."""
        self.begun += 1

    async def counts(self) -> Counts:
        """Tell nothing."""
        return Counts()

    async def sample(self) -> None:
        """See nothing."""

    def prompt(self, call: Call) -> Prompt:
        """Return the trace's own lengths."""
        return tuple(Segment(piece.key, piece.tokens) for piece in call.pieces)


def played(
    arm: Arm | str, wire: NotingWire, trace: Trace | None = None, setting: Setting | None = None
) -> Replayed:
    """Return a replay in virtual time."""
    stage = staged(trace or synthetic_trace(TINY))
    chosen = ARMS[arm] if isinstance(arm, str) else arm
    told: Callable[[], None] = lambda: None  # noqa: E731 - nobody listens

    async def play() -> Replayed:
        return await replay(stage, chosen, wire, setting or Setting(), ended=told)

    return run_virtual(play())
