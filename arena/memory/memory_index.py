"""Memory index: search in a seat's observations by embeddings, or by BM25 if these fail."""

import asyncio
from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Final

from arena.errors import ModelError
from arena.memory.embedding import Embedder, Vectors, check_vectors
from arena.memory.flat_index import FlatIndex
from arena.memory.lexical import Bm25, LexicalHit
from arena.memory.search_log import SearchHits, SearchLog
from arena.models.chat import CallId

_SCORE_DECIMALS: Final = 6


def similarity(distance: float) -> float:
    """Return the similarity of unit vectors with this L2 distance: 1 if equal, 0 at a right angle.

    1 - d / sqrt(2), as in ThinkThrice; opposite vectors have 1 - sqrt(2).
    """
    return round(1.0 - distance / sqrt(2.0), _SCORE_DECIMALS)


class MemoryIndex:
    """Index of one seat in one match, in memory only.

    Units are numbered from 0 in the order of `add`, and never change.
    """

    def __init__(self, embedder: Embedder, searches: SearchLog | None = None) -> None:
        """Search with `embedder`; `searches` records the hits if it is not repeatable."""
        self._embedder = embedder
        self._searches = None if embedder.is_repeatable else searches
        self._units: list[str] = []
        self._flat: FlatIndex | None = None
        self._lock = asyncio.Lock()

    def __len__(self) -> int:
        """Return the number of units."""
        return len(self._units)

    @property
    def units(self) -> Sequence[str]:
        """All units, in order."""
        return tuple(self._units)

    def add(self, units: Sequence[str]) -> range:
        """Add units and return their numbers; the next search embeds them."""
        first = len(self._units)
        self._units += units
        return range(first, len(self._units))

    async def search(
        self,
        query: str,
        top_k: int | None = None,
        min_similarity: float | None = None,
        *,
        among: Sequence[int] | None = None,
        call_id: CallId | None = None,
    ) -> SearchHits:
        """Return the best units for `query`.

        `top_k` at most (None: all), with at least `min_similarity` (None: the embedder's threshold,
        since models differ in their similarities). `among`: search only these units, such as those
        that the seat knew at an earlier moment. `call_id` identifies the search in the record.
        If the embedder fails, BM25 finds units with a score above 0, and `SearchHits.lexical` is
        set.
        """
        places = range(len(self._units)) if among is None else tuple(dict.fromkeys(among))
        least = self._embedder.threshold if min_similarity is None else min_similarity
        if self._searches is None or call_id is None:
            return await self._find(query, top_k, least, places)
        texts = [self._units[place] for place in places]
        kept = self._searches.find(call_id, query, texts)
        if kept is not None:
            return _renumber(kept, places)
        hits = await self._find(query, top_k, least, places)
        number = {place: n for n, place in enumerate(places)}
        self._searches.save(call_id, query, texts, _renumber(hits, number))
        return hits

    async def _find(
        self, query: str, top_k: int | None, least: float, places: Sequence[int]
    ) -> SearchHits:
        most = len(places) if top_k is None else min(top_k, len(places))
        if most < 1:
            return SearchHits(found=())
        try:
            async with self._lock:
                flat, vector = await self._embed(query)
        except ModelError:
            return self._find_by_words(query, most, places)
        wanted = set(places)
        near = flat.nearest(vector, most if len(wanted) == len(flat) else len(flat))
        hits = (
            LexicalHit(index=place, score=similarity(gap)) for place, gap in near if place in wanted
        )
        found = [hit for hit in hits if hit.score >= least]
        return SearchHits(found=tuple(found[:most]))

    async def _embed(self, query: str) -> tuple[FlatIndex, Vectors]:
        """Return the index of all units, and the vector of `query`."""
        known = 0 if self._flat is None else len(self._flat)
        texts = [*self._units[known:], query]
        dimensions = None if self._flat is None else self._flat.dimensions
        vectors = check_vectors(await self._embedder.embed(texts), len(texts), dimensions)
        if self._flat is None:
            self._flat = FlatIndex(vectors.shape[1])
        self._flat.add(vectors[:-1])
        return self._flat, vectors[-1]

    def _find_by_words(self, query: str, most: int, places: Sequence[int]) -> SearchHits:
        found = Bm25([self._units[place] for place in places]).best(query, most)
        return _renumber(SearchHits(found=found, lexical=True), places)


def _renumber(hits: SearchHits, numbers: Sequence[int] | Mapping[int, int]) -> SearchHits:
    """Return `hits` with `numbers[n]` in place of each unit n."""
    found = (LexicalHit(index=numbers[hit.index], score=hit.score) for hit in hits.found)
    return SearchHits(found=tuple(found), lexical=hits.lexical)
