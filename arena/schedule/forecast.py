"""What a server should find in its prefix cache, had it evicted nothing: counted, not hashed.

A seat's prompt begins with its prompt and reply before, all of which but the last token of the
reply went through the model. So the tokens that a turn should find are known without looking at
them: those of the turn before, down to whole blocks, and never the whole prompt. Of a reply that
goes back as words, and not as the tokens that the model returned, nothing is expected.
"""

from collections import Counter
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
    epoch: int


class Warm:
    """Which beginnings matches that are being played have sent. One object an endpoint.

    A beginning that none of them uses any more may be gone: nobody who decides what is alive has
    counted it.
    """

    def __init__(self) -> None:
        self._users: Counter[str] = Counter()
        self.epoch = 0
        """How often the server lost all that it held."""

    def holds(self, head: Head) -> bool:
        """Tell whether a match that is being played has sent this beginning."""
        return self._users[head.key] > 0

    def add(self, head: Head) -> None:
        """Count a seat that has sent this beginning."""
        self._users[head.key] += 1

    def drop(self, head: Head) -> None:
        """Count it no more."""
        self._users[head.key] = max(0, self._users[head.key] - 1)

    def forget(self) -> None:
        """Forget all: the server may have been started anew."""
        self._users.clear()
        self.epoch += 1


class Forecast:
    """The cached tokens to expect of one match's calls to one endpoint."""

    def __init__(self, heads: Mapping[str, Head], warm: Warm, *, block: int) -> None:
        self._heads, self._warm, self._block = heads, warm, block
        self._seats: dict[str, _Seat] = {}

    def cached(self, request: Request) -> int:
        """Return how many tokens of `request` the server has seen, in whole blocks."""
        seat = self._seats.get(request.label.seat)
        if self._goes_on(seat, request):
            known = seat.tokens if seat else 0
        else:
            head = self._heads.get(request.label.seat)
            known = head.tokens if head is not None and self._warm.holds(head) else 0
        return known // self._block * self._block

    def keep(self, request: Request, completion: Completion) -> None:
        """Learn what the server has seen now."""
        name = request.label.seat
        if request.label.ask.startswith("probe/"):
            return
        head, before = self._heads.get(name), self._seats.get(name)
        if head is not None and (before is None or before.epoch != self._warm.epoch):
            self._warm.add(head)
        reply = Message(role="assistant", text=completion.text)
        # A reply that goes back as words may be other tokens: then only the prompt is certain.
        replied = max(completion.output_tokens - 1, 0) if completion.ids else 0
        self._seats[name] = _Seat(
            said=(*request.messages, reply),
            tokens=completion.prompt_tokens + replied,
            epoch=self._warm.epoch,
        )

    def close(self) -> None:
        """Give up the beginnings: the match is over."""
        for name, seat in self._seats.items():
            head = self._heads.get(name)
            if head is not None and seat.epoch == self._warm.epoch:
                self._warm.drop(head)
        self._seats.clear()

    def _goes_on(self, seat: _Seat | None, request: Request) -> bool:
        """Tell whether a prompt begins with the seat's prompt and reply before."""
        return (
            seat is not None
            and seat.epoch == self._warm.epoch
            and request.messages[: len(seat.said)] == seat.said
        )
