"""Which seeds are for training and which are held out.

Cases are functions of seed and options, so a split by seed keeps every world of one part out of
the others, whatever the options. Train on `train` alone, choose on `validation`, report on `test`;
seeds beyond are in no split and may become one later.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

SeedSplit = Literal["train", "validation", "test"]

SPLITS: Mapping[SeedSplit, range] = MappingProxyType(
    {
        "train": range(90_000),
        "validation": range(90_000, 95_000),
        "test": range(95_000, 100_000),
    }
)
"""Seeds of every split."""


def split_of(seed: int) -> SeedSplit | None:
    """Return the split that `seed` belongs to; None: to no one."""
    return next((name for name, seeds in SPLITS.items() if seed in seeds), None)
