"""What a server should find in its prefix cache, had it evicted nothing: counted, not hashed.

A seat's prompt begins with its prompt and reply before, all of which but the last token of the
reply went through the model. So the tokens that a turn should find are known without looking at
them: those of the turn before, down to whole blocks, and never the whole prompt.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from arena.models.chat import Completion, Message, Request


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """A seat's beginning: rules and private script, shared by all matches of the script."""

    key: str
    """Equal keys hold equal tokens."""
    tokens: int


@dataclass(slots=True)
class _Seat:
    said: tuple[Message, ...]
    """The messages of the last call, its reply included."""
    tokens: int
    """How many of them went through the model."""


class Warm:
    """Which beginnings an endpoint has been sent. One object an endpoint."""

    def __init__(self) -> None:
        self._keys: set[str] = set()

    def holds(self, head: Head) -> bool:
        """Tell whether a request with this beginning was answered."""
        return head.key in self._keys

    def add(self, head: Head) -> None:
        """Remember that a request with this beginning was answered."""
        self._keys.add(head.key)

    def forget(self) -> None:
        """Forget all: the server was started anew."""
        self._keys.clear()


class Forecast:
    """The cached tokens to expect of one match's calls to one endpoint."""

    def __init__(self, heads: Mapping[str, Head], warm: Warm, *, block: int) -> None:
        self._heads, self._warm, self._block = heads, warm, block
        self._seats: dict[str, _Seat] = {}

    def cached(self, request: Request) -> int:
        """Return how many tokens of `request` the server has seen, in whole blocks."""
        seat = self._seats.get(request.label.seat)
        if seat is not None and request.messages[: len(seat.said)] == seat.said:
            known = seat.tokens
        else:
            head = self._heads.get(request.label.seat)
            known = head.tokens if head is not None and self._warm.holds(head) else 0
        return known // self._block * self._block

    def keep(self, request: Request, completion: Completion) -> None:
        """Learn what the server has seen now."""
        seat = request.label.seat
        if request.label.ask.startswith("probe/"):
            return
        reply = Message(role="assistant", text=completion.text)
        self._seats[seat] = _Seat(
            said=(*request.messages, reply),
            tokens=completion.prompt_tokens + max(completion.output_tokens - 1, 0),
        )
        if (head := self._heads.get(seat)) is not None:
            self._warm.add(head)
