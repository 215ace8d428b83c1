"""Handwriting with fours that are open at the top, like an upturned chair, or closed."""

from random import Random

from PIL import Image, ImageDraw

from scripts_mm.drawing.primitives.fonts import Font
from scripts_mm.drawing.primitives.ink import Handwriting, draw_handwriting
from scripts_mm.drawing.primitives.paper import Point

_FOUR = "4"
_SIDE = 0.12
"""Empty space at both sides of a four, in its widths."""
_FINE = 4
"""Supersampling of a four."""


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


def _draw_four(mask: Image.Image, at: Point, font: Font, slant: float, *, is_open: bool) -> float:
    """Draw one figure on the baseline and return its right end."""
    wide = font.getlength(_FOUR)
    box = font.getbbox("0")
    tall = box[3] - box[1]
    size = (round(wide + 2 * tall), round(2 * tall))
    tile = Image.new("L", (size[0] * _FINE, size[1] * _FINE))

    def spot(across: float, up: float) -> Point:
        x = tall + wide * (_SIDE + across * (1 - 2 * _SIDE)) + slant * up * tall
        return (x * _FINE, (1.5 - up) * tall * _FINE)

    thick = max(2, round(tall * _FINE / 11))
    draw = ImageDraw.Draw(tile)
    top = spot(0.04, 0.98) if is_open else spot(0.72, 1.0)
    draw.line((*top, *spot(0.0, 0.36), *spot(1.0, 0.36)), fill=255, width=thick, joint="curve")
    draw.line(
        (*spot(0.8 if is_open else 0.72, 0.8 if is_open else 1.0), *spot(0.74, 0.0)),
        fill=255,
        width=thick,
    )
    small = tile.resize(size, Image.Resampling.LANCZOS)
    mask.paste(255, (round(at[0] - tall), round(at[1] - 1.5 * tall)), small)
    return at[0] + wide
