"""The web server: pages of the runs in a folder, and streams of their events."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final
from urllib.parse import quote, urlencode

from aiohttp import web
from aiohttp.typedefs import Handler

from arena.errors import ArenaError, RecordError
from arena.view.i18n.choice import messages_for
from arena.web.calls import calls_of
from arena.web.feed import MatchFeed
from arena.web.fragments import Links
from arena.web.observers import may_reveal, read_observer, seats_of
from arena.web.pages import STATIC, render_page
from arena.web.runs import Runs
from arena.web.seat import MAX_FORM, ROUTES, SEATS, SeatPages
from arena.web.security import Access, add_headers, guard
from arena.web.streams import OVER, encode, last_seen, stream
from scripts_mm.script import Picture

_FOREVER: Final = "public, max-age=31536000, immutable"
_AS: Final = "as"
_TYPES: Final = {b"\x89PNG": "image/png", b"\xff\xd8\xff": "image/jpeg"}


@dataclass(slots=True)
class Site:
    """What the handlers share."""

    runs: Runs
    feeds: dict[tuple[str, str, str], MatchFeed] = field(
        default_factory=dict[tuple[str, str, str], MatchFeed]
    )
    """By run, match, and as whom it is seen."""

    def feed(self, place: "Place") -> MatchFeed:
        """Return the feed of a match; raises `RecordError` where there is none to be shown."""
        run = self.runs.open(place.run)
        run.spec(place.match)
        record = run.match(place.match)
        observer = read_observer(run, record, place.observer)
        key = (place.run, place.match, place.observer)
        if key not in self.feeds:
            shows_calls = place.observer and may_reveal(run, record)
            links = Links(
                picture=partial(picture_address, place.run),
                calls=place.calls if shows_calls else None,
            )
            self.feeds[key] = MatchFeed(record, observer, links)
        return self.feeds[key]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Which match is asked for, and as whom it is seen."""

    run: str
    match: str
    observer: str = ""

    @staticmethod
    def read(request: web.Request) -> "Place":
        """Return what an address names."""
        names, observer = request.match_info, request.query.get(_AS, "")
        return Place(run=names["run"], match=names["match"], observer=observer)

    @property
    def address(self) -> str:
        """The path of the match."""
        return f"/runs/{quote(self.run, safe='')}/matches/{quote(self.match, safe='')}"

    def stream(self) -> str:
        """Return the address of the events, without the number after which they begin."""
        return f"{self.address}/events?{urlencode({_AS: self.observer})}"

    def calls(self, request: str) -> str:
        """Return the address of the model calls behind a request."""
        return f"{self.address}/calls?{urlencode({'request': request, _AS: self.observer})}"


SITE: Final = web.AppKey("site", Site)


def picture_address(run: str, picture: Picture) -> str:
    """Return the address of a picture of a run."""
    return f"/runs/{quote(run, safe='')}/pictures/{picture.sha256}"


def make_app(folder: Path, access: Access, seats: Sequence[SeatPages] = ()) -> web.Application:
    """Return the application that shows the runs of `folder`, and the seats of persons."""
    app = web.Application(middlewares=[guard(access), _report], client_max_size=MAX_FORM)
    app.on_response_prepare.append(add_headers)
    app[SITE] = Site(Runs(folder))
    app[SEATS] = tuple(seats)
    app.add_routes(ROUTES)
    app.add_routes(
        [
            web.get("/", show_index),
            web.get("/runs/{run}", show_run),
            web.get("/runs/{run}/matches/{match}", show_match),
            web.get("/runs/{run}/matches/{match}/events", stream_events),
            web.get("/runs/{run}/matches/{match}/calls", show_calls),
            web.get("/runs/{run}/pictures/{sha256}", send_picture),
            web.static("/static", STATIC),
        ]
    )
    return app


