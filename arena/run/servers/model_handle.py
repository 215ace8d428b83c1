"""Handle of a connected model: its replicas, limits and result flags."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Protocol

from arena.models.chat import ChatModel
from arena.players.model_limits import ModelLimits
from arena.run.match.decisions import ServerHealth
from arena.run.servers.server_monitor import ReplyName
from arena.schedule.cache_prediction import WarmPrefixes


class ReplicaHealth(ServerHealth, Protocol):
    """Health of a replica, and whether it still serves the model of the run."""

    async def has_changed(self) -> bool:
        """Return whether it now serves another model than at the start of the run."""
        ...


async def _no_metrics() -> str | None:
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Replica:
    """One server of a model, shared by all matches that are assigned to it."""

    url: str
    chat: ChatModel
    health: ReplicaHealth
    kv_tokens: int = 0
    """Capacity of its KV cache in tokens; 0: unknown."""
    block_tokens: int = 16
    """Tokens of one block of its prefix cache."""
    warm: WarmPrefixes = field(default_factory=WarmPrefixes)
    read_metrics: Callable[[], Awaitable[str | None]] = _no_metrics
    """Reads the text of its metrics; None: it has none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelHandle:
    """Handle of a connected model: its replicas, limits and result flags."""

    replicas: tuple[Replica, ...]
    served_name: str
    """Name under which the servers serve it."""
    limits: ModelLimits
    reply_name: ReplyName = field(default_factory=ReplyName)
    """Shared by the monitors of the replicas."""
    flags: tuple[str, ...] = ()
    """Qualifiers on every result of this model."""
