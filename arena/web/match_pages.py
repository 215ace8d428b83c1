"""Pages of a match: its log, its event stream, and the model calls of a turn."""

from collections.abc import AsyncGenerator
from functools import partial
from typing import Final
from urllib.parse import urlencode

from aiohttp import web

from arena.errors import RecordError
from arena.web.ballot_chart import draw_ballot_chart
from arena.web.call_view import calls_of
from arena.web.event_stream import END_MESSAGE, last_event_id, send_stream
from arena.web.feed import MatchFeed
from arena.web.observer_choice import TRUTH, may_reveal
from arena.web.review import CATEGORIES, Review
from arena.web.site import (
    OBSERVER_PARAMETER,
    SITE,
    MatchAddress,
    make_page,
    picture_address,
    send_page,
)

ROUTES: Final = web.RouteTableDef()


@ROUTES.get("/runs/{run}/matches/{match}")
async def show_match(request: web.Request) -> web.StreamResponse:
    """Show a match as far as it is recorded; the page follows the rest by itself."""
    site, place = request.app[SITE], MatchAddress.read(request)
    feed = site.feed(place)
    run = site.runs.open(place.run)
    return await send_match(
        request,
        feed,
        may_choose=may_reveal(run, feed.record),
        run=place.run,
        match=place.match,
        stream=place.events_path(),
        observer=place.observer,
    )


async def send_match(
    request: web.Request, feed: MatchFeed, *, may_choose: bool, observer: str, **values: object
) -> web.StreamResponse:
    """Send the page of a match for one observer."""
    feed.read(at_once=True)
    log, messages = feed.log, feed.messages
    review = Review()
    if observer == TRUTH and feed.is_over:
        review = await request.app[SITE].review(feed.record)
    return await send_page(
        request,
        "match.html.jinja",
        observer=observer,
        seats=log.seats if log and may_choose else (),
        rules=log.rules() if log else None,
        fragments=log.show(feed.count, review.claims_by_event()) if log else (),
        last=feed.count,
        is_over=feed.is_over,
        review=review,
        chart=draw_ballot_chart(review.ballots, log.colors) if log and review.ballots else None,
        categories=CATEGORIES,
        colors=log.colors if log else {},
        messages=messages,
        language=messages.language,
        **values,
    )


@ROUTES.get("/runs/{run}/matches/{match}/calls")
async def show_calls(request: web.Request) -> web.StreamResponse:
    """Show the prompt, thought and reply of a seat in one turn."""
    site, place = request.app[SITE], MatchAddress.read(request)
    run = site.runs.open(place.run)
    record = run.match(place.match)
    if not may_reveal(run, record):
        raise RecordError("a person plays in this match: its prompts are not shown")
    wanted, language = request.query.get("request", ""), record.script().language
    found = calls_of(record, wanted, language)
    if not found:
        raise RecordError(f"there is no model call for {wanted[:80]!r}")
    return make_page(
        "calls.html.jinja",
        request=wanted,
        calls=found,
        back=f"{place.path}?{urlencode({OBSERVER_PARAMETER: place.observer})}",
        picture_url=partial(picture_address, place.run),
        language=language,
    )


@ROUTES.get("/runs/{run}/matches/{match}/events")
async def stream_events(request: web.Request) -> web.StreamResponse:
    """Send the events after the last one that the browser has, as they come."""
    feed = request.app[SITE].feed(MatchAddress.read(request))
    return await send_stream(request, _follow(feed, last_event_id(request)))


async def _follow(feed: MatchFeed, seen: int) -> AsyncGenerator[str]:
    while True:
        await feed.wait_beyond(seen)
        for message in feed.encode(seen):
            yield message
        seen = max(seen, feed.count)
        if feed.is_over:
            yield END_MESSAGE
            return
