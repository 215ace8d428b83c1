"""Render context: observer, language, colours, and level of detail."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from rich.text import Text

from arena.cli.rendering.layout import Block, seat_colors
from arena.core.observation import Spectator
from arena.core.seats import SeatId
from arena.core.state import MatchState
from arena.view.i18n.messages import Messages
from arena.view.match_view import MatchView
from arena.view.sanitize import sanitize_line
from scripts_mm.script import Picture

SPEECH_LINES = 12
"""Maximum lines of one speech, unless speeches are shown in full."""

PictureReader = Callable[[Picture], bytes | None]
"""Returns the bytes of a verified picture, or None if there are none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewOptions:
    """View options of a person."""

    full: bool = False
    """Whether speeches are shown in full."""
    truth: bool = False
    """Everything from the start, and not only public information."""
    read: PictureReader | None = None
    """Reader of pictures, which are drawn if the terminal has colours."""
    locate: Callable[[Picture], str] | None = None
    """Returns the path of a picture's file, which is printed below the clue."""
    messages: Messages | None = None
    """None: in the language of the script."""
    seat: SeatId | None = None
    """The match is shown as this seat observes it; None: as a spectator does."""

    @property
    def observer(self) -> SeatId | Spectator:
        """Return the seat or spectator for whom the match is shown."""
        return Spectator(truth=self.truth) if self.seat is None else self.seat


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderContext:
    """A match at one moment for one observer, and its display settings."""

    match: MatchView
    view: ViewOptions
    colors: Mapping[str, str]
    """Displayed seat name -> colour."""

    @property
    def messages(self) -> Messages:
        """Return the messages of the screen's language."""
        return self.match.messages

    def name(self, seat: str) -> Text:
        """Return a seat's name in its colour."""
        shown = sanitize_line(seat)
        return Text(shown, style=f"bold {self.colors.get(shown, '')}".strip())

    def block(self, head: Text, text: str, *, style: str = "", margin: int = 0) -> Block:
        """Return words under `head`, sanitised for a screen."""
        most = None if self.view.full else SPEECH_LINES
        more = self.messages.more_lines
        return Block(head=head, body=text, style=style, margin=margin, most=most, more=more)


def render_context(state: MatchState, view: ViewOptions, messages: Messages) -> RenderContext:
    """Return `state` as `view` shows it."""
    return RenderContext(
        match=MatchView(state=state, observer=view.observer, messages=messages),
        view=view,
        colors=seat_colors(state.started.seats),
    )
