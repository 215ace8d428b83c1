"""What a server that evicts nothing of live matches should find of a prompt, counted by pieces."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

from serving.engine_sim.prompt import Prompt, Segment


@dataclass(slots=True)
class _Seat:
    prompt: Prompt
    computed: int
    """Tokens of the prompt and its reply that went through the model."""


@dataclass(slots=True)
class _Head:
    number: int
    users: int = 0


_Place = tuple[int, str]
"""Number of the beginning before, key of the piece after it."""


class Expected:
    """The prompts of live matches that were answered, as far as later ones can begin with them.

    What only matches that are over began with is not expected: no room is kept for it.
    """

    def __init__(self, block: int) -> None:
        self._block = block
        self._numbers = count()
        self._heads: dict[_Place, _Head] = {}
        self._seats: dict[str, dict[str, _Seat]] = {}
        self._used: dict[str, list[_Place]] = {}

    def cached(self, match: str, seat: str, prompt: Sequence[Segment]) -> int:
        """Return how many tokens of `prompt` were computed before, in whole blocks."""
        before = self._seats.get(match, {}).get(seat)
        if before is not None and tuple(prompt[: len(before.prompt)]) == before.prompt:
            known = before.computed
        else:
            known = self._head(prompt)
        total = sum(segment.tokens for segment in prompt)
        return min(known, max(total - 1, 0)) // self._block * self._block

    def keep(self, match: str, seat: str, prompt: Sequence[Segment], output: int) -> None:
        """Remember a prompt that was answered with `output` tokens."""
        seats = self._seats.setdefault(match, {})
        if seat not in seats:
            self._begin(match, prompt)
        total = sum(segment.tokens for segment in prompt)
        seats[seat] = _Seat(tuple(prompt), total + max(output - 1, 0))

    def forget(self, match: str) -> None:
        """Drop what only a match that is over began with."""
        self._seats.pop(match, None)
        for place in reversed(self._used.pop(match, [])):
            head = self._heads[place]
            head.users -= 1
            if not head.users:
                del self._heads[place]

    def _begin(self, match: str, prompt: Sequence[Segment]) -> None:
        used, number = self._used.setdefault(match, []), -1
        for segment in prompt:
            place = (number, segment.key)
            head = self._heads.get(place)
            if head is None:
                head = self._heads[place] = _Head(next(self._numbers))
            head.users += 1
            used.append(place)
            number = head.number

    def _head(self, prompt: Sequence[Segment]) -> int:
        number, known = -1, 0
        for segment in prompt:
            head = self._heads.get((number, segment.key))
            if head is None:
                break
            number, known = head.number, known + segment.tokens
        return known
