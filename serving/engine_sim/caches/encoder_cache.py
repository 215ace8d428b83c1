"""vLLM's encoder cache: outputs of the picture encoder, reused by later requests."""

from collections import OrderedDict
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedPicture:
    """A picture at its place in a prompt: `tokens` tokens from `start` on, identified by `key`."""

    key: str
    start: int
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EncoderPlan:
    """The part of a chunk that can be computed: `tokens`, after encoding the pictures `encode`.

    `again` are further places, in the chunk, of pictures in `encode`.
    """

    tokens: int
    encode: tuple[PlacedPicture, ...] = ()
    again: tuple[PlacedPicture, ...] = ()


class EncoderCache:
    """Outputs of the picture encoder, `size` tokens of them (encoder_cache_manager.py).

    A request holds an output until it has computed past every place planned for it. An output
    without a holder stays until space is needed; the one freed longest ago is evicted first.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self.hits = 0
        self.encoded = 0
        self._room = size
        self._freeable = size
        self._tokens: dict[str, int] = {}
        self._holders: dict[str, set[int]] = {}
        self._idle: OrderedDict[str, None] = OrderedDict()
        self._places: dict[int, dict[int, PlacedPicture]] = {}

    def plan(
        self, request: int, pictures: tuple[PlacedPicture, ...], done: int, tokens: int, budget: int
    ) -> EncoderPlan:
        """Return how many of the `tokens` after `done` an encoder budget of `budget` tokens allows.

        As `_try_schedule_encoder_inputs`: the request holds the cached outputs of pictures within
        the chunk, missing ones must be encoded whole, and the chunk ends before the first one that
        exceeds the budget or the cache.
        """
        encode: dict[str, PlacedPicture] = {}
        again: list[PlacedPicture] = []
        wanted = 0
        for picture in pictures:
            start, size, key = picture.start, picture.tokens, picture.key
            if start >= done + tokens:
                break
            if start + size <= done:
                continue
            if key in encode:
                again.append(picture)
            elif key in self._tokens:
                self.hits += request not in self._holders[key]
                self._hold(request, picture)
            elif size > budget or not self._make_space(wanted + size):
                tokens = max(0, start - done)
                break
            else:
                wanted += size
                budget -= size
                encode[key] = picture
        return EncoderPlan(tokens=tokens, encode=tuple(encode.values()), again=tuple(again))

    def encode(self, request: int, plan: EncoderPlan) -> int:
        """Store the outputs of an executed plan; return their tokens."""
        total = 0
        for picture in plan.encode:
            self._tokens[picture.key] = picture.tokens
            self._holders[picture.key] = set()
            self._idle[picture.key] = None
            self._room -= picture.tokens
            total += picture.tokens
        for picture in (*plan.encode, *plan.again):
            self._hold(request, picture)
        self.encoded += total
        return total

    def release_computed(self, request: int, done: int) -> None:
        """Release the places that a request has computed past."""
        places = self._places.get(request)
        if places:
            over = [one for one in places.values() if one.start + one.tokens <= done]
            self._release(request, places, over)

    def free(self, request: int) -> None:
        """Release all places of a request."""
        places = self._places.get(request)
        if places:
            self._release(request, places, list(places.values()))

    def reset(self) -> None:
        """Remove every output."""
        self._room = self._freeable = self.size
        self._tokens.clear()
        self._holders.clear()
        self._idle.clear()
        self._places.clear()

    def _hold(self, request: int, picture: PlacedPicture) -> None:
        holders = self._holders[picture.key]
        if not holders:
            del self._idle[picture.key]
            self._freeable -= picture.tokens
        holders.add(request)
        self._places.setdefault(request, {})[picture.start] = picture

    def _make_space(self, tokens: int) -> bool:
        if tokens <= self._room:
            return True
        if tokens > self._freeable:
            return False
        while tokens > self._room:
            key, _ = self._idle.popitem(last=False)
            self._room += self._tokens.pop(key)
            del self._holders[key]
        return True

    def _release(
        self, request: int, places: dict[int, PlacedPicture], over: list[PlacedPicture]
    ) -> None:
        """Release places; an output is held until its last planned place is released."""
        for picture in sorted(over, key=lambda one: one.start):
            del places[picture.start]
            if any(picture.key == other.key for other in places.values()):
                continue
            holders = self._holders[picture.key]
            holders.discard(request)
            if not holders:
                self._idle[picture.key] = None
                self._freeable += self._tokens[picture.key]
        if not places:
            del self._places[request]
