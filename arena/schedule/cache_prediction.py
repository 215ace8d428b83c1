"""Prediction of prefix-cache hits of an engine that evicts nothing, by counting tokens.

A prompt of a seat normally starts with the seat's previous prompt and reply. The engine has
computed all of these tokens except the last one of the reply. So the expected hit is the length of
the previous context, rounded down to whole blocks; hashing tokens is not necessary.

The predictor expects less in these cases:

- A reply that returns as text instead of token ids can tokenise differently: only the prompt
  before it counts.
- An auxiliary call (reading a picture, summarising a text) is not part of the seat's log: 0.
- A reset log whose prefix is not the script's own: 0.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from arena.models.chat import Completion, Message, Request
from arena.schedule.footprint import SharedPrefix

_PREFIX_MESSAGES: Final = 2
"""Messages of a shared prefix: rules and role."""


@dataclass(slots=True)
class _Context:
    """Last context of a seat in the engine's cache."""

    messages: tuple[Message, ...]
    """Messages of the last call, with its reply."""
    tokens: int
    """How many of their tokens the engine has computed."""
    epoch: int


class WarmPrefixes:
    """Shared prefixes that live matches have sent to one endpoint.

    A prefix without a live user is no longer warm: admission control does not reserve tokens for
    it, so the engine may evict it.
    """

    def __init__(self) -> None:
        self._users: Counter[str] = Counter()
        self.epoch = 0
        """Number of times that the engine lost its whole cache."""

    def holds(self, prefix: SharedPrefix) -> bool:
        """Return whether a live match has sent this prefix."""
        return self._users[prefix.key] > 0

    def add(self, prefix: SharedPrefix) -> None:
        """Add a seat that has sent this prefix."""
        self._users[prefix.key] += 1

    def remove(self, prefix: SharedPrefix) -> None:
        """Remove one user of this prefix."""
        self._users[prefix.key] = max(0, self._users[prefix.key] - 1)

    def invalidate(self) -> None:
        """Forget all prefixes because the engine may have restarted, and begin a new epoch."""
        self._users.clear()
        self.epoch += 1


class CacheHitPredictor:
    """Predictor of the cached tokens of one match's calls to one endpoint.

    `prefixes` are by seat. Their `tokens` must not exceed what the engine can certainly reuse.
    """

    def __init__(
        self, prefixes: Mapping[str, SharedPrefix], warm: WarmPrefixes, *, block_size: int
    ) -> None:
        self._prefixes, self._warm, self._block_size = prefixes, warm, block_size
        self._contexts: dict[str, _Context] = {}
        """By seat."""
        self._first_messages: dict[str, tuple[Message, ...]] = {}
        """By seat: prefix of its first prompt; empty if that prompt shortened the script."""
        self._added: dict[str, int] = {}
        """By seat: the epoch in which it was added to the warm prefixes."""

    def predict(self, request: Request) -> int:
        """Return how many prompt tokens the engine should have cached, in whole blocks."""
        if request.call_id.is_auxiliary:
            return 0
        context = self._contexts.get(request.call_id.seat)
        if self._continues(context, request):
            tokens = context.tokens if context else 0
        else:
            own_prefix = self._has_script_prefix(request)
            prefix = self._prefixes.get(request.call_id.seat) if own_prefix else None
            tokens = prefix.tokens if prefix is not None and self._warm.holds(prefix) else 0
        return tokens // self._block_size * self._block_size

    def record(self, request: Request, completion: Completion) -> None:
        """Record a completed call: the engine now holds its prompt and reply."""
        seat = request.call_id.seat
        if request.call_id.is_auxiliary or request.call_id.off_path:
            return
        if seat not in self._first_messages:
            is_full = request.call_id.level == 0
            self._first_messages[seat] = request.messages[:_PREFIX_MESSAGES] if is_full else ()
        prefix = self._prefixes.get(seat)
        if prefix is not None and self._has_script_prefix(request) and self._is_cold(seat):
            self._warm.add(prefix)
            self._added[seat] = self._warm.epoch
        if request.call_id.kind == "step":
            return
        reply = Message(role="assistant", text=completion.text)
        # A reply that returns as text can tokenise differently: then only the prompt is certain.
        reused = max(completion.output_tokens - 1, 0) if completion.ids else 0
        self._contexts[seat] = _Context(
            messages=(*request.messages, reply),
            tokens=completion.prompt_tokens + reused,
            epoch=self._warm.epoch,
        )

    def close(self) -> None:
        """Release the match's warm prefixes when the match finishes."""
        for seat in self._added:
            if not self._is_cold(seat):
                self._warm.remove(self._prefixes[seat])
        self._added.clear()
        self._contexts.clear()

    def _is_cold(self, seat: str) -> bool:
        """Return whether the seat has not sent its prefix in the current epoch."""
        return self._added.get(seat) != self._warm.epoch

    def _has_script_prefix(self, request: Request) -> bool:
        """Return whether a prompt starts with the script's own prefix; a reset can shorten it."""
        first = self._first_messages.get(request.call_id.seat)
        if first is None:
            return request.call_id.level == 0
        return bool(first) and request.messages[: len(first)] == first

    def _continues(self, context: _Context | None, request: Request) -> bool:
        """Return whether a prompt starts with the seat's previous prompt and reply."""
        return (
            context is not None
            and context.epoch == self._warm.epoch
            and request.messages[: len(context.messages)] == context.messages
        )
