"""Render context: for whom, in which language and colours, and how much is shown."""

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
"""Lines of one speech, unless all are to be shown."""

PictureReader = Callable[[Picture], bytes | None]
"""Returns the bytes of a verified picture, or None if there are none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewOptions:
    """What a person chose to see."""

    full: bool = False
    """Speeches whole, however long."""
    truth: bool = False
    """Everything from the start, and not only what all seats may know."""
    read: PictureReader | None = None
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
    """A match at one moment as one person sees it, and how a screen shows it."""

    match: MatchView
    view: ViewOptions
    colors: Mapping[str, str]
    """Seat, as it is shown -> colour."""

    @property
    def messages(self) -> Messages:
        """The messages of the screen's language."""
        return self.match.messages

    def name(self, seat: str) -> Text:
        """Return a seat's name in its colour."""
        shown = sanitize_line(seat)
        return Text(shown, style=f"bold {self.colors.get(shown, '')}".strip())

    def block(self, head: Text, text: str, *, style: str = "", margin: int = 0) -> Block:
        """Return words under `head`, cut to what a screen can take."""
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
