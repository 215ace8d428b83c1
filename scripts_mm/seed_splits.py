"""The splits of seeds for training, validation and testing.

Cases are functions of seed and options, so a split by seed separates the worlds for all options.
Train only on `train`, select on `validation`, report on `test`; larger seeds are in no split and
can become one later.
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
    """Return the split of `seed`; None: it is in no split."""
    return next((name for name, seeds in SPLITS.items() if seed in seeds), None)
