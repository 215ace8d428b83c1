"""Site: shared state of the page handlers, such as runs, followed matches and page sending."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final, TypeVar
from urllib.parse import quote, urlencode

from aiohttp import web

from arena.core.observation import Spectator
from arena.core.seats import SeatId
from arena.errors import ArenaError
from arena.records.match_record import MatchRecord
from arena.records.run_record import RunRecord
from arena.web.feed import MatchFeed
from arena.web.fragments import Links
from arena.web.observer_choice import may_reveal, read_observer
from arena.web.pages import iterate_page, render_page
from arena.web.review import Review, Reviewer
from arena.web.run_directory import RunDirectory
from arena.web.run_meter import RunMeter
from scripts_mm.script import Picture

OBSERVER_PARAMETER: Final = "as"
_BLOCK: Final = 1 << 14
"""Characters of a long page that are sent together: the browser paints the first block while it
gets the others, and other requests are served in between.
"""
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchAddress:
    """Requested match and observer."""

    run: str
    match: str
    observer: str = ""

    @staticmethod
    def read(request: web.Request) -> "MatchAddress":
        """Return the match and observer that an address names."""
        names, observer = request.match_info, request.query.get(OBSERVER_PARAMETER, "")
        return MatchAddress(run=names["run"], match=names["match"], observer=observer)

    @property
    def path(self) -> str:
        """The path of the match."""
        return f"/runs/{quote(self.run, safe='')}/matches/{quote(self.match, safe='')}"

    def events_path(self) -> str:
        """Return the address of the events, without the number after which they begin."""
        return f"{self.path}/events?{urlencode({OBSERVER_PARAMETER: self.observer})}"

    def calls_path(self, request: str) -> str:
        """Return the address of the model calls behind a request."""
        asked = urlencode({"request": request, OBSERVER_PARAMETER: self.observer})
        return f"{self.path}/calls?{asked}"


@dataclass(slots=True, kw_only=True)
class Site:
    """Shared state of the handlers."""

    runs: RunDirectory
    reviewer: Reviewer
    replays_folder: Path
    """Folder for the records that visitors uploaded; deleted when the server ends."""
    feeds: dict[tuple[str, str, str], MatchFeed] = field(
        default_factory=dict[tuple[str, str, str], MatchFeed]
    )
    """By run, match, and observer."""
    meters: dict[str, RunMeter] = field(default_factory=dict[str, RunMeter])
    reviews: dict[Path, Review] = field(default_factory=dict[Path, Review])
    """Reviews of complete matches, which do not change."""
    worker: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(max_workers=1))
    """Worker for long tasks, one after the other."""

    def feed(self, place: MatchAddress) -> MatchFeed:
        """Return the feed of a match; raises `RecordError` if there is none that may be shown."""
        run = self.runs.open(place.run)
        run.spec(place.match)
        record = run.match(place.match)
        observer = read_observer(run, record, place.observer)
        shows_calls = bool(place.observer) and may_reveal(run, record)
        key = (place.run, place.match, place.observer)
        return self.open_feed(
            key, record, observer, calls=place.calls_path if shows_calls else None
        )

    def open_feed(
        self,
        key: tuple[str, str, str],
        record: MatchRecord,
        observer: SeatId | Spectator,
        calls: Callable[[str], str] | None = None,
    ) -> MatchFeed:
        """Return the one feed of a record and an observer."""
        if key not in self.feeds:
            picture = partial(picture_address, self.runs.name_of(record.run))
            self.feeds[key] = MatchFeed(record, observer, Links(picture=picture, calls=calls))
        return self.feeds[key]

    def meter(self, name: str, run: RunRecord) -> RunMeter:
        """Return the one meter of a run."""
        return self.meters.setdefault(name, RunMeter(run))

    async def review(self, record: MatchRecord) -> Review:
        """Return the review of a match with its truth; empty before it is complete."""
        if record.path not in self.reviews:
            if not record.is_complete():
                return Review()
            try:
                self.reviews[record.path] = await self.run_in_worker(self.reviewer, record)
            except ArenaError as error:
                return Review(fault=str(error))
        return self.reviews[record.path]

    async def run_in_worker(self, do: Callable[..., T], *values: object) -> T:
        """Return the result of `do`, without blocking the pages."""
        return await asyncio.get_running_loop().run_in_executor(self.worker, do, *values)


SITE: Final = web.AppKey("site", Site)


def picture_address(run: str, picture: Picture) -> str:
    """Return the address of a picture of a run."""
    return f"/runs/{quote(run, safe='')}/pictures/{picture.sha256}"


def make_page(template: str, *, status: int = 200, **values: object) -> web.Response:
    """Return a page."""
    text = render_page(template, **values)
    return web.Response(text=text, status=status, content_type="text/html")


async def send_page(request: web.Request, template: str, **values: object) -> web.StreamResponse:
    """Send a page that may be long, block by block."""
    response = web.StreamResponse()
    response.content_type, response.charset = "text/html", "utf-8"
    with suppress(ConnectionResetError):
        await response.prepare(request)
        block, size = list[str](), 0
        for piece in iterate_page(template, **values):
            block.append(piece)
            size += len(piece)
            if size > _BLOCK:
                await response.write("".join(block).encode())
                await asyncio.sleep(0)
                block, size = [], 0
        await response.write("".join(block).encode())
    return response
