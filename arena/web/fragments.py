"""An event as a fragment of a page: the same live, in a replay, in an export and in tests."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from arena.core.events import Event, QuestionAsked, Said, VoteCast
from arena.core.observation import Spectator
from arena.core.seats import SeatId
from arena.core.state import MatchState, reduce
from arena.view.describe import describe
from arena.view.i18n.messages import Messages
from arena.view.match_view import MatchView
from arena.web.pages import render_page
from scripts_mm.script import Picture, Script

PictureUrl = Callable[[Picture], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Links:
    """Addresses in fragments."""

    picture: PictureUrl
    calls: Callable[[str], str] | None = None
    """Of the model calls behind a request, by its id; None: they are not shown."""


COLORS: Final = 10
"""Colours of seats in the style sheet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fragment:
    """What a page shows of one event."""

    number: int
    """Of the event, from 1: the id of the element, and of the event in the stream."""
    html: str
    """Empty: nothing is shown of it."""


def render_events(
    script: Script,
    events: Iterable[Event],
    observer: SeatId | Spectator,
    messages: Messages,
    links: Links,
) -> Iterator[Fragment]:
    """Yield the fragments of a match from its beginning, as `observer` may see it."""
    state = MatchState(script=script)
    for number, event in enumerate(events, start=1):
        state = reduce(state, event)
        view = MatchView(state=state, observer=observer, messages=messages)
        yield render_event(view, number, event, links)


def render_event(view: MatchView, number: int, event: Event, links: Links) -> Fragment:
    """Return the fragment of `event`, the last one of the view's state."""
    item = describe(view, event)
    if item is None:
        return Fragment(number=number, html="")
    seats = view.state.started.seats
    html = render_page(
        "item.html.jinja",
        item=item,
        kind=type(item).__name__.removesuffix("Item").lower(),
        number=number,
        messages=view.messages,
        colors={seat: at % COLORS for at, seat in enumerate(seats)},
        picture_url=links.picture,
        calls=_calls_of(event, links),
    )
    return Fragment(number=number, html=html)


def _calls_of(event: Event, links: Links) -> str:
    """Return the address of the model calls behind what a seat said; empty: none are shown."""
    if not isinstance(event, Said | QuestionAsked | VoteCast) or links.calls is None:
        return ""
    return links.calls(event.request) if event.request else ""
