"""Handle of a connected model: its replicas, limits and result flags."""

from dataclasses import dataclass, field

from arena.errors import ModelError
from arena.models.chat import ChatModel
from arena.players.model_limits import ModelLimits
from arena.run.decisions import HealthProbe
from arena.schedule.cache_prediction import WarmPrefixes


class RestartAwareHealth:
    """Health of a server whose prefix cache is empty after a restart.

    After one wait ended with a dead server, later waits fail at once until it answers again.
    Otherwise every match on that server would wait the full recovery time.
    """

    def __init__(self, health: HealthProbe, warm: WarmPrefixes) -> None:
        self._health, self._warm = health, warm
        self._given_up = ""

    async def is_up(self) -> bool:
        """Return whether the server answers now."""
        return await self._health.is_up()

    async def wait_until_up(self) -> None:
        """Wait until the server answers again; `ModelError` where it is dead."""
        if self._given_up and not await self._health.is_up():
            raise ModelError(self._given_up)
        try:
            await self._health.wait_until_up()
        except ModelError as error:
            self._given_up = str(error)
            raise
        self._given_up = ""
        self._warm.invalidate()


@dataclass(frozen=True, slots=True, kw_only=True)
class Replica:
    """One server of a model, shared by all matches that are assigned to it."""

    url: str
    chat: ChatModel
    health: HealthProbe
    kv_tokens: int = 0
    """Capacity of its KV cache in tokens; 0: unknown."""
    block_tokens: int = 16
    """Tokens of one block of its prefix cache."""
    warm: WarmPrefixes = field(default_factory=WarmPrefixes)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelHandle:
    """Handle of a connected model: its replicas, limits and result flags."""

    replicas: tuple[Replica, ...]
    served_name: str
    """Name under which the servers serve it."""
    limits: ModelLimits
    flags: tuple[str, ...] = ()
    """Qualifiers that every result of this model carries."""
