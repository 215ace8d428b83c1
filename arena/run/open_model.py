"""A model that is ready to be asked, at one server or at several."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from arena.models.chat import ChatModel, Message
from arena.run.match import Health
from arena.schedule.forecast import Warm


@dataclass(frozen=True, slots=True, kw_only=True)
class Replica:
    """One server of a model, for all matches that are placed there."""

    url: str
    chat: ChatModel
    health: Health
    kv_tokens: int = 0
    """How many tokens of keys and values it holds; 0: nobody knows."""
    block: int = 16
    """Tokens of one block of its prefix cache."""
    warm: Warm = field(default_factory=Warm)


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenModel:
    """A model that is ready to be asked, at one server or at several."""

    replicas: tuple[Replica, ...]
    served: str
    """The name under which the servers serve it."""
    reply_tokens: int
    count: Callable[[Sequence[Message]], int]
    """Tokens of messages as they stand in a prompt, pictures included."""
    marks: tuple[str, ...] = ()
    """What every result must say of it."""