@asynccontextmanager
async def serve(
    folder: Path,
    access: Access,
    *,
    seats: Sequence[SeatPages] = (),
    host: str = "127.0.0.1",
    port: int = 0,
) -> AsyncGenerator[str]:
    """Serve the runs of `folder` until the block ends; yields the address."""
    runner = web.AppRunner(make_app(folder, access, seats), access_log=None, shutdown_timeout=1.0)
    await runner.setup()
    try:
        site = web.TCPSite(runner, host, port)
        await site.start()
        name, found = runner.addresses[0][:2]
        yield f"http://[{name}]:{found}" if ":" in name else f"http://{name}:{found}"
    finally:
        await runner.cleanup()


@web.middleware
async def _report(request: web.Request, handler: Handler) -> web.StreamResponse:
    try:
        return await handler(request)
    except ArenaError as error:
        return _page("fault.html.jinja", status=404, fault=str(error), language="en")


async def show_index(request: web.Request) -> web.StreamResponse:
    """Show all runs."""
    runs = request.app[SITE].runs
    if runs.is_one:
        raise web.HTTPFound(f"/runs/{runs.names()[0]}")
    return _page("index.html.jinja", runs=[runs.row(name) for name in runs.names()], language="en")


async def show_run(request: web.Request) -> web.StreamResponse:
    """Show the matches of a run."""
    runs, name = request.app[SITE].runs, request.match_info["run"]
    rows = runs.matches(name)
    languages = {row.summary.language for row in rows if row.summary is not None}
    messages = messages_for(*languages)
    return _page(
        "run.html.jinja",
        run=runs.row(name),
        matches=rows,
        messages=messages,
        language=messages.language,
    )


async def show_match(request: web.Request) -> web.StreamResponse:
    """Show a match as far as it is recorded; the page follows the rest itself."""
    site, place = request.app[SITE], Place.read(request)
    feed = site.feed(place)
    feed.read(at_once=True)
    run = site.runs.open(place.run)
    record = run.match(place.match)
    return _page(
        "match.html.jinja",
        run=place.run,
        match=place.match,
        stream=place.stream(),
        observer=place.observer,
        seats=seats_of(record) if may_reveal(run, record) else (),
        fragments=[one.html for one in feed.fragments if one.html],
        last=len(feed.fragments),
        is_over=feed.is_over,
        messages=feed.messages,
        language=feed.messages.language,
    )


async def show_calls(request: web.Request) -> web.StreamResponse:
    """Show what a seat was sent, thought and replied in one turn."""
    site, place = request.app[SITE], Place.read(request)
    run = site.runs.open(place.run)
    record = run.match(place.match)
    if not may_reveal(run, record):
        raise RecordError("a person plays in this match: no prompt of it is shown")
    wanted, language = request.query.get("request", ""), record.script().language
    found = calls_of(record, wanted, language)
    if not found:
        raise RecordError(f"no model was asked for {wanted[:80]!r}")
    back = f"{place.address}?{urlencode({_AS: place.observer})}"
    return _page(
        "calls.html.jinja",
        request=wanted,
        calls=found,
        back=back,
        picture_url=partial(picture_address, place.run),
        language=language,
    )


async def stream_events(request: web.Request) -> web.StreamResponse:
    """Send the events after the last that the browser has, as they come."""
    feed = request.app[SITE].feed(Place.read(request))
    return await stream(request, _follow(feed, last_seen(request)))


async def _follow(feed: MatchFeed, seen: int) -> AsyncGenerator[str]:
    while True:
        await feed.wait_beyond(seen)
        for one in feed.fragments[seen:]:
            yield encode(one)
        seen = len(feed.fragments)
        if feed.is_over:
            yield OVER
            return


async def send_picture(request: web.Request) -> web.StreamResponse:
    """Send a picture by its content hash."""
    run = request.app[SITE].runs.open(request.match_info["run"])
    data = run.read_picture(request.match_info["sha256"])
    kind = next((name for start, name in _TYPES.items() if data.startswith(start)), "")
    if not kind:
        raise RecordError("this picture is neither PNG nor JPEG")
    return web.Response(body=data, content_type=kind, headers={"Cache-Control": _FOREVER})


def _page(template: str, *, status: int = 200, **values: object) -> web.Response:
    text = render_page(template, **values)
    return web.Response(text=text, status=status, content_type="text/html")
