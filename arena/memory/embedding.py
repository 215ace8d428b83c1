"""Embedder: the interface from texts to vectors, and the check of its results."""

from collections.abc import Sequence
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from arena.errors import ModelError

Vectors = NDArray[np.float32]
"""One unit vector per row, shape (n, d)."""

MODEL_THRESHOLD: Final = 0.3
"""Similarity threshold of a trained model, as in ThinkThrice; a player's option can override it."""

_UNIT_TOLERANCE = 1e-3
"""Maximal difference of a unit vector's length from 1."""


class EmbeddingError(ModelError):
    """The embedder gave no usable vectors."""


class Embedder(Protocol):
    """Turns texts into unit vectors; similar texts get near vectors."""

    @property
    def name(self) -> str:
        """Name of the embedder; vectors of different names do not compare."""
        ...

    @property
    def is_repeatable(self) -> bool:
        """Whether equal texts always have equal vectors, on any host.

        If not, search results are recorded, so that a resumed match gets the same ones.
        """
        ...

    @property
    def threshold(self) -> float:
        """The minimal similarity of a unit that counts as relevant to a query."""
        ...

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return a unit vector for each text, shape (n, d), or raise `ModelError`."""
        ...


def check_vectors(vectors: Vectors, count: int, dimensions: int | None) -> Vectors:
    """Return `vectors`, or raise `EmbeddingError` unless they are `count` unit vectors.

    `dimensions`: the required length of each; None: at least one.
    """
    wanted = f"{count} unit vectors" + (f" of {dimensions} dimensions" if dimensions else "")
    has_shape = vectors.ndim == 2 and len(vectors) == count  # noqa: PLR2004 - rows and columns
    if not has_shape or vectors.shape[1] != (dimensions or max(1, vectors.shape[1])):
        raise EmbeddingError(f"wanted {wanted}, got an array of shape {vectors.shape}")
    lengths = np.linalg.norm(vectors, axis=1)
    # A vector with a non-finite number has length inf or NaN, which fails this test too.
    if not bool(np.all(np.abs(lengths - 1.0) < _UNIT_TOLERANCE)):
        raise EmbeddingError(f"wanted {wanted}, got some of another length or without one")
    return np.ascontiguousarray(vectors, dtype=np.float32)


def to_unit(vectors: NDArray[np.float64]) -> Vectors:
    """Return the rows of `vectors` with length 1; raise `EmbeddingError` if a row has none."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not bool(np.all(np.isfinite(lengths) & (lengths > 0))):
        raise EmbeddingError("a vector is zero, or holds a number that is not finite")
    return (vectors / lengths).astype(np.float32)
