"""The chained hashes of a prompt's full blocks, and the seed of its reply."""

from array import array
from collections.abc import Sequence
from hashlib import sha256

import numpy as np

from serving.engine_sim.caches.picture_cache import CachedPicture
from serving.engine_sim.error_responses import RefusalError


def expand_pictures(
    ids: "array[int]", placeholder: int, pictures: Sequence[CachedPicture]
) -> "tuple[array[int], tuple[int, ...]]":
    """Return `ids` with every placeholder expanded, and the start of each picture.

    A placeholder becomes the picture's marks: as in vLLM, two blocks are equal only if they hold
    the same tokens and the same parts of the same pictures. Raises `RefusalError` if the numbers
    of placeholders and pictures differ.
    """
    stand = np.flatnonzero(np.frombuffer(ids, np.uintc) == placeholder).tolist()
    if len(stand) != len(pictures):
        raise RefusalError(f"{len(stand)} placeholders in the prompt for {len(pictures)} images")
    if not pictures:
        return ids, ()
    marked, places, begin = array("I"), list[int](), 0
    for place, picture in zip(stand, pictures, strict=True):
        marked += ids[begin:place]
        places.append(len(marked))
        marked += picture.marks
        begin = place + 1
    return marked + ids[begin:], tuple(places)


def hash_blocks(marked: "array[int]", block: int, *, salt: str) -> tuple[int, ...]:
    """Return a hash for each full block of `marked`, chained with all blocks before it.

    The hashes differ between processes.
    """
    raw, size = marked.tobytes(), block * marked.itemsize
    parent, hashes = hash(("salt", salt)), list[int]()
    for end in range(size, len(raw) + 1, size):
        parent = hash((parent, raw[end - size : end]))
        hashes.append(parent)
    return tuple(hashes)


def reply_seed(seed: int, request_id: str, marked: "array[int]") -> bytes:
    """Return the 32-byte seed of a reply, the same in every process.

    It depends on the server's `seed` and the request's id; without an id, on the prompt. The part
    after the last `~` of an id, which distinguishes two sends of one request, is ignored.
    """
    name = request_id.rpartition("~")[0] or request_id
    return sha256(b"%d/" % seed + (name.encode(errors="replace") or marked.tobytes())).digest()
