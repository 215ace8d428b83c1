"""Cost of a player's turns: calls by purpose, and their dependencies."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

ONE_CALL: Mapping[str, str] = MappingProxyType({"any": "1"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Wave:
    """Independent calls of one turn; all wait for the wave before."""

    calls: int = 1
    prompt: int = 0
    """Tokens of each call's prompt after the prefix shared with the seat's other prompts."""
    reply: int = 0
    """Tokens of each reply, at most."""

    def tokens(self, reply_tokens: int) -> int:
        """Return the tokens of all calls if a reply has at most `reply_tokens`."""
        return self.calls * (self.prompt + min(self.reply, reply_tokens))

    def split(self) -> "tuple[Wave, ...]":
        """Return the same calls, one per wave."""
        return (replace(self, calls=1),) * self.calls


NOTES = Wave(prompt=100, reply=256)
"""The private notes before a reply."""
THOUGHT = Wave()
"""A thought before a reply; the seat's log contains it under `keep_thought`."""
REPLY = Wave()
"""The reply that counts, and its instruction: the seat's log contains both."""
Chain = tuple[Wave, ...]
"""The waves of one turn, in order."""


def _reply_alone(seats: int) -> tuple[Chain, ...]:
    del seats
    return ((REPLY,),)


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnCost:
    """Model calls of one turn, without corrections and without calls that shorten a prompt."""

    calls: Mapping[str, str] = field(default_factory=lambda: ONE_CALL)
    """Formula by purpose; `any`: all other purposes. N seats, S suspects, V victims, D sub-
    questions, O objectives, A attempts."""
    chains: Callable[[int], tuple[Chain, ...]] = _reply_alone
    """The longest turn of each kind, by the number of seats in the match."""

    def depth(self, seats: int) -> int:
        """Return the maximal number of sequential calls of a turn; each has its deadline."""
        return max(map(len, self.chains(seats)))

    def width(self, seats: int) -> int:
        """Return the maximal number of concurrent calls."""
        return max(wave.calls for chain in self.chains(seats) for wave in chain)

    def step_tokens(self, seats: int, reply_tokens: int) -> int:
        """Return the tokens of the widest wave of steps, without the log of the seat."""
        waves = (wave for chain in self.chains(seats) for wave in chain)
        return max(wave.tokens(reply_tokens) for wave in waves)

    def after(self, *waves: Wave) -> "TurnCost":
        """Return the cost of turns with these waves before all others."""

        def chains(seats: int) -> tuple[Chain, ...]:
            return tuple((*waves, *chain) for chain in self.chains(seats))

        return replace(self, chains=chains)

    def one_by_one(self) -> "TurnCost":
        """Return the cost of turns with sequential calls only."""

        def chains(seats: int) -> tuple[Chain, ...]:
            found = self.chains(seats)
            return tuple(tuple(one for wave in chain for one in wave.split()) for chain in found)

        return replace(self, chains=chains)


ONE = TurnCost()
"""One call a turn."""
