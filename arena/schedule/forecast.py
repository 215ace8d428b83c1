"""What a server should find in its prefix cache, had it evicted nothing: counted, not hashed.

A seat's prompt begins with its prompt and reply before, all of which but the last token of the
reply went through the model. So the tokens that a turn should find are known without looking at
them: those of the turn before, down to whole blocks, and never the whole prompt. Of a reply that
goes back as words, and not as the tokens that the model returned, nothing is expected. Nor of a
call beside the log (a picture that is read, a text that is summarised), nor of a log that was begun
anew with another beginning than the script's own.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from arena.models.chat import Completion, Message, Request


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """A seat's beginning: rules and private script, shared by all matches of the script."""

    key: str
    """Equal keys hold equal tokens."""
    tokens: int


_HEAD: Final = 2
"""Messages of a beginning: rules and role."""


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
        self._begun: dict[str, tuple[Message, ...]] = {}
        """How a seat's first prompt began; empty where it was not as the script has it."""
        self._added: dict[str, int] = {}
        """The epoch in which a seat's beginning was counted."""

    def cached(self, request: Request) -> int:
        """Return how many tokens of `request` the server has seen, in whole blocks."""
        if request.label.aside:
            return 0
        seat = self._seats.get(request.label.seat)
        if self._goes_on(seat, request):
            known = seat.tokens if seat else 0
        else:
            head = self._heads.get(request.label.seat) if self._begins(request) else None
            known = head.tokens if head is not None and self._warm.holds(head) else 0
        return known // self._block * self._block

    def keep(self, request: Request, completion: Completion) -> None:
        """Learn what the server has seen now."""
        name = request.label.seat
        if request.label.aside or request.label.ask.startswith("probe/"):
            return
        if name not in self._begun:
            self._begun[name] = request.messages[:_HEAD] if request.label.level == 0 else ()
        head = self._heads.get(name)
        if head is not None and self._begins(request) and self._fresh(name):
            self._warm.add(head)
            self._added[name] = self._warm.epoch
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
        for name in self._added:
            if not self._fresh(name):
                self._warm.drop(self._heads[name])
        self._added.clear()
        self._seats.clear()

    def _fresh(self, name: str) -> bool:
        """Tell whether the server is not known to hold the seat's beginning."""
        return self._added.get(name) != self._warm.epoch

    def _begins(self, request: Request) -> bool:
        """Tell whether a prompt begins as the script has it: later logs may shorten the script."""
        begun = self._begun.get(request.label.seat)
        if begun is None:
            return request.label.level == 0
        return bool(begun) and request.messages[: len(begun)] == begun

    def _goes_on(self, seat: _Seat | None, request: Request) -> bool:
        """Tell whether a prompt begins with the seat's prompt and reply before."""
        return (
            seat is not None
            and seat.epoch == self._warm.epoch
            and request.messages[: len(seat.said)] == seat.said
        )
