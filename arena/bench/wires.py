"""What a replay talks to: a server, or the stand-in engine in the same process."""

from dataclasses import dataclass
from typing import Literal, Protocol

from arena.bench.trace import Piece
from arena.schedule.capacity import KvCapacity
from serving.engine_sim.prompt import Prompt

Feature = Literal["capacity", "token_in", "chat", "media_once", "priority", "pictures"]
"""What an arm may need: of the server, or (`pictures`) of the trace."""
SERVER = "server"
"""Name of the only endpoint in the admission controller."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What is known of the server and of how it is spoken to."""

    name: str
    """Of the model or profile."""
    engine: str
    features: frozenset[Feature]
    capacity: KvCapacity | None = None
    """None where the server does not tell."""
    virtual: bool = False
    """Time is simulated: nothing can be said of the event loop."""
    salted: bool = False
    """The caches cannot be emptied: every repetition is played under a salt of its own."""
    exact: bool = True
    """The lengths of prompts are the server's own."""
    about: tuple[tuple[str, object], ...] = ()
    """Whatever else a report should say: name, value."""
    remarks: tuple[str, ...] = ()
    """Sentences that a reader of the figures must know."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One turn as it goes out."""

    match: str
    seat: str
    number: int
    pieces: tuple[Piece, ...]
    """The whole prompt, replies to earlier turns among them."""
    output: int
    """Tokens to generate: exactly so many."""
    reply: str
    """The key under which the reply stands in later prompts."""
    priority: int = 0
    token_in: bool = True
    media_once: bool = True
    taped: bool = False
    """The replies in the prompt are those of an earlier replay, and this one is not kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came back."""

    prompt_tokens: int
    output_tokens: int
    cached_tokens: int | None
    """None where the server does not tell."""
    retries: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """What the server counted since its caches were emptied, as far as it tells."""

    queries: int | None = None
    """Prompt tokens looked up in the prefix cache."""
    hits: int | None = None
    """Those found."""
    preemptions: int | None = None
    batch_mean: float | None = None
    """Requests that ran together, on average."""
    batch_most: int | None = None
    lengths_off: int | None = None
    """Prompts whose length the server reported otherwise than it was computed."""


class Wire(Protocol):
    """A server that answers calls."""

    @property
    def facts(self) -> Facts:
        """What is known of it."""
        ...

    async def ask(self, call: Call) -> Answer:
        """Return the answer to one turn, or raise `ModelError`."""
        ...

    async def begin(self) -> None:
        """Empty the caches as far as the server lets us, and count from here."""
        ...

    async def counts(self) -> Counts:
        """Return what the server counted since `begin`."""
        ...

    async def sample(self) -> None:
        """Take a look at how many requests run now, where that is not counted anyway."""
        ...

    def prompt(self, call: Call) -> Prompt:
        """Return the prompt in segments of the lengths that the server will see."""
        ...
