"""Lexical search: sentences, search terms, BM25."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

_SENTENCE_END = re.compile(
    r"(?:(?<!\bNo)(?<!\bMr)(?<!\bMrs)(?<!\bDr)(?<!\bSt)\.(?=[\s.!?”\"'’」』)]|$)|[!?。！？\n])"
    r"[.!?。！？]*[”\"'’」』]*"
)
_WORD = re.compile(r"[a-z0-9']+")
_CJK = re.compile(r"[\u3400-\u9fff]+")
_COMMON_WORDS = (
    "a an and are as at be been but by did do does for from had has have he her him his how i if "
    "in into is it its me my no not of on or our out she so than that the their them then there "
    "they this to up was we were what when where which who why will with would you your"
)
STOP_WORDS = frozenset(_COMMON_WORDS.split())
"""English words that do not indicate a text's topic."""


def split_sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of `text`, in order; a line break ends a sentence."""
    ends = [0, *(found.end() for found in _SENTENCE_END.finditer(text)), len(text)]
    parts = (text[start:end].strip() for start, end in pairwise(ends))
    return tuple(part for part in parts if part)


def search_terms(text: str) -> list[str]:
    """Return the search terms of `text`.

    Chinese: single characters and pairs of adjacent characters. Other scripts: words in lower case
    without stop words.
    """
    text = text.lower()
    found = [word for word in _WORD.findall(text) if word not in STOP_WORDS]
    for run in _CJK.findall(text):
        found += run
        found += (run[i : i + 2] for i in range(len(run) - 1))
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class LexicalHit:
    """A hit of a search: the unit's index, and its score."""

    index: int
    score: float
    """BM25 score, or similarity of the embeddings."""


class Bm25:
    """Okapi BM25 over a fixed list of units, k1 = 1.2 and b = 0.75.

    score(q, d) = sum over tokens t of q of idf(t) * f (k1 + 1) / (f + k1 (1 - b + b |d| / avg)),
    idf(t) = ln(1 + (N - n + 0.5) / (n + 0.5)) with f the count of t in d, N the number of units, n
    that of units with t (Robertson and Zaragoza 2009, section 3.2; the idf that stays positive).
    """

    def __init__(self, units: Sequence[str], *, k1: float = 1.2, b: float = 0.75) -> None:
        self._counts = [Counter(search_terms(unit)) for unit in units]
        self._k1, self._b = k1, b
        lengths = [count.total() for count in self._counts]
        self._average = (sum(lengths) / len(lengths) if lengths else 0.0) or 1.0
        self._holders = Counter(token for count in self._counts for token in count)

    def best(self, query: str, most: int) -> tuple[LexicalHit, ...]:
        """Return the `most` best units with a score above 0, best first; ties in unit order."""
        wanted = search_terms(query)
        hits = [
            LexicalHit(index=index, score=self._score(wanted, count))
            for index, count in enumerate(self._counts)
        ]
        found = sorted((hit for hit in hits if hit.score > 0), key=lambda h: (-h.score, h.index))
        return tuple(found[:most])

    def _score(self, wanted: list[str], count: Counter[str]) -> float:
        norm = self._k1 * (1 - self._b + self._b * count.total() / self._average)
        return sum(
            self._idf(token) * count[token] * (self._k1 + 1) / (count[token] + norm)
            for token in wanted
            if token in count
        )

    def _idf(self, token: str) -> float:
        holders = self._holders[token]
        return math.log(1 + (len(self._counts) - holders + 0.5) / (holders + 0.5))
