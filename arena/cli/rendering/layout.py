"""Layout of a screen: heads with wrapped words, rules, colours of seats."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.rule import Rule
from rich.text import Text

from arena.cli.console.cells import wrap_cells
from arena.view.sanitize import sanitize, sanitize_line

GREY = "color(243)"
"""Colour of text that is not part of the play; readable on white and on black."""
MAX_CELLS = 100
"""Maximum width of lines on any terminal."""
KEY_CELLS = 14
"""Width of the column of names in a list of facts."""

COLORS = (
    *("color(33)", "color(166)", "color(29)", "color(163)", "color(100)"),
    *("color(99)", "color(160)", "color(31)", "color(132)", "color(64)"),
)
"""Colours of seats: of the 256 fixed colours, those with contrast above 3.5 on white and on black.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A heading, and words wrapped after and below it with a hanging indent."""

    head: Text
    body: str = ""
    """Untrusted text; the block sanitises it."""
    style: str = ""
    margin: int = 0
    """Cells before every line."""
    indent: int = 2
    """Additional cells before the lines of the body; a shorter heading is padded to them."""
    most: int | None = None
    """Maximum lines, plus one if that is the last; None: all of them."""
    more: str = "... {n}"
    """Replaces the omitted lines; `{n}` is their number."""
    paint: Mapping[str, str] = field(default_factory=dict[str, str])
    """Styles of names in the body."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield one line after the other, none wider than the console."""
        room = min(options.max_width, MAX_CELLS) - self.margin
        indent = min(self.indent, room // 2)
        head = self.head.copy()
        head.pad_right(max(indent - head.cell_len, 0))
        inline = head.cell_len <= room // 2
        body = sanitize(self.body)
        lines = wrap_cells(body, room - indent, first=head.cell_len - indent if inline else 0)
        rows = [_space(indent).append_text(line) for line in self._apply_styles(lines)]
        if inline:
            rows[0] = head.append_text(rows[0][indent:])
        else:
            rows = [*head.wrap(console, room, overflow="fold"), *(rows if body else ())]
        for row in rows:
            yield _line(_space(self.margin).append_text(row))

    def _apply_styles(self, lines: list[str]) -> list[Text]:
        whole = self.most is None or len(lines) <= self.most + 1
        kept = lines if whole else lines[: self.most]
        texts = [Text(line, style=self.style) for line in kept]
        for text in texts:
            for name in sorted(self.paint, key=len, reverse=True):
                text.highlight_words([name], self.paint[name])
        if len(kept) < len(lines):
            texts.append(Text(self.more.format(n=len(lines) - len(kept)), style=GREY))
        return texts


@dataclass(frozen=True, slots=True, kw_only=True)
class UnwrappedLine:
    """A line that is never wrapped here, so that it can be copied as a whole."""

    text: str
    margin: int = 0
    """Cells before it."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the line, which may be wider than the console."""
        del console, options
        line = f"{' ' * self.margin}{sanitize_line(self.text)}"
        yield Text(line, no_wrap=True, overflow="ignore")


@dataclass(frozen=True, slots=True, kw_only=True)
class Prose:
    """A sentence: wrapped on a terminal, on one line elsewhere, where programs may read it."""

    text: str
    style: str = ""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the sentence."""
        if console.is_terminal:
            yield Text(sanitize_line(self.text), style=self.style)
        else:
            yield from UnwrappedLine(text=self.text).__rich_console__(console, options)


def print_blocks(console: Console, *blocks: RenderableType) -> None:
    """Print `blocks` below each other; only an `UnwrappedLine` can exceed the console's width.

    Without a terminal, so can `Prose`.
    """
    for block in blocks:
        console.print(block, crop=not isinstance(block, UnwrappedLine | Prose))


def print_prose(console: Console, *sentences: str) -> None:
    """Print sentences below each other."""
    print_blocks(console, *(Prose(text=one) for one in sentences))


def fact_row(
    name: str, body: str, *, paint: Mapping[str, str] | None = None, style: str = ""
) -> Block:
    """Return a row of a list of facts."""
    head = Text(f"  {name} ", style=GREY)
    return Block(head=head, body=body, indent=KEY_CELLS, paint=paint or {}, style=style)


def note(words: str, *, margin: int = 2) -> Block:
    """Return a line that is not part of the play."""
    return Block(head=Text(), body=words, style=GREY, margin=margin, indent=0)


def heading(title: str) -> Rule:
    """Return the rule that begins a phase."""
    return Rule(Text(sanitize_line(title), style="bold"), align="left", style=GREY)


def seat_colors(seats: tuple[str, ...]) -> dict[str, str]:
    """Return the colour of each seat: the same in every match of a script."""
    return {sanitize_line(seat): COLORS[i % len(COLORS)] for i, seat in enumerate(seats)}


def _space(cells: int) -> Text:
    return Text(" " * cells)


def _line(row: Text) -> Text:
    row.rstrip()
    row.no_wrap = True
    row.overflow = "crop"
    return row
