"""The memory of a seat: similarity, limits, growth, and words where vectors fail."""

import asyncio
from collections.abc import Sequence
from math import sqrt
from typing import Any

import numpy as np
import pytest

from arena.errors import EndpointUnavailableError
from arena.memory.embedding import EmbeddingError, Vectors
from arena.memory.memory_index import MemoryIndex, similarity
from arena.memory.ngram_embedder import NGRAMS
from arena.memory.search_log import SearchHits
from tests.arena.memory.embedders import FlakyEmbedder, TableEmbedder

PLANE = {
    "q": (1.0, 0.0),
    "same": (1.0, 0.0),
    "half": (sqrt(0.5), sqrt(0.5)),
    "right": (0.0, 1.0),
    "opposite": (-1.0, 0.0),
}
DOWN = EndpointUnavailableError("http://host does not answer")


def search(memory: MemoryIndex, query: str, *limits: Any, **more: Any) -> SearchHits:
    return asyncio.run(memory.search(query, *limits, **more))


def plane(*units: str, **more: Any) -> MemoryIndex:
    memory = MemoryIndex(TableEmbedder(dict(PLANE), **more))
    memory.add(units)
    return memory


def test_similarity_is_one_for_equal_vectors_and_zero_at_a_right_angle() -> None:
    found = search(plane("opposite", "right", "half", "same"), "q").found
    assert [hit.index for hit in found] == [3, 2, 1, 0]
    # d(half) = sqrt(2 - 2 cos 45 degrees)
    wanted = [1.0, 1 - sqrt(2 - sqrt(2)) / sqrt(2), 0.0, 1 - sqrt(2)]
    assert [hit.score for hit in found] == pytest.approx(wanted, abs=2e-6)
    assert (similarity(0.0), similarity(sqrt(2)), similarity(2.0)) == (1.0, 0.0, -0.414214)


def test_limits_are_how_many_and_how_similar() -> None:
    memory = plane("opposite", "right", "half", "same")
    assert [hit.index for hit in search(memory, "q", 2).found] == [3, 2]
    assert [hit.index for hit in search(memory, "q", None, 0.4).found] == [3, 2]
    assert [hit.index for hit in search(memory, "q", 1, 0.999).found] == [3]
    assert search(memory, "q", 0).found == ()
    assert search(memory, "q", 5).in_order == (0, 1, 2, 3)


def test_without_a_limit_of_similarity_the_threshold_of_the_embedder_holds() -> None:
    memory = plane("opposite", "right", "half", "same", threshold=0.1)
    assert search(memory, "q").in_order == (2, 3)
    assert search(memory, "q", None, -1.0).in_order == (0, 1, 2, 3)


def test_equal_units_come_in_the_order_in_which_they_were_added() -> None:
    memory = plane("half", "same", "half", "same", "half")
    assert [hit.index for hit in search(memory, "q").found] == [1, 3, 0, 2, 4]
    assert [hit.index for hit in search(memory, "q", 4).found] == [1, 3, 0, 2]


def test_only_the_units_that_are_asked_for_are_searched() -> None:
    memory = plane("same", "half", "right", "same")
    assert [hit.index for hit in search(memory, "q", 2, among=(2, 1, 2)).found] == [1, 2]
    assert search(memory, "q", among=()).found == ()


def test_units_are_embedded_once_and_can_be_added_at_any_time() -> None:
    embedder = TableEmbedder(dict(PLANE))
    memory = MemoryIndex(embedder)
    assert search(memory, "q") == SearchHits(found=())
    assert list(memory.add(["half", "right"])) == [0, 1]
    search(memory, "q")
    assert list(memory.add(["same"])) == [2]
    assert [hit.index for hit in search(memory, "q").found] == [2, 0, 1]
    search(memory, "right")
    assert embedder.asked == [("half", "right", "q"), ("same", "q"), ("right",)]
    assert (len(memory), memory.units) == (3, ("half", "right", "same"))


def test_simultaneous_searches_embed_a_unit_once() -> None:
    embedder = FlakyEmbedder()
    memory = MemoryIndex(embedder)
    memory.add(["a red lamp", "a blue door"])

    async def both() -> list[SearchHits]:
        async with asyncio.TaskGroup() as group:
            found = [group.create_task(memory.search("lamp")) for _ in range(5)]
        return [task.result() for task in found]

    assert {hits.found[0].index for hits in asyncio.run(both())} == {0}
    assert embedder.asked.count("a red lamp") == 1


def test_after_a_failure_words_are_searched_and_the_result_says_so() -> None:
    embedder = FlakyEmbedder(failing=frozenset({1, 2}), error=DOWN)
    memory = MemoryIndex(embedder)
    memory.add(["the lamp was red", "the door was shut", "a lamp in the hall"])
    lost = search(memory, "who lit the red lamp?", 5, 0.999)
    assert lost.lexical
    assert [hit.index for hit in lost.found] == [0, 2], "a score of BM25 is no similarity"
    assert search(memory, "lamp", among=(1, 2)).in_order == (2,), "numbers are those of all units"
    later = search(memory, "who lit the red lamp?", 1)
    assert not later.lexical
    assert later.found[0].index == 0


@pytest.mark.parametrize(
    "vectors",
    [
        np.zeros((3, 2)),
        np.full((3, 2), np.nan),
        np.full((3, 2), np.inf),
        np.array([[1.0, 0.0]] * 2),
        np.array([[2.0, 0.0]] * 3),
        np.ones(3),
        np.zeros((3, 0)),
    ],
)
def test_vectors_that_are_none_are_never_searched(vectors: Vectors) -> None:
    class Broken:
        name, is_repeatable, threshold = "broken", True, -1.0

        async def embed(self, texts: Sequence[str]) -> Vectors:
            return vectors

    memory = MemoryIndex(Broken())
    memory.add(["the lamp", "the door"])
    assert search(memory, "door") == SearchHits(found=search(memory, "door").found, lexical=True)
    assert [hit.index for hit in search(memory, "door").found] == [1]


def test_vectors_of_another_length_than_before_are_refused() -> None:
    sizes = iter((3, 4))

    class Changing:
        name, is_repeatable, threshold = "changing", True, -1.0

        async def embed(self, texts: Sequence[str]) -> Vectors:
            return np.tile(np.eye(next(sizes), dtype=np.float32)[0], (len(texts), 1))

    memory = MemoryIndex(Changing())
    memory.add(["the lamp"])
    assert [search(memory, "lamp").lexical for _ in range(2)] == [False, True]


def test_a_failure_that_is_no_models_is_not_hidden() -> None:
    memory = MemoryIndex(FlakyEmbedder(failing=frozenset({0}), error=ZeroDivisionError()))
    memory.add(["the lamp"])
    with pytest.raises(ZeroDivisionError):
        search(memory, "lamp")
    assert issubclass(EmbeddingError, Exception)


def test_both_languages_are_searched_in_one_memory() -> None:
    memory = MemoryIndex(NGRAMS)
    memory.add(["他把钥匙藏在钢琴里。", "He hid the key in the piano.", "外面一直在下雨。"])
    assert search(memory, "钥匙在哪里？", 1).in_order == (0,)
    assert search(memory, "Where are the keys?", 1).in_order == (1,)
