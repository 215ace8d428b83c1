"""Keeping a case's questions even: in the places of right options and in their lengths."""

from collections.abc import Sequence
from random import Random

_RANKS = 4
_SPREAD = 0.08
"""What a character of difference between options weighs against one rank too often."""
Sizes = Sequence[int]
"""Lengths of one option, a number a language."""


class Balance:
    """Where right options stood so far and how long they were among their four."""

    def __init__(self, rng: Random) -> None:
        """Draw places from `rng`."""
        self._rng = rng
        self._waiting: dict[tuple[str, int], list[int]] = {}
        self._excess: dict[int, list[float]] = {}

    def key(self, kind: str, options: int) -> int:
        """Return the place of the next right option of a `kind` of question, counted from 0.

        All places come equally often, in an order that is drawn.
        """
        waiting = self._waiting.setdefault((kind, options), [])
        if not waiting:
            waiting += self._rng.sample(range(options), options)
        return waiting.pop()

    def cost(self, right: Sizes, wrong: Sequence[Sizes]) -> float:
        """Return how much a choice of wrong options is to be avoided."""
        found = 0.0
        for spoken, size in enumerate(right):
            sizes = [one[spoken] for one in wrong]
            found += _SPREAD * (max(*sizes, size) - min(*sizes, size)) if sizes else 0.0
            excess = self._excess.setdefault(spoken, [0.0] * _RANKS)
            found += sum(map(float.__mul__, excess, _ranks(size, sizes)))
        return found

    def note(self, right: Sizes, wrong: Sequence[Sizes]) -> None:
        """Count a choice that was made."""
        for spoken, size in enumerate(right):
            shares = _ranks(size, [one[spoken] for one in wrong])
            excess = self._excess.setdefault(spoken, [0.0] * _RANKS)
            for rank, share in enumerate(shares):
                excess[rank] += share - sum(shares) / _RANKS


def _ranks(size: int, sizes: Sequence[int]) -> list[float]:
    """Return the chance of `size` to be shortest .. longest of four, ties broken by lot."""
    if len(sizes) < _RANKS - 1:
        return [0.0] * _RANKS
    low = sum(one < size for one in sizes)
    equal = sum(one == size for one in sizes)
    share = 1 / (equal + 1)
    return [share if low <= rank <= low + equal else 0.0 for rank in range(_RANKS)]
