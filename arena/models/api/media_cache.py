"""Media cache of an endpoint: tracks its pictures, and stores the data URLs of the others."""

import asyncio
from base64 import b64encode
from collections import OrderedDict
from collections.abc import Callable, Collection, Generator, Iterable, Mapping
from contextlib import contextmanager, suppress

from scripts_mm.script import Picture

CACHE_CHARS = 128 * 1024 * 1024
"""Characters of base64 text: about a hundred large pictures."""

UPLOAD_WAIT_SECONDS = 10.0
"""Seconds to wait for another request's upload of a picture before its bytes are sent again."""


class MediaCacheTracker:
    """Tracker of the pictures that one endpoint received and may still hold, by content hash.

    It can be wrong, because servers evict pictures and restart. A caller must be ready to send the
    bytes after a cache miss.
    """

    def __init__(self, *, wait_seconds: float = UPLOAD_WAIT_SECONDS) -> None:
        self._wait_seconds = wait_seconds
        self._cached: set[str] = set()
        self._uploads: dict[str, asyncio.Event] = {}

    def is_cached(self, sha: str) -> bool:
        """Return whether the endpoint received this picture since the last `forget`."""
        return sha in self._cached

    def mark_cached(self, shas: Iterable[str]) -> None:
        """Record that a request with these pictures succeeded."""
        arrived = set(shas)
        self._cached |= arrived
        for sha in arrived & self._uploads.keys():
            self._uploads.pop(sha).set()

    async def wait_for_uploads(self, shas: Collection[str]) -> None:
        """Wait while other requests upload every one of `shas` that is not cached.

        A waiting request uploads nothing, so no two requests wait for each other. The wait ends
        after `wait_seconds`.
        """
        if not shas:
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(self._wait_seconds):
                while (upload := self._upload_to_await(shas)) is not None:
                    await upload.wait()

    def _upload_to_await(self, shas: Iterable[str]) -> asyncio.Event | None:
        missing = [sha for sha in shas if sha not in self._cached]
        if not missing or any(sha not in self._uploads for sha in missing):
            return None
        return self._uploads[missing[0]]

    @contextmanager
    def uploading(self, shas: Iterable[str]) -> Generator[None]:
        """Mark these pictures as being uploaded, so that other requests wait for them."""
        mine = {sha: asyncio.Event() for sha in shas if sha not in self._uploads}
        self._uploads |= mine
        try:
            yield
        finally:
            for sha, upload in mine.items():
                if self._uploads.get(sha) is upload:
                    del self._uploads[sha]
                upload.set()

    def forget(self, shas: Iterable[str] | None = None) -> None:
        """Record that the endpoint may lack these pictures; None: all pictures."""
        if shas is None:
            self._cached.clear()
        else:
            self._cached.difference_update(shas)


class DataUrlCache:
    """LRU cache of pictures as data URLs; it reads the bytes of each cached picture once."""

    def __init__(self, read: Callable[[Picture], bytes], *, max_chars: int = CACHE_CHARS) -> None:
        self._read = read
        self._max_chars = max_chars
        self._chars = 0
        self._urls: OrderedDict[str, bytes] = OrderedDict()

    async def load(self, pictures: Iterable[Picture]) -> Mapping[str, bytes]:
        """Return the data URLs of `pictures` by content hash; errors are those of `read`.

        A thread reads and encodes what is not cached, so that the event loop continues.
        """
        wanted = {picture.sha256: picture for picture in pictures}
        missing = [picture for sha, picture in wanted.items() if sha not in self._urls]
        found = {sha: self._urls[sha] for sha in wanted if sha in self._urls}
        for sha in found:
            self._urls.move_to_end(sha)
        if missing:
            read = await asyncio.to_thread(self._encode, missing)
            found.update(read)
            self._store(read)
        return found

    def _encode(self, pictures: list[Picture]) -> dict[str, bytes]:
        return {
            picture.sha256: f"data:{picture.mime};base64,".encode() + b64encode(self._read(picture))
            for picture in pictures
        }

    def _store(self, read: Mapping[str, bytes]) -> None:
        for sha, url in read.items():
            if sha not in self._urls:
                self._urls[sha] = url
                self._chars += len(url)
        while self._chars > self._max_chars:
            self._chars -= len(self._urls.popitem(last=False)[1])
