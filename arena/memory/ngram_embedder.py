"""Hashed n-grams: an embedder without weights, for Chinese, English and similar scripts.

Two texts are near if they share words or parts of words. Each feature is hashed to a dimension and
a sign, so that collisions cancel out (Weinberger et al. 2009).
"""

import asyncio
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from arena.memory.embedding import Vectors, to_unit
from arena.memory.lexical import STOP_WORDS

DIMENSIONS: Final = 2048
"""Chosen on the bundled Chinese scripts: of the pieces that name the person in the query, 97 % are
among the best three hits; with half the dimensions 90 %, with twice as many no more."""
_BUCKETS: Final = DIMENSIONS - 1
"""The first dimension is reserved for texts without features."""
_NGRAMS: Final = (3, 4)
"""Lengths of the parts of a word in characters; the marks of its two ends count."""
_PART_WEIGHT: Final = 0.4
"""Weight of a part of a word or a single Chinese character; a word or a pair has weight 1."""
_SLICE: Final = 64
"""Number of texts after which `embed` yields to other tasks."""

_CJK: Final = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
_RUNS: Final = re.compile(rf"([{_CJK}]+)|([^\W_{_CJK}]+(?:'[^\W_{_CJK}]+)*)")
_COMMON_CHARACTERS: Final = frozenset("的了是在我你他她它们这那和也就都着吗呢吧啊么与及而或")
"""Chinese characters that do not indicate a text's topic."""

_PAIRS: Final = (
    "什么 时候 怎么 为何 没有 有没 一个 一次 最后 我们 你们 他们 她们 自己 这个 那个 这里 那里 "
    "哪里 在哪 是谁 知道 觉得 可以 因为 所以 但是 如果 就是 不是 还是 一下 之后 之前"
)
_COMMON_PAIRS: Final = frozenset(_PAIRS.split())
"""Pairs of Chinese characters with little meaning: interrogatives, pronouns, conjunctions."""

_Feature = tuple[int, bool]
"""A hash, and whether the feature is whole (weight 1) and not a part."""


class NgramEmbedder:
    """Embedder by hashed n-grams: the same vectors in every process and on every host."""

    name = "ngrams-1"
    """The number is a version: vectors of different versions do not compare."""
    is_repeatable = True
    threshold = 0.03
    """Measured like `DIMENSIONS`: 10 % of the pieces about others reach 0.05 in English and 0.02 in
    Chinese; the best piece that names the person reaches 0.14 and 0.08 on average."""

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return a vector for each text; all texts without features share one."""
        found = np.zeros((len(texts), DIMENSIONS))
        for place, text in enumerate(texts):
            if place and place % _SLICE == 0:
                await asyncio.sleep(0)
            dimensions, values = _embed_text(text)
            found[place, dimensions] = values
        return to_unit(found)


NGRAMS: Final = NgramEmbedder()
"""Stateless, so one instance is enough."""


@lru_cache(maxsize=1 << 12)
def _embed_text(text: str) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the dimensions that are not zero and their values before `to_unit`, shapes (n,).

    Kept for later calls, so not to be changed: all seats that hear a speech embed it.
    """
    counts = Counter(_features(unicodedata.normalize("NFKC", text).casefold()))
    row = np.zeros(DIMENSIONS)
    hashes = np.fromiter((found for found, _ in counts), np.int64, len(counts))
    weights = np.fromiter((1.0 if whole else _PART_WEIGHT for _, whole in counts), np.float64)
    # Sub-linear: a feature that occurs ten times does not count ten times.
    weights *= 1.0 + np.log(np.fromiter(counts.values(), np.float64, len(counts)))
    signs = np.where(hashes & 0x8000_0000, -1.0, 1.0)
    np.add.at(row, 1 + hashes % _BUCKETS, signs * weights)
    if not row.any():
        row[0] = 1.0
    (dimensions,) = row.nonzero()
    return dimensions, row[dimensions]


def _features(text: str) -> Iterator[_Feature]:
    words = list[str]()
    for run, word in _RUNS.findall(text):
        if run:
            yield from _run_features(run)
        else:
            words.append(word)
    # A text that has only stop words keeps them: it needs features.
    telling = [word for word in words if word not in STOP_WORDS]
    for word in telling or words:
        yield from _word_features(word)


@lru_cache(maxsize=1 << 14)
def _word_features(word: str) -> tuple[_Feature, ...]:
    ends = f"<{word}>"
    parts = {
        ends[start : start + size] for size in _NGRAMS for start in range(len(ends) - size + 1)
    }
    whole = _hash("w", word), True
    return (whole, *((_hash("g", part), False) for part in sorted(parts)))


def _run_features(run: str) -> Iterator[_Feature]:
    for character in run:
        if character not in _COMMON_CHARACTERS:
            yield _hash("c", character), False
    for start in range(len(run) - 1):
        pair = run[start : start + 2]
        yield _hash("w", pair), pair not in _COMMON_PAIRS


@lru_cache(maxsize=1 << 16)
def _hash(kind: str, feature: str) -> int:
    return crc32(f"{kind}{feature}".encode("utf-8", "surrogatepass"))
