"""Flat index: exact search by L2 distance with FAISS, on the GPU if its build supports one."""

import importlib
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from arena.memory.embedding import Vectors

_TOLERANCE: Final = 1e-4
"""Error bound of FAISS's squared distances of unit vectors; GPUs multiply less exactly."""
_DECIMALS: Final = 6
"""Decimals of a distance. More would depend on the processor, and so would the order of ties."""
_GPU_MOST: Final = 2048
"""Results that FAISS returns from a GPU, at most."""
_GPU_TEMP_BYTES: Final = 16 << 20
"""GPU memory of FAISS in addition to the vectors; small, since the engine needs the rest."""


class FlatIndex:
    """Index of vectors with `dimensions` numbers each, numbered from 0 in the order of `add`."""

    def __init__(self, dimensions: int) -> None:
        self.dimensions = dimensions
        self._index, self._is_on_gpu = _make_index(dimensions)

    def __len__(self) -> int:
        """Return the number of vectors."""
        return int(self._index.ntotal)

    def add(self, vectors: Vectors) -> None:
        """Add vectors, shape (n, dimensions)."""
        if len(vectors):
            self._index.add(vectors)

    def nearest(self, query: Vectors, most: int) -> list[tuple[int, float]]:
        """Return the numbers and distances of the `most` nearest; among ties the earlier first.

        FAISS finds the candidates; their distances are recomputed with double precision, so that
        the order is the same on every processor.
        """
        most = min(most, len(self))
        if most < 1:
            return []
        places = self._candidates(query, most)
        vectors: Vectors = self._index.reconstruct_batch(places)
        gaps = vectors.astype(np.float64) - query.astype(np.float64)
        distances: list[float] = np.linalg.norm(gaps, axis=1).round(_DECIMALS).tolist()
        found = sorted(zip(distances, map(int, places), strict=True))
        return [(place, distance) for distance, place in found[:most]]

    def _candidates(self, query: Vectors, most: int) -> NDArray[np.int64]:
        """Return the numbers of the `most` nearest, and of all within FAISS's error of these.

        The search repeats with twice as many results until the last one is farther than that.
        """
        count = most
        while True:
            count = min(len(self), 2 * count)
            squares, places = self._search_index(count).search(query.reshape(1, -1), count)
            if count == len(self) or squares[0][-1] > squares[0][most - 1] + _TOLERANCE:
                return places[0]

    def _search_index(self, count: int) -> Any:
        """Return an index that can return `count` results."""
        if self._is_on_gpu and count > _GPU_MOST:
            return _faiss().index_gpu_to_cpu(self._index)
        return self._index


def _make_index(dimensions: int) -> tuple[Any, bool]:
    """Return an empty index, and whether it is on a GPU."""
    faiss, resources = _faiss(), _gpu_resources()
    if resources is not None:
        try:
            return faiss.GpuIndexFlatL2(resources, dimensions), True
        except RuntimeError:
            # An engine can have taken all memory of the GPU meanwhile.
            _gpu_resources.cache_clear()
    return faiss.IndexFlatL2(dimensions), False


@cache
def _gpu_resources() -> Any:
    """Return the resources that GPU indexes share; None: no GPU that FAISS can use."""
    faiss = _faiss()
    if not hasattr(faiss, "StandardGpuResources") or not faiss.get_num_gpus():
        return None
    try:
        resources = faiss.StandardGpuResources()
        resources.setTempMemory(_GPU_TEMP_BYTES)
    except RuntimeError:
        return None
    return resources


@cache
def _faiss() -> Any:
    # The import takes a second, and most commands do not search.
    return importlib.import_module("faiss")
