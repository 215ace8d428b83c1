"""The flat index: exactly what brute force finds, ties in order, also on a GPU."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.memory import flat_index
from arena.memory.embedding import Vectors
from arena.memory.flat_index import FlatIndex


def units(seed: int, count: int, dimensions: int = 8) -> Vectors:
    chance = np.random.default_rng(seed)
    found = chance.normal(size=(count, dimensions))
    return (found / np.linalg.norm(found, axis=1, keepdims=True)).astype(np.float32)


def brute_force(vectors: Vectors, query: Vectors, most: int) -> list[tuple[int, float]]:
    gaps = np.linalg.norm(vectors.astype(np.float64) - query.astype(np.float64), axis=1)
    ordered = sorted((round(float(gap), 6), place) for place, gap in enumerate(gaps))
    return [(place, gap) for gap, place in ordered[:most]]


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    distinct=st.integers(1, 40),
    copies=st.integers(1, 4),
    most=st.integers(0, 50),
)
def test_it_finds_what_brute_force_finds_with_ties_in_order(
    seed: int, distinct: int, copies: int, most: int
) -> None:
    vectors = np.tile(units(seed, distinct), (copies, 1))
    index = FlatIndex(8)
    for start in range(0, len(vectors), 7):
        index.add(vectors[start : start + 7])
    assert len(index) == len(vectors)
    for query in (units(seed + 1, 1)[0], vectors[0]):
        found, wanted = index.nearest(query, most), brute_force(vectors, query, most)
        assert [place for place, _ in found] == [place for place, _ in wanted]
        assert [gap for _, gap in found] == pytest.approx([gap for _, gap in wanted], abs=2e-6)


def test_all_of_many_equal_vectors_are_searched_for_the_first() -> None:
    index = FlatIndex(8)
    index.add(np.repeat(units(3, 1), 3000, axis=0))
    assert index.nearest(units(3, 1)[0], 3) == [(0, 0.0), (1, 0.0), (2, 0.0)]


def test_an_empty_index_finds_nothing() -> None:
    assert FlatIndex(4).nearest(units(0, 1, 4)[0], 5) == []


class FakeGpu:
    """FAISS as a build for GPUs has it, with what it says of itself."""

    def __init__(self, *, devices: int = 1, full: bool = False) -> None:
        self.faiss = flat_index.__dict__["_faiss"].__wrapped__()
        self.devices, self.full = devices, full
        self.made: list[int] = []
        self.copied = 0

    def module(self) -> Any:
        return SimpleNamespace(
            StandardGpuResources=lambda: SimpleNamespace(setTempMemory=self.made.append),
            get_num_gpus=lambda: self.devices,
            GpuIndexFlatL2=self.make,
            IndexFlatL2=self.faiss.IndexFlatL2,
            index_gpu_to_cpu=self.copy,
        )

    def make(self, resources: object, dimensions: int) -> Any:
        if self.full:
            raise RuntimeError("cudaMalloc failed")
        gpu, flat = self, self.faiss.IndexFlatL2(dimensions)

        class Index:
            inner = flat
            ntotal = property(lambda _: flat.ntotal)
            add, reconstruct_batch = flat.add, flat.reconstruct_batch

            def search(self, query: Any, count: int) -> Any:
                assert count <= 2048, "no GPU returns more"
                # A GPU's products are less exact than those of a processor.
                squares, places = flat.search(query, gpu_count(count))
                order = np.argsort(squares[0] + gpu.noise(squares.shape[1]))[:count]
                return squares[:, order], places[:, order]

        def gpu_count(count: int) -> int:
            return min(flat.ntotal, count + 8)

        return Index()

    def noise(self, size: int) -> Any:
        return np.random.default_rng(size).normal(scale=1e-6, size=size)

    def copy(self, index: Any) -> Any:
        self.copied += 1
        return index.inner


@pytest.fixture
def build(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    resources = flat_index.__dict__["_gpu_resources"]

    def use(**given: Any) -> FakeGpu:
        gpu = FakeGpu(**given)
        monkeypatch.setattr(flat_index, "_faiss", gpu.module)
        resources.cache_clear()
        return gpu

    yield use
    monkeypatch.undo()
    resources.cache_clear()


def test_on_a_gpu_it_finds_the_same(build: Any) -> None:
    vectors, query = np.tile(units(5, 30), (3, 1)), units(6, 1)[0]
    gpu = build()
    index = FlatIndex(8)
    index.add(vectors)
    assert gpu.made == [16 << 20], "what is left of the GPU is the engine's"
    found = index.nearest(query, 20)
    assert [p for p, _ in found] == [p for p, _ in brute_force(vectors, query, 20)]
    index.add(units(7, 3000))
    assert len(index.nearest(query, 2500)) == 2500
    assert gpu.copied


def test_ties_come_in_order_however_the_gpu_returns_them(
    build: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of 400 equal vectors a GPU may return any first; all of them are looked at."""

    def fall(_: FakeGpu, size: int) -> Any:
        return -np.arange(size) * 1e-8

    monkeypatch.setattr(FakeGpu, "noise", fall)
    build()
    index = FlatIndex(8)
    index.add(np.repeat(units(8, 2), 400, axis=0))
    assert index.nearest(units(8, 2)[1], 3) == [(400, 0.0), (401, 0.0), (402, 0.0)]


@pytest.mark.parametrize("given", [{"devices": 0}, {"full": True}])
def test_without_room_on_a_gpu_it_is_in_memory(build: Any, given: dict[str, Any]) -> None:
    build(**given)
    index = FlatIndex(8)
    index.add(units(1, 3))
    assert index.nearest(units(1, 3)[2], 1) == [(2, 0.0)]
