"""Pictures drawn with half blocks: two pixels per cell, for terminals with colours."""

from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO

from PIL import Image
from rich.color import Color
from rich.console import Console, ConsoleOptions, RenderResult
from rich.segment import Segment
from rich.style import Style

from arena.cli.rendering.layout import MAX_CELLS

MAX_IMAGE_ROWS = 24
"""Lines of one picture."""
_PALETTES = frozenset({"256", "truecolor"})


@dataclass(frozen=True, slots=True, kw_only=True)
class TerminalImage:
    """A verified picture; empty if the console has too few colours."""

    data: bytes
    """The file's bytes."""
    margin: int = 0
    """Cells before every line."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the picture at its proportions, as large as width and `MAX_IMAGE_ROWS` allow."""
        if options.ascii_only or console.color_system not in _PALETTES:
            return
        room = min(options.max_width, MAX_CELLS) - self.margin
        for row in _rows(self.data, room):
            yield Segment(" " * self.margin)
            yield from row
            yield Segment.line()


def _rows(data: bytes, room: int) -> Iterator[list[Segment]]:
    with Image.open(BytesIO(data), formats=("PNG", "JPEG", "WEBP")) as picture:
        scale = min(room / picture.width, 2 * MAX_IMAGE_ROWS / picture.height, 1)
        size = max(int(picture.width * scale), 1), 2 * max(int(picture.height * scale / 2), 1)
        pixels = picture.convert("RGB").resize(size)
    for top in range(0, pixels.height, 2):
        yield [_cell(pixels, column, top) for column in range(pixels.width)]


def _cell(pixels: Image.Image, column: int, top: int) -> Segment:
    upper, lower = (_color(pixels, column, row) for row in (top, top + 1))
    return Segment("▀", Style(color=upper, bgcolor=lower))


def _color(pixels: Image.Image, column: int, row: int) -> Color:
    color = pixels.getpixel((column, row))
    assert isinstance(color, tuple), "an RGB picture has three bands"
    return Color.from_rgb(*color[:3])
