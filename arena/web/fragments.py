"""Page fragments of events: the same live, in a replay, in an export and in tests."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from arena.core.events import Event, MatchEnded, QuestionAsked, Said, SeatEliminated, VoteCast
from arena.core.exchanges import Exchanges
from arena.core.observation import Spectator, reaches
from arena.core.seats import SeatId
from arena.core.state import MatchState, reduce
from arena.view.describe import describe
from arena.view.heading import describe_rules
from arena.view.i18n.language_choice import messages_for
from arena.view.items import RulesItem, TallyItem
from arena.view.match_view import MatchView
from arena.web.pages import render_page
from arena.web.review import ClaimNote
from arena.web.vote_graph import draw_votes
from scripts_mm.script import Picture, Script

PictureUrl = Callable[[Picture], str]
ClaimsByEvent = Mapping[int, Sequence[ClaimNote]]
"""Number of a speech -> audit results of its claims."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Links:
    """Addresses in fragments."""

    picture: PictureUrl
    calls: Callable[[str], str] | None = None
    """Address of the model calls of a request, by its id; None: they are not shown."""


COLORS: Final = 10
"""Colours of seats in the style sheet."""
_SLOT: Final = "<!--after-->"
"""Placeholder in a fragment for later content; a player's text cannot contain it."""
_NO_CLAIMS: Final[ClaimsByEvent] = {}


class MatchFragments:
    """Fragments of one match for one observer.

    Each is rendered once, when it is first shown; events without a fragment are not on the page.
    """

    def __init__(self, script: Script, observer: SeatId | Spectator, links: Links) -> None:
        """Begin before the first event."""
        self._observer, self._links = observer, links
        self.messages = messages_for(script.language)
        self._events: list[Event] = []
        self._state = MatchState(script=script)
        self._fragments: list[str] = []
        self._exchanges = Exchanges()
        self._is_out = False
        """Whether the observing seat left the game: later events are not for it."""

    @property
    def count(self) -> int:
        """Return the number of events, including those that show nothing."""
        return len(self._events)

    @property
    def is_over(self) -> bool:
        """Return whether the match has its last event."""
        return bool(self._events) and isinstance(self._events[-1], MatchEnded)

    @property
    def state(self) -> MatchState:
        """Return the match after its last event."""
        self._render(self.count)
        return self._state

    @property
    def seats(self) -> tuple[SeatId, ...]:
        """Return the seats of the match."""
        self._render(1)
        return self._state.started.seats

    @property
    def colors(self) -> Mapping[str, int]:
        """Return the colour of each seat."""
        return colors_of(self.seats)

    def add(self, events: Sequence[Event]) -> None:
        """Add the next events; they are rendered when they are shown."""
        for event in events:
            self._events.append(event)
            if not self._is_out and reaches(event.audience, self._observer):
                self._exchanges.add(self.count, event)
            if isinstance(event, SeatEliminated):
                self._is_out |= event.seat == self._observer

    def rules(self) -> RulesItem:
        """Return the rules of the match."""
        start = MatchState(script=self._state.script)
        return describe_rules(self._view(reduce(start, self._events[0])))

    def show(self, known: int | None = None, claims: ClaimsByEvent = _NO_CLAIMS) -> Iterator[str]:
        """Yield the fragments of the first `known` events, in order; None: of all."""
        for number in range(1, (self.count if known is None else known) + 1):
            if html := self.fragment(number, known, claims.get(number, ())):
                yield html

    def fragment(
        self, number: int, known: int | None = None, claims: Sequence[ClaimNote] = ()
    ) -> str:
        """Return the fragment of an event, or an empty text; `known`: number of events known."""
        self._render(number)
        html = self._fragments[number - 1]
        if _SLOT not in html:
            return html
        answer = self._exchanges.answers.get(number, 0)
        is_known = known is None or answer <= known
        after = ""
        if claims or (answer and is_known):
            after = render_page(
                "after.html.jinja",
                answer=answer if is_known else 0,
                claims=claims,
                language=self.messages.language,
            )
        return html.replace(_SLOT, after)

    def question_of(self, number: int) -> int:
        """Return the number of the question that event `number` answers; 0: it answers none."""
        return self._exchanges.questions.get(number, 0)

    def _render(self, count: int) -> None:
        while len(self._fragments) < count:
            event = self._events[len(self._fragments)]
            self._state = reduce(self._state, event)
            number = len(self._fragments) + 1
            view, question = self._view(self._state), self.question_of(number)
            self._fragments.append(render_event(view, number, event, self._links, question))

    def _view(self, state: MatchState) -> MatchView:
        return MatchView(state=state, observer=self._observer, messages=self.messages)


def render_event(
    view: MatchView, number: int, event: Event, links: Links, question: int = 0
) -> str:
    """Return the fragment of `event`, the last one of the view's state; empty: it shows nothing.

    `question`: the number of the event that it answers.
    """
    item = describe(view, event)
    if item is None:
        return ""
    colors = colors_of(view.state.started.seats)
    return render_page(
        "item.html.jinja",
        item=item,
        kind=type(item).__name__.removesuffix("Item").lower(),
        number=number,
        question=question,
        slot=_SLOT,
        graph=draw_votes(item, colors, view.messages) if isinstance(item, TallyItem) else None,
        messages=view.messages,
        colors=colors,
        picture_url=links.picture,
        calls=_calls_of(event, links),
    )


def colors_of(seats: Sequence[str]) -> Mapping[str, int]:
    """Return the colour of each seat."""
    return {seat: at % COLORS for at, seat in enumerate(seats)}


def _calls_of(event: Event, links: Links) -> str:
    """Return the address of the model calls of a seat's speech; empty: none are shown."""
    if not isinstance(event, Said | QuestionAsked | VoteCast) or links.calls is None:
        return ""
    return links.calls(event.request) if event.request else ""
