"""Embedder: the interface of what turns texts into vectors, and the check of what it returns."""

from collections.abc import Sequence
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from arena.errors import ModelError

Vectors = NDArray[np.float32]
"""One unit vector a row."""

MODEL_THRESHOLD: Final = 0.3
"""Threshold of a trained model, as in ThinkThrice; the option of a player may set another."""

_UNIT_TOLERANCE = 1e-3
"""By how much the length of a unit vector may differ from 1."""


class EmbeddingError(ModelError):
    """Texts have no usable vectors now."""


class Embedder(Protocol):
    """Turns texts into unit vectors that are near each other where the texts are alike."""

    @property
    def name(self) -> str:
        """What made the vectors; another name means other vectors."""
        ...

    @property
    def is_repeatable(self) -> bool:
        """Whether equal texts always have equal vectors, on any host.

        What a search finds is recorded otherwise, so that a resumed match finds the same.
        """
        ...

    @property
    def threshold(self) -> float:
        """The similarity from which on a unit is taken to bear on a query."""
        ...

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return a unit vector for each text, shape (n, d), or raise `ModelError`."""
        ...


def check_vectors(vectors: Vectors, count: int, dimensions: int | None) -> Vectors:
    """Return `vectors`, or raise `EmbeddingError` unless they are `count` unit vectors.

    `dimensions`: how many each must have; None: at least one.
    """
    wanted = f"{count} unit vectors" + (f" of {dimensions} dimensions" if dimensions else "")
    has_shape = vectors.ndim == 2 and len(vectors) == count  # noqa: PLR2004 - rows and columns
    if not has_shape or vectors.shape[1] != (dimensions or max(1, vectors.shape[1])):
        raise EmbeddingError(f"wanted {wanted}, got an array of shape {vectors.shape}")
    lengths = np.linalg.norm(vectors, axis=1)
    # A vector with a number that is not finite has no length, and NaN is not near 1.
    if not bool(np.all(np.abs(lengths - 1.0) < _UNIT_TOLERANCE)):
        raise EmbeddingError(f"wanted {wanted}, got some of another length or without one")
    return np.ascontiguousarray(vectors, dtype=np.float32)


def to_unit(vectors: NDArray[np.float64]) -> Vectors:
    """Return the rows of `vectors` with length 1; `EmbeddingError` where a row has no length."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not bool(np.all(np.isfinite(lengths) & (lengths > 0))):
        raise EmbeddingError("a vector is zero, or holds a number that is not finite")
    return (vectors / lengths).astype(np.float32)
