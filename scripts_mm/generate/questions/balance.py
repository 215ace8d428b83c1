"""Balance of a case's questions: positions and lengths of their correct options."""

from collections.abc import Sequence
from random import Random

_RANKS = 4
_SPREAD = 0.002
"""Weight of one character of difference between options, relative to one excess rank."""
_SWEEPS = 5
"""Passes over all choices, each re-optimised given the others."""
OptionSizes = Sequence[int]
"""Lengths of one option, one per language."""
RankShares = Sequence[float]
"""By language: probabilities of the correct option to be shortest .. longest, minus a quarter."""


class AnswerPositions:
    """Positions of correct options: equally frequent for each kind of question."""

    def __init__(self, rng: Random) -> None:
        """Draw the order of positions from `rng`."""
        self._rng = rng
        self._waiting: dict[tuple[str, int], list[int]] = {}

    def next(self, kind: str, options: int) -> int:
        """Return the position, from 0, of the next correct option of a question of `kind`."""
        waiting = self._waiting.setdefault((kind, options), [])
        if not waiting:
            waiting += self._rng.sample(range(options), options)
        return waiting.pop()


def choose_distractors(
    asked: Sequence[tuple[OptionSizes, Sequence[Sequence[OptionSizes]]]],
) -> list[int]:
    """Return the index of each question's choice of distractors.

    `asked`: for each question the lengths of its correct option, and of the distractors in each of
    its choices. The objective: over all questions, the correct option is shortest, second, third
    and longest equally often in every language, and the options of a question are of similar
    length.
    """
    shares = [[_rank_shares(right, wrong) for wrong in choices] for right, choices in asked]
    spreads = [[_length_cost(right, wrong) for wrong in choices] for right, choices in asked]
    taken = [min(range(len(found)), key=found.__getitem__) for found in spreads]
    excess = [sum(column) for column in zip(*_pick_shares(shares, taken), strict=True)]
    for _ in range(_SWEEPS):
        for at, choices in enumerate(shares):
            without = [one - mine for one, mine in zip(excess, choices[taken[at]], strict=True)]
            costs = [
                spread + sum((one + more) ** 2 for one, more in zip(without, found, strict=True))
                for spread, found in zip(spreads[at], choices, strict=True)
            ]
            taken[at] = min(range(len(costs)), key=costs.__getitem__)
            kept = choices[taken[at]]
            excess = [one + more for one, more in zip(without, kept, strict=True)]
    return taken


def _pick_shares(shares: Sequence[Sequence[RankShares]], taken: Sequence[int]) -> list[RankShares]:
    return [choices[one] for choices, one in zip(shares, taken, strict=True)]


def _length_cost(right: OptionSizes, wrong: Sequence[OptionSizes]) -> float:
    """Return the cost of lengths: difference between the longest and the shortest option."""
    columns = [*zip(right, *wrong, strict=True)]
    return _SPREAD * sum(max(column) - min(column) for column in columns)


def _rank_shares(right: OptionSizes, wrong: Sequence[OptionSizes]) -> RankShares:
    found: list[float] = []
    for spoken, size in enumerate(right):
        sizes = [one[spoken] for one in wrong]
        if len(sizes) < _RANKS - 1:
            found += [0.0] * _RANKS
            continue
        low = sum(one < size for one in sizes)
        equal = sizes.count(size)
        share = 1 / (equal + 1)
        found += [
            (share if low <= rank <= low + equal else 0.0) - 1 / _RANKS for rank in range(_RANKS)
        ]
    return found
