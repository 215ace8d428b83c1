"""Splits of training data by the world of a script, so that no world is in two of them."""

import hashlib
from typing import Final

SPLITS: Final = ("train", "validation", "test")
_SHARES: Final = (80, 90)
"""Of 100: worlds below the first are for training, below the second for validation."""


def split_of(work: str) -> str:
    """Return the split of a world; it is the same in every export."""
    number = int(hashlib.sha256(work.encode()).hexdigest(), 16) % 100
    return SPLITS[sum(number >= share for share in _SHARES)]
