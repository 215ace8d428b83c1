"""What the arena needs of a model: messages in, one completion out."""

from dataclasses import dataclass, field
from typing import Literal, Protocol

from scripts_mm.script import Picture


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One turn of a conversation; its picture, if any, stands after the text."""

    role: Literal["system", "user", "assistant"]
    text: str
    picture: Picture | None = None
    ids: tuple[int, ...] = field(default=(), compare=False)
    """Of a reply: its tokens as the model returned them; empty where nobody knows them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OneOf:
    """The reply must be one of `options`, to the letter."""

    options: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One property of a reply that is a JSON object; all properties are strings."""

    name: str
    options: tuple[str, ...] = ()
    """Legal values; empty: free text."""
    max_chars: int = 0
    """Of free text; 0: no limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fields:
    """The reply must be a JSON object with exactly these properties, in this order."""

    fields: tuple[Field, ...]


Constraint = OneOf | Fields


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """Which call this is: the same label in the same match means the same call."""

    seat: str
    ask: str
    attempt: int = 1
    """1 for the first answer to the ask, 2 for the first corrected one."""
    part: Literal["thought", "answer", "reading", "summary"] = "answer"
    """`reading`: a picture is looked at for its note; `summary`: a text is made shorter. Both are
    asked for beside the game's asks and stand in no prompt log."""
    level: int = 0
    """How much was left out to fit the context; 0: nothing."""
    piece: str = ""
    """Of a reading which picture, of a summary which stretch of the text."""

    @property
    def aside(self) -> bool:
        """Whether the call was made beside the game's asks and stands in no prompt log."""
        return self.part in {"reading", "summary"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One call of a model."""

    label: Label
    messages: tuple[Message, ...]
    max_tokens: int
    temperature: float
    constraint: Constraint | None = None
    priority: int = 0
    """Lower is served earlier, where the server knows priorities."""
    exact: bool = False
    """Generate exactly `max_tokens` tokens, whatever the model would: for benchmarks."""
    salt: str = ""
    """Prompts of different salts share nothing in the server's prefix cache."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """What a model answered, and what it cost."""

    text: str
    finish: str
    """`stop`, `length` or what else the server says."""
    prompt_tokens: int
    output_tokens: int
    cached_tokens: int | None
    """None where the server does not tell."""
    seconds: float
    """From the first byte sent to the whole answer, retries included."""
    retries: int = 0
    model: str = ""
    """The name under which the server serves the model."""
    ids: tuple[int, ...] = ()
    """The reply's tokens as returned, an end token included; empty where the server hides them."""
    probabilities: tuple[tuple[str, float], ...] = ()
    """Of a `OneOf`: how probable each option was, in all 1; empty where the server hides it."""


class ChatModel(Protocol):
    """A model behind some door."""

    async def complete(self, request: Request) -> Completion:
        """Return the model's completion, or raise `ModelError`, `ContextError` or `DownError`."""
        ...
