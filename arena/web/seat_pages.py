"""Pages of a person's seat: the seat's observations, and the form of its open request.

The link with the seat's token is sufficient, on any device; it gives no access to other seats.
Every page works without JavaScript.
"""

import asyncio
import hmac
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from time import time
from typing import Final

from aiohttp import web

from arena.core.observation import observe
from arena.core.seats import SeatId
from arena.games.game_registry import find_game
from arena.view.heading import non_default_options
from arena.view.i18n.desk_messages import DESK_MESSAGES
from arena.view.request_text import count_visible_events
from arena.web.answer_forms import make_form, read_answer
from arena.web.event_stream import END_MESSAGE, last_event_id, send_stream
from arena.web.feed import MatchFeed
from arena.web.pages import render_page
from arena.web.web_desk import OpenRequest, WebDesk

_POLL_SECONDS: Final = 0.25
MAX_FORM_BYTES: Final = 1 << 18
"""Maximum bytes of a form: a hundred times the longest answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatPages:
    """A person's seat on the web."""

    token: str
    seat: SeatId
    feed: MatchFeed
    """Feed of the seat's observations."""
    desk: WebDesk


SEATS: Final = web.AppKey("seats", tuple[SeatPages, ...])
ROUTES: Final = web.RouteTableDef()


def find_pages(request: web.Request) -> SeatPages:
    """Return the seat of a token, or answer that there is none."""
    token = request.match_info["token"].encode()
    for one in request.app[SEATS]:
        if hmac.compare_digest(one.token.encode(), token):
            return one
    raise web.HTTPNotFound(text="there is no such seat\n")


@ROUTES.get("/seat/{token}")
async def show_seat(request: web.Request) -> web.StreamResponse:
    """Show script, match and form."""
    return _render_seat(find_pages(request))


@ROUTES.get("/seat/{token}/form")
async def show_form(request: web.Request) -> web.StreamResponse:
    """Show only the form, or that there is nothing to answer."""
    pages = find_pages(request)
    html = render_page("form.html.jinja", **_form_values(pages))
    return web.Response(text=html, content_type="text/html", headers=_PRIVATE)


@ROUTES.post("/seat/{token}/answers/{number}")
async def receive_answer(request: web.Request) -> web.StreamResponse:
    """Receive a form: an answer goes to the match, a wrong one is returned with its errors."""
    pages = find_pages(request)
    posted = await request.post()
    given = {name: value for name, value in posted.items() if isinstance(value, str)}
    open_now = pages.desk.open
    number = request.match_info["number"]
    if open_now is None or number != str(open_now.number) or open_now.answer.done():
        return _render_seat(pages, status=409, is_late=True)
    found = read_answer(open_now.request, given, pages.feed.messages)
    if found.reply is None:
        return _render_seat(pages, status=422, given=given, errors=found.errors)
    open_now.answer.set_result(found.reply)
    raise web.HTTPSeeOther(f"/seat/{pages.token}")


@ROUTES.get("/seat/{token}/events")
async def stream_seat(request: web.Request) -> web.StreamResponse:
    """Send the seat's observations as they come, and `ask` whenever the form changes."""
    pages = find_pages(request)
    return await send_stream(request, _messages(pages, last_event_id(request)))


async def _messages(pages: SeatPages, seen: int) -> AsyncIterator[str]:
    asked = -1
    while True:
        pages.feed.read()
        known = count_shown(pages)
        for message in pages.feed.encode(seen, known):
            yield message
        seen = max(seen, known)
        number = 0 if pages.desk.open is None else pages.desk.open.number
        if number != asked:
            yield f"event: ask\ndata: {number}\n\n"
            asked = number
        if pages.feed.is_over:
            yield END_MESSAGE
            return
        await asyncio.sleep(_POLL_SECONDS)


def count_shown(pages: SeatPages) -> int:
    """Return the number of events that the seat may see now."""
    state = pages.feed.state
    return 0 if state is None else count_visible_events(state, pages.seat)


_PRIVATE: Final = {"Cache-Control": "no-store"}


def _render_seat(
    pages: SeatPages,
    *,
    status: int = 200,
    given: Mapping[str, str] | None = None,
    errors: Mapping[str, str] | None = None,
    is_late: bool = False,
) -> web.StreamResponse:
    pages.feed.read(at_once=True)
    known = count_shown(pages)
    html = render_page(
        "seat.html.jinja",
        seat=pages.seat,
        briefing=_briefing(pages),
        fragments=pages.feed.show(known),
        last=known,
        is_over=pages.feed.is_over,
        is_late=is_late,
        **_form_values(pages, given, errors),
    )
    return web.Response(text=html, status=status, content_type="text/html", headers=_PRIVATE)


def _form_values(
    pages: SeatPages,
    given: Mapping[str, str] | None = None,
    errors: Mapping[str, str] | None = None,
) -> dict[str, object]:
    open_now, messages = pages.desk.open, pages.feed.messages
    form = None
    if open_now is not None and not open_now.answer.done():
        form = make_form(open_now.observation, open_now.request, messages, given, errors)
    return {
        "token": pages.token,
        "form": form,
        "number": open_now.number if open_now else 0,
        "left": _left(open_now),
        "error": (errors or {}).get("", ""),
        "say": DESK_MESSAGES[messages.language],
        "messages": messages,
        "language": messages.language,
    }


def _left(open_now: OpenRequest | None) -> int | None:
    """Return the seconds left; None: unlimited."""
    if open_now is None or open_now.until is None:
        return None
    return max(0, round(open_now.until - time()))


def _briefing(pages: SeatPages) -> tuple[tuple[str, str], ...]:
    """Return the briefing of the seat: title and text of each part."""
    state, messages = pages.feed.state, pages.feed.messages
    if state is None:
        return ()
    seen = observe(state, pages.seat, count_visible_events(state, pages.seat))
    texts, own = find_game(seen.game).texts(seen), seen.own
    say = DESK_MESSAGES[messages.language]
    case = "\n\n".join(filter(None, (seen.opening, texts.case())))
    options = " ".join((seen.game, *non_default_options(seen.options)))
    rows = (
        (say.heads["script"], own.script),
        *((say.heads["stage"].format(n=number), text) for number, text in own.stages),
        (say.heads["role"], texts.role()),
        (say.heads["case"], case),
        (say.heads["rules"], f"{texts.rules()}\n\n({options})"),
    )
    return tuple((title, text) for title, text in rows if text.strip())
