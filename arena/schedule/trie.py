"""What a server's prefix cache would hold if it never evicted, to the block.

The rules are those of vLLM 0.32: only full blocks are kept; a block is known by all tokens up to
its end, by the pictures in it (content id and where they begin, relative to the block) and, from
the first block on, by the salt; the last token of a prompt is always computed again; the last
token of a reply never was (v1/core/kv_cache_utils.py, kv_cache_manager.py).

Ids are those that the server computes with: each picture stands as all its placeholder tokens.
"""

from array import array
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256

Pictures = Mapping[int, tuple[str, int]]
"""Index of a picture's first placeholder token -> its content id and number of tokens."""
NO_PICTURES: Pictures = {}
_Seen = tuple[tuple[str, int], ...]
_WIDTH = array("I").itemsize


def expanded(
    ids: Sequence[int], places: Sequence[int], pictures: Sequence[tuple[str, int]]
) -> "tuple[array[int], dict[int, tuple[str, int]]]":
    """Return ids and pictures as the server sees them, from ids with one placeholder a picture.

    `places` are the indexes of the placeholders, rising; `pictures` their content ids and tokens.
    """
    out, spans, told = array("I"), dict[int, tuple[str, int]](), 0
    for place, (name, length) in zip(places, pictures, strict=True):
        out.extend(array("I", ids[told:place]))
        spans[len(out)] = (name, length)
        out.extend(array("I", ids[place : place + 1]) * length)
        told = place + 1
    out.extend(array("I", ids[told:]))
    return out, spans


def chain(ids: Sequence[int], pictures: Pictures, block: int, salt: str = "") -> tuple[bytes, ...]:
    """Return one hash for each full block of `ids`, each of all that stands up to its end."""
    hashes: list[bytes] = []
    before = sha256(salt.encode()).digest()
    for tokens, seen in _blocks(ids, pictures, block, len(ids) // block):
        before = sha256(before + tokens + (repr(seen).encode() if seen else b"")).digest()
        hashes.append(before)
    return tuple(hashes)


class Trie:
    """All blocks that were ever computed on an endpoint."""

    def __init__(self, block: int) -> None:
        self._block = block
        self._nodes: dict[tuple[int, bytes, _Seen], int] = {}
        self._roots: dict[str, int] = {}

    def cached(self, ids: Sequence[int], pictures: Pictures = NO_PICTURES, salt: str = "") -> int:
        """Return how many tokens of a prompt a server without eviction would report as cached."""
        node, found = self._roots.get(salt), 0
        if node is None:
            return 0
        for tokens, seen in _blocks(ids, pictures, self._block, (len(ids) - 1) // self._block):
            node = self._nodes.get((node, tokens, seen))
            if node is None:
                break
            found += 1
        return found * self._block

    def keep(self, ids: Sequence[int], pictures: Pictures = NO_PICTURES, salt: str = "") -> None:
        """Add what was computed: `ids` are a prompt and its reply without the last token."""
        nodes = self._nodes
        node = self._roots.setdefault(salt, -1 - len(self._roots))
        for tokens, seen in _blocks(ids, pictures, self._block, len(ids) // self._block):
            node = nodes.setdefault((node, tokens, seen), len(nodes))


def _blocks(
    ids: Sequence[int], pictures: Pictures, block: int, count: int
) -> Iterator[tuple[bytes, _Seen]]:
    """Yield the tokens and the pictures of the first `count` blocks."""
    raw = array("I", ids).tobytes()
    size = block * _WIDTH
    seen: dict[int, _Seen] = {}
    for start, (name, length) in sorted(pictures.items()):
        for number in range(start // block, -(-(start + length) // block)):
            seen[number] = (*seen.get(number, ()), (name, start - number * block))
    for number in range(count):
        yield raw[number * size : (number + 1) * size], seen.get(number, ())
