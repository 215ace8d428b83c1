"""Render context: for whom, in which language and colours, and how much is shown."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from rich.text import Text

from arena.cli.console.sanitize import sanitize_line
from arena.cli.i18n.messages import Messages
from arena.cli.rendering.layout import Block, seat_colors
from arena.core.events import Event, MatchEnded, PhaseStarted, RequestsOpened, SeatEliminated
from arena.core.game import Texts
from arena.core.observation import Observation, Spectator, observe, reaches
from arena.core.seats import SeatId
from arena.core.state import MatchState
from arena.games.registry import find_game
from scripts_mm.script import Picture

SPEECH_LINES = 12
"""Lines of one speech, unless all are to be shown."""

Reader = Callable[[Picture], bytes | None]
"""Returns the bytes of a verified picture, or None if there are none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewOptions:
    """What a person chose to see."""

    full: bool = False
    """Speeches whole, however long."""
    truth: bool = False
    """Everything from the start, and not only what all seats may know."""
    read: Reader | None = None
    """Pictures are drawn where this gives them and the terminal has colours."""
    locate: Callable[[Picture], str] | None = None
    """Returns the path of a picture's file, which is named below the clue."""
    messages: Messages | None = None
    """None: in the language of the script."""
    seat: SeatId | None = None
    """The match is shown as this seat sees it; None: as an onlooker does."""

    @property
    def observer(self) -> SeatId | Spectator:
        """The seat or the onlooker for whom the match is shown."""
        return Spectator(truth=self.truth) if self.seat is None else self.seat


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderContext:
    """A match at one moment, as one person sees it."""

    state: MatchState
    view: ViewOptions
    messages: Messages
    colors: Mapping[str, str]
    """Seat, as it is shown -> colour."""

    def sees(self, event: Event) -> bool:
        """Tell whether the observer may know of `event`."""
        if not reaches(event.audience, self.view.observer):
            return False
        return isinstance(event, MatchEnded) or not self._is_after_own_end(event)

    def observe(self) -> Observation:
        """Return the match as the observer may know it; a seat, when all answers are given."""
        if self.view.seat is None:
            return observe(self.state, self.view.observer)
        return observe(self.state, self.view.seat, len(self.state.history))

    def is_private(self, event: Event) -> bool:
        """Tell whether `event` is to be marked as one that not all seats know."""
        return self.view.seat is not None and event.audience != "all"

    def _is_after_own_end(self, event: Event) -> bool:
        """Tell whether `event` came when the observing seat had left the game."""
        if self.view.seat not in self.state.eliminated:
            return False
        for past in self.state.history:
            if past is event:
                return False
            if isinstance(past, SeatEliminated) and past.seat == self.view.seat:
                return True
        return True

    def texts(self) -> Texts:
        """Return the game's own texts for the onlooker."""
        return find_game(self.state.started.game).texts(self.observe())

    def name(self, seat: str) -> Text:
        """Return a seat's name in its colour."""
        shown = sanitize_line(seat)
        return Text(shown, style=f"bold {self.colors.get(shown, '')}".strip())

    def names(self, seats: tuple[str, ...]) -> str:
        """Return the names of `seats` in a row."""
        return self.messages.join(tuple(sanitize_line(seat) for seat in seats))

    def audience(self, event: Event) -> str:
        """Return to whom `event` is known, in words."""
        messages, audience = self.messages, event.audience
        if audience == (self.view.seat,):
            return messages.private
        if isinstance(audience, str):
            return messages.shown_to_all if audience == "all" else messages.private
        return messages.shown_to.format(names=self.names(audience))

    def asked_seat(self, seat: str) -> str:
        """Return the name of a seat that was asked, if the onlooker may know that it was."""
        named = self.view.truth or is_everybody_asked(self.state)
        return sanitize_line(seat) if named else self.messages.a_seat

    def block(self, head: Text, text: str, *, style: str = "", margin: int = 0) -> Block:
        """Return words under `head`, cut to what a screen can take."""
        most = None if self.view.full else SPEECH_LINES
        more = self.messages.more_lines
        return Block(head=head, body=text, style=style, margin=margin, most=most, more=more)


def is_everybody_asked(state: MatchState) -> bool:
    """Tell whether every living seat was asked in this phase, so that a turn tells no secret.

    If only one seat is asked at night, it has a power. If only one seat is not asked for its vote,
    it is the murderer.
    """
    asked: set[SeatId] = set()
    for event in reversed(state.history):
        if isinstance(event, RequestsOpened):
            asked.update(request.seat for request in event.requests)
        if isinstance(event, PhaseStarted):
            break
    return asked.issuperset(state.living)


def render_context(state: MatchState, view: ViewOptions, messages: Messages) -> RenderContext:
    """Return `state` as `view` shows it."""
    return RenderContext(
        state=state, view=view, messages=messages, colors=seat_colors(state.started.seats)
    )
