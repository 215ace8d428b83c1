"""Chat model interface: messages in, one completion out."""

from dataclasses import dataclass, field
from typing import Literal, Protocol

from scripts_mm.script import Picture


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message of a conversation; its picture, if any, follows the text."""

    role: Literal["system", "user", "assistant"]
    text: str
    picture: Picture | None = None
    ids: tuple[int, ...] = field(default=(), compare=False)
    """Token ids of a reply as the model returned them; empty if unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceConstraint:
    """Constraint: the reply is exactly one of `options`."""

    options: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonField:
    """Property of a JSON reply; all properties are strings."""

    name: str
    options: tuple[str, ...] = ()
    """Legal values; empty: free text."""
    max_chars: int = 0
    """Maximum characters of free text; 0: no limit."""
    optional: bool = False
    """Whether it can be empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonConstraint:
    """Constraint: the reply is a JSON object with exactly these properties, in this order."""

    fields: tuple[JsonField, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantConstraint:
    """Constraint: the reply is one of several JSON objects."""

    variants: tuple[JsonConstraint, ...]


Constraint = ChoiceConstraint | JsonConstraint | VariantConstraint


@dataclass(frozen=True, slots=True, kw_only=True)
class CallId:
    """Identity of a model call within a match: equal ids mean the same call."""

    seat: str
    request: str
    """Id of the decision request that the call belongs to."""
    attempt: int = 1
    """1 for the first reply to the request, 2 for the first corrected one."""
    kind: Literal["thought", "reply", "step", "reading", "summary", "search"] = "reply"
    """`thought`: reasoning in a separate call, before the reply. `step`: one question of a method
    to its own model; it begins with the log but is not stored in it. `reading`: describe a picture.
    `summary`: shorten a text. `search`: search the memory of the seat; its completion names what
    was found. The last three are auxiliary.
    """
    level: int = 0
    """Level of omission to fit the context; 0: nothing is omitted."""
    chunk: str = ""
    """The picture that a reading describes, the part of a text that a summary shortens, or the
    step.
    """
    off_path: bool = False
    """The call answers a silent probe: the match does not depend on it."""

    def __str__(self) -> str:
        """Return the id as one word."""
        parts = (self.seat, self.request, self.attempt, self.kind, self.level, self.chunk)
        return ":".join(map(str, parts))

    @property
    def is_auxiliary(self) -> bool:
        """Whether the call prepares a prompt and is not part of any prompt log."""
        return self.kind in {"reading", "summary", "search"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """Request for one completion."""

    call_id: CallId
    messages: tuple[Message, ...]
    max_tokens: int
    temperature: float
    constraint: Constraint | None = None
    priority: int = 0
    """A lower value is served earlier, if the server supports priorities."""
    request_id: str = ""
    """Name in the server's log: the match and the call. A retry has the same one."""
    cache_salt: str = ""
    """Prompts with different salts share no blocks in the server's prefix cache."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """Completion of a model, with its token counts and time."""

    text: str
    finish: str
    """`stop`, `length` or another reason that the server reports."""
    prompt_tokens: int
    output_tokens: int
    cached_tokens: int | None
    """None if the server does not report them."""
    seconds: float
    """From the first byte sent to the complete response, without earlier failed attempts."""
    retries: int = 0
    model: str = ""
    """Name under which the server serves the model."""
    ids: tuple[int, ...] = ()
    """Token ids of the reply, an end token included; empty if the server omits them."""
    probabilities: tuple[tuple[str, float], ...] = ()
    """For a `ChoiceConstraint`: each option's probability, sum 1; empty if not reported."""
    repairs: tuple[str, ...] = ()
    """Repairs of what no request allows or no record can store: `truncated` (text), `surrogates`,
    `usage`, `token ids`, `key` (the server quoted it). Empty: none.
    """


class ChatModel(Protocol):
    """Model that completes chat requests."""

    async def complete(self, request: Request) -> Completion:
        """Return the model's completion, or raise a `ModelError` or a subclass of it."""
        ...
