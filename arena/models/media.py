"""Pictures on their way to an endpoint: which it holds, and the bytes of the others."""

import asyncio
from base64 import b64encode
from collections import OrderedDict
from collections.abc import Callable, Collection, Generator, Iterable, Mapping
from contextlib import contextmanager, suppress

from scripts_mm.script import Picture

CACHE_CHARS = 128 * 1024 * 1024
"""Of base64 text: about a hundred large pictures."""

WAIT_SECONDS = 10.0
"""For another request to bring a picture to the server, before its bytes go a second time."""


class Media:
    """The pictures that one endpoint was sent and may still hold, by content hash.

    It may be wrong: servers forget and are restarted. Whoever relies on it must be ready to send
    the bytes after all.
    """

    def __init__(self, *, wait_seconds: float = WAIT_SECONDS) -> None:
        self._wait_seconds = wait_seconds
        self._held: set[str] = set()
        self._flights: dict[str, asyncio.Event] = {}

    def known(self, sha: str) -> bool:
        """Return whether the endpoint was sent this picture since it last forgot."""
        return sha in self._held

    def sent(self, shas: Iterable[str]) -> None:
        """Note that a request with these pictures was answered."""
        arrived = set(shas)
        self._held |= arrived
        for sha in arrived & self._flights.keys():
            self._flights.pop(sha).set()

    async def settle(self, shas: Collection[str]) -> None:
        """Wait while all of `shas` that are not held are on their way in other requests.

        Who waits sends nothing, so that nobody waits for one who waits; at most `wait_seconds`.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(self._wait_seconds):
                while (flight := self._awaited(shas)) is not None:
                    await flight.wait()

    def _awaited(self, shas: Iterable[str]) -> asyncio.Event | None:
        missing = [sha for sha in shas if sha not in self._held]
        if not missing or any(sha not in self._flights for sha in missing):
            return None
        return self._flights[missing[0]]

    @contextmanager
    def sending(self, shas: Iterable[str]) -> Generator[None]:
        """Let others wait for these pictures as long as they are on their way in this request."""
        mine = {sha: asyncio.Event() for sha in shas if sha not in self._flights}
        self._flights |= mine
        try:
            yield
        finally:
            for sha, flight in mine.items():
                if self._flights.get(sha) is flight:
                    del self._flights[sha]
                flight.set()

    def forget(self, shas: Iterable[str] | None = None) -> None:
        """Note that the endpoint may not hold these pictures; None: that it may hold none."""
        if shas is None:
            self._held.clear()
        else:
            self._held.difference_update(shas)


class DataUrls:
    """Pictures as data URLs; the bytes of each are read once while they stay in the cache."""

    def __init__(self, read: Callable[[Picture], bytes], *, most_chars: int = CACHE_CHARS) -> None:
        self._read = read
        self._most = most_chars
        self._chars = 0
        self._urls: OrderedDict[str, bytes] = OrderedDict()

    async def load(self, pictures: Iterable[Picture]) -> Mapping[str, bytes]:
        """Return the data URLs of `pictures` by content hash; errors are those of `read`.

        What is not in the cache is read and encoded in a thread, the event loop runs on.
        """
        wanted = {picture.sha256: picture for picture in pictures}
        missing = [picture for sha, picture in wanted.items() if sha not in self._urls]
        found = {sha: self._urls[sha] for sha in wanted if sha in self._urls}
        for sha in found:
            self._urls.move_to_end(sha)
        if missing:
            read = await asyncio.to_thread(self._encode, missing)
            found.update(read)
            self._keep(read)
        return found

    def _encode(self, pictures: list[Picture]) -> dict[str, bytes]:
        return {
            picture.sha256: f"data:{picture.mime};base64,".encode() + b64encode(self._read(picture))
            for picture in pictures
        }

    def _keep(self, read: Mapping[str, bytes]) -> None:
        for sha, url in read.items():
            if sha not in self._urls:
                self._urls[sha] = url
                self._chars += len(url)
        while self._chars > self._most:
            self._chars -= len(self._urls.popitem(last=False)[1])
