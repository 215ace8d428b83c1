"""Split training data by the world of a script, so that no world is in two splits."""

import hashlib
import re
from typing import Final

from scripts_mm import seed_splits

SPLITS: Final = ("train", "validation", "test")
_SHARES: Final = (80, 90)
"""Of 100: worlds below the first are training data, below the second validation data."""
_SEED: Final = re.compile(r"generated seed=(\d+)\b")
"""The prefix of a generated case's source."""


def assign_split(work: str, source: str = "") -> str:
    """Return the split of a world, the same in every export.

    A generated case (`source`) is in the split of its seed, so that held-out seeds are never
    trained on.
    """
    told = _SEED.match(source)
    by_seed = seed_splits.split_of(int(told[1])) if told else None
    if by_seed is not None:
        return by_seed
    number = int(hashlib.sha256(work.encode()).hexdigest(), 16) % 100
    return SPLITS[sum(number >= share for share in _SHARES)]
