"""A model that is ready to be asked, at one server or at several."""

from dataclasses import dataclass, field

from arena.errors import ModelError
from arena.models.chat import ChatModel
from arena.players.means import Means
from arena.run.match import Health
from arena.schedule.forecast import Warm


class Returning:
    """The health of a server that is expected to hold nothing when it comes back.

    One that was waited for in vain is given up by all who ask after it, until it answers again:
    else every match that is placed there would wait as long.
    """

    def __init__(self, health: Health, warm: Warm) -> None:
        self._health, self._warm = health, warm
        self._given_up = ""

    async def is_up(self) -> bool:
        """Tell whether the server answers now."""
        return await self._health.is_up()

    async def wait_until_up(self) -> None:
        """Return when the server answers again, or raise `ModelError` when it is dead."""
        if self._given_up and not await self._health.is_up():
            raise ModelError(self._given_up)
        try:
            await self._health.wait_until_up()
        except ModelError as error:
            self._given_up = str(error)
            raise
        self._given_up = ""
        self._warm.forget()


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
    means: Means
    marks: tuple[str, ...] = ()
    """What every result must say of it."""
