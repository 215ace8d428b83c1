"""Reference prefix cache of an engine that evicts nothing, exact to the block.

The rules follow vLLM 0.32 (v1/core/kv_cache_utils.py, kv_cache_manager.py):

- Only full blocks are cached.
- The identity of a block is all tokens up to its end, the pictures in it (content id, and start
  relative to the block) and, from the first block on, the salt.
- The engine always computes the last token of a prompt, and never the last token of a reply.

Token ids are those that the engine computes with: a picture is the sequence of its placeholders.
"""

from array import array
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256

Pictures = Mapping[int, tuple[str, int]]
"""Index of a picture's first placeholder token -> its content id and number of tokens."""
NO_PICTURES: Pictures = {}
_Seen = tuple[tuple[str, int], ...]
_WIDTH = array("I").itemsize


def expand_images(
    ids: Sequence[int], places: Sequence[int], pictures: Sequence[tuple[str, int]]
) -> "tuple[array[int], dict[int, tuple[str, int]]]":
    """Return ids and pictures as the engine sees them, from ids with one placeholder a picture.

    `places` are the indexes of the placeholders, ascending; `pictures` their content ids and
    numbers of tokens.
    """
    out, spans, copied = array("I"), dict[int, tuple[str, int]](), 0
    for place, (name, length) in zip(places, pictures, strict=True):
        out.extend(array("I", ids[copied:place]))
        spans[len(out)] = (name, length)
        out.extend(array("I", ids[place : place + 1]) * length)
        copied = place + 1
    out.extend(array("I", ids[copied:]))
    return out, spans


def block_hashes(
    ids: Sequence[int], pictures: Pictures, block_size: int, salt: str = ""
) -> tuple[bytes, ...]:
    """Return one hash per full block of `ids`; it covers everything up to the block's end."""
    hashes: list[bytes] = []
    parent = sha256(salt.encode()).digest()
    for tokens, seen in _blocks(ids, pictures, block_size, len(ids) // block_size):
        parent = sha256(parent + tokens + (repr(seen).encode() if seen else b"")).digest()
        hashes.append(parent)
    return tuple(hashes)


class PrefixCacheOracle:
    """Trie of all blocks that an endpoint ever computed."""

    def __init__(self, block_size: int) -> None:
        self._block_size = block_size
        self._nodes: dict[tuple[int, bytes, _Seen], int] = {}
        self._roots: dict[str, int] = {}

    def cached(self, ids: Sequence[int], pictures: Pictures = NO_PICTURES, salt: str = "") -> int:
        """Return how many tokens of a prompt an engine without eviction would report as cached."""
        node, found, size = self._roots.get(salt), 0, self._block_size
        if node is None:
            return 0
        for tokens, seen in _blocks(ids, pictures, size, (len(ids) - 1) // size):
            node = self._nodes.get((node, tokens, seen))
            if node is None:
                break
            found += 1
        return found * size

    def add(self, ids: Sequence[int], pictures: Pictures = NO_PICTURES, salt: str = "") -> None:
        """Add computed tokens: `ids` are a prompt and its reply without the last token."""
        nodes, size = self._nodes, self._block_size
        node = self._roots.setdefault(salt, -1 - len(self._roots))
        for tokens, seen in _blocks(ids, pictures, size, len(ids) // size):
            node = nodes.setdefault((node, tokens, seen), len(nodes))


def _blocks(
    ids: Sequence[int], pictures: Pictures, block_size: int, count: int
) -> Iterator[tuple[bytes, _Seen]]:
    """Yield the tokens and the pictures of the first `count` blocks."""
    raw = array("I", ids).tobytes()
    width = block_size * _WIDTH
    seen: dict[int, _Seen] = {}
    for start, (name, length) in sorted(pictures.items()):
        for number in range(start // block_size, -(-(start + length) // block_size)):
            seen[number] = (*seen.get(number, ()), (name, start - number * block_size))
    for number in range(count):
        yield raw[number * width : (number + 1) * width], seen.get(number, ())
