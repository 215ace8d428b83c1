"""The chained hashes of a prompt's full blocks, and the seed of its reply."""

from array import array
from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256
from struct import iter_unpack
from typing import Final

from serving.engine_sim.caches.picture_cache import CachedPicture

_BYTES: Final = array("I").itemsize
_RUN: Final = 64
"""Blocks that are hashed and cached together."""
_MOST_RUNS: Final = 8192
"""The size of the cache; an entry takes about 6 KB at 16 tokens a block."""


def expand_pictures(
    ids: "array[int]", placeholder: int, pictures: Sequence[CachedPicture]
) -> "tuple[array[int], tuple[int, ...]]":
    """Return `ids` with every placeholder expanded, and the start of each picture.

    A placeholder becomes the picture's marks: as in vLLM, two blocks are equal only if they hold
    the same tokens and the same parts of the same pictures. Raises `ValueError` if the numbers of
    placeholders and pictures differ.
    """
    stand = _find_token(ids, placeholder)
    if len(stand) != len(pictures):
        raise ValueError(f"{len(stand)} placeholders in the prompt for {len(pictures)} images")
    if not pictures:
        return ids, ()
    marked, places, begin = array("I"), list[int](), 0
    for place, picture in zip(stand, pictures, strict=True):
        marked += ids[begin:place]
        places.append(len(marked))
        marked += picture.marks
        begin = place + 1
    return marked + ids[begin:], tuple(places)


def _find_token(ids: "array[int]", wanted: int) -> list[int]:
    """Return the positions of `wanted`; searches bytes, which is faster than a loop over tokens."""
    raw, mark = ids.tobytes(), array("I", [wanted]).tobytes()
    found, at = list[int](), raw.find(mark)
    while at >= 0:
        if at % _BYTES == 0:
            found.append(at // _BYTES)
        at = raw.find(mark, at + 1)
    return found


def hash_blocks(marked: "array[int]", block: int, *, salt: str) -> tuple[int, ...]:
    """Return a hash for each full block of `marked`, chained with all blocks before it.

    The hashes differ between processes.
    """
    raw, size = marked.tobytes(), block * _BYTES
    end, run = len(raw) // size * size, size * _RUN
    parent, hashes = hash(("salt", salt)), list[int]()
    for begin in range(0, end, run):
        hashes += _hash_run(parent, raw[begin : min(begin + run, end)], size)
        parent = hashes[-1]
    return tuple(hashes)


@lru_cache(maxsize=_MOST_RUNS)
def _hash_run(parent: int, raw: bytes, size: int) -> list[int]:
    """Return the chained hashes of a run of blocks after `parent`; cached for common prefixes."""
    hashes = list[int]()
    for (own,) in iter_unpack(f"{size}s", raw):
        parent = hash((parent, own))
        hashes.append(parent)
    return hashes


def reply_seed(seed: int, request_id: str, marked: "array[int]") -> bytes:
    """Return the 32-byte seed of a reply, the same in every process.

    It depends on the server's `seed` and the request's id; without an id, on the prompt. The part
    after the last `~` of an id, which distinguishes two sends of one request, is ignored.
    """
    name = request_id.rpartition("~")[0] or request_id
    return sha256(b"%d/" % seed + (name.encode(errors="replace") or marked.tobytes())).digest()
