"""Handwriting with fours that are open at the top, like an upturned chair, or closed."""

from random import Random

from PIL import Image, ImageDraw

from scripts_mm.drawing.primitives.fonts import Font
from scripts_mm.drawing.primitives.ink import Handwriting, draw_handwriting
from scripts_mm.drawing.primitives.paper import Point

_FOUR = "4"
_SIDE = 0.12
"""Empty space at both sides of a four, in its widths."""


def write_with_fours(
    mask: Image.Image,
    at: Point,
    text: str,
    font: Font,
    pen: tuple[Handwriting, Random],
    *,
    is_open: bool,
) -> float:
    """Write a line by hand on `mask`, its fours stroke by stroke; return its right end."""
    style, rng = pen
    x, y = at
    for nth, piece in enumerate(text.split(_FOUR)):
        if nth:
            x = _draw_four(mask, (x, y), font, style.slant, is_open=is_open)
        if piece:
            x = draw_handwriting(mask, (x, y), piece, font, style, rng)
    return x


def _draw_four(
    mask: Image.Image, at: Point, font: Font, slant: float, *, is_open: bool
) -> float:
    """Draw one figure on the baseline and return its right end."""
    x, y = at
    wide = font.getlength(_FOUR)
    box = font.getbbox("0")
    tall = box[3] - box[1]

    def spot(across: float, up: float) -> Point:
        return (x + wide * (_SIDE + across * (1 - 2 * _SIDE)) + slant * up * tall, y - up * tall)

    thick = max(2, round(tall / 9))
    draw = ImageDraw.Draw(mask)
    top = spot(0.12, 1.0) if is_open else spot(0.72, 1.0)
    draw.line((*top, *spot(0.0, 0.36), *spot(1.0, 0.36)), fill=255, width=thick, joint="curve")
    draw.line((*spot(0.72, 0.82 if is_open else 1.0), *spot(0.72, 0.0)), fill=255, width=thick)
    return x + wide
