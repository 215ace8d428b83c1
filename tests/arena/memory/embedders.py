"""Embedders whose vectors a test decides."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from arena.memory.embedding import Vectors
from arena.memory.ngram_embedder import NGRAMS


@dataclass(slots=True)
class TableEmbedder:
    """Returns the vectors of a table; what it holds no entry for has the last dimension alone."""

    table: dict[str, Sequence[float]]
    threshold: float = -1.0
    is_repeatable: bool = True
    name: str = "table"
    asked: list[tuple[str, ...]] = field(default_factory=list[tuple[str, ...]])

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors as they are in the table, of whatever length."""
        self.asked.append(tuple(texts))
        size = len(next(iter(self.table.values())))
        other = [0.0] * (size - 1) + [1.0]
        return np.array([self.table.get(text, other) for text in texts], dtype=np.float32)


@dataclass(slots=True)
class FlakyEmbedder:
    """N-grams that fail where `fails` says so of the number of the call, from 1."""

    failing: frozenset[int] = frozenset()
    error: Exception | None = None
    is_repeatable: bool = False
    threshold: float = 0.0
    name: str = "flaky"
    calls: int = 0
    asked: list[str] = field(default_factory=list[str])

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return n-grams, or raise `error`."""
        self.calls += 1
        self.asked += texts
        await asyncio.sleep(0)
        if self.calls in self.failing or 0 in self.failing:
            assert self.error is not None
            raise self.error
        return await NGRAMS.embed(texts)
