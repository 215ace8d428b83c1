"""How a match is shown: the words, the colours, and how much of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from rich.text import Text

from arena.cli.blocks import Block, colors
from arena.cli.safe import clean_line
from arena.cli.words.table import Words
from arena.core.state import MatchState
from scripts_mm.script import Picture

SPEECH_LINES = 12
"""Lines of one speech, unless all is wanted."""

Reader = Callable[[Picture], bytes | None]
"""Gives the bytes of a picture that was checked before, or None where there are none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What a person chose to see."""

    full: bool = False
    """Speeches whole, however long."""
    reveal: bool = False
    """Factions and private clues from the start, and not only at the end."""
    show_pictures: bool = False
    """Pictures described, and drawn where the terminal can and `read` gives them."""
    read: Reader | None = None
    words: Words | None = None
    """None: the language of the script."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A match at one moment, seen in one look."""

    state: MatchState
    look: Look
    words: Words
    colors: Mapping[str, str]
    """Seat, as it is shown -> colour."""

    def name(self, seat: str) -> Text:
        """Return a seat's name in its colour."""
        shown = clean_line(seat)
        return Text(shown, style=f"bold {self.colors.get(shown, '')}".strip())

    def names(self, seats: tuple[str, ...]) -> str:
        """Return the names of `seats` in a row."""
        return self.words.join(tuple(clean_line(seat) for seat in seats))

    def speech(self, seat: str, text: str, *, to: str | None = None, style: str = "") -> Block:
        """Return what `seat` says, and to whom if to one alone."""
        addressee = (" -> ", self.name(to)) if to is not None else ()
        head = Text.assemble(self.name(seat), *addressee, self.words.colon)
        return self.block(head, text, style=style)

    def whole(self, head: Text, text: str) -> Block:
        """Return words under `head`, however many: what a reader has waited for."""
        return Block(head=head, body=text)

    def block(self, head: Text, text: str, *, style: str = "", margin: int = 0) -> Block:
        """Return words under `head`, cut to what a screen can take."""
        most = None if self.look.full else SPEECH_LINES
        return Block(
            head=head, body=text, style=style, margin=margin, most=most, more=self.words.more_lines
        )


def scene(state: MatchState, look: Look, words: Words) -> Scene:
    """Return `state` in `look`."""
    return Scene(state=state, look=look, words=words, colors=colors(state.opening.seats))
