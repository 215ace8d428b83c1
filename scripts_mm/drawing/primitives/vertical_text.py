"""Vertical text in columns from right to left, as in traditional Chinese layout."""

from dataclasses import dataclass
from random import Random

from PIL import Image, ImageDraw

from scripts_mm.drawing.primitives.fonts import Font
from scripts_mm.drawing.primitives.ink import Handwriting, blank_mask, draw_handwriting
from scripts_mm.drawing.primitives.paper import Point

_CORNER = "，。、；：！？"
"""Punctuation in the upper right corner of its square."""
_TURNED = "（）—…“”「」《》〈〉－～"
"""Characters that are rotated by 90 degrees."""
_NEVER_FIRST = "，。、；：！？”’》）」"


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnBlock:
    """A block of columns: its start and the distances of its characters and columns."""

    right: float
    """Middle of the first column, in pixels."""
    top: float
    step: float
    """Distance from one character to the next."""
    gap: float
    """Distance from one column to the next."""
    rows: int
    """Characters in a column."""


def break_columns(text: str, rows: int) -> list[str]:
    """Break a text into columns of at most `rows` characters (plus closing punctuation)."""
    columns: list[str] = []
    for part in text.split("\n"):
        column = ""
        for sign in part:
            if len(column) >= rows and sign not in _NEVER_FIRST:
                columns.append(column)
                column = ""
            column += sign
        columns.append(column)
    return columns


def print_column(mask: Image.Image, at: Point, text: str, font: Font, step: float) -> float:
    """Print one column on `mask` (mode L), its top middle `at`; return its lower end."""
    draw = ImageDraw.Draw(mask)
    x, y = at
    for sign in text:
        middle = (x, y + step / 2)
        if sign in _TURNED:
            _paste_turned(mask, middle, sign, font)
        elif sign in _CORNER:
            size = font.getbbox("国")[3]
            draw.text((x + size * 0.55, y + step * 0.18), sign, 255, font, anchor="mm")
        elif sign != " ":
            draw.text(middle, sign, 255, font, anchor="mm")
        y += step * (0.75 if sign in _CORNER else 1)
    return y


def handwrite_columns(
    mask: Image.Image, block: ColumnBlock, text: str, font: Font, pen: Handwriting, rng: Random
) -> float:
    """Write a text by hand in columns; return the middle of the next column."""
    x = block.right
    half = font.getlength("国") / 2
    for column in break_columns(text, block.rows):
        y = block.top
        drift = rng.uniform(-0.5, 0.5)
        for sign in column:
            spot = (x - half + drift, y + block.step * 0.8)
            if sign in _CORNER:
                draw_handwriting(mask, (x + half * 0.35, spot[1] - half), sign, font, pen, rng)
                y += block.step * 0.45
                continue
            draw_handwriting(mask, spot, sign, font, pen, rng)
            y += block.step
            drift += rng.uniform(-0.8, 0.8)
        x -= block.gap
    return x


def _paste_turned(mask: Image.Image, middle: Point, sign: str, font: Font) -> None:
    side = round(font.getbbox("国")[3] * 1.6)
    tile = blank_mask((side, side))
    ImageDraw.Draw(tile).text((side / 2, side / 2), sign, 255, font, anchor="mm")
    tile = tile.rotate(-90, Image.Resampling.BICUBIC)
    mask.paste(255, (round(middle[0] - side / 2), round(middle[1] - side / 2)), tile)
