"""A school slate in a wooden frame, written on with chalk."""

from dataclasses import dataclass
from random import Random

from PIL import Image, ImageDraw, ImageFilter

from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.ink import Handwriting, apply_ink, blank_mask, draw_handwriting
from scripts_mm.drawing.primitives.paper import (
    Colour,
    Size,
    add_vignette,
    make_ground,
    make_wood,
    place_on_table,
)

_CHALK: Colour = (232, 232, 224)
_FRAME = 44
"""Width of the frame in pixels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SlateSpec:
    """The slate: what, how deep, and the times one below the other."""

    heading: str
    depth: str
    """In large figures, underlined."""
    rows: tuple[tuple[str, str, str], ...]
    columns: tuple[int, int, int]
    """Left edges of what, when and how long, in pixels."""
    initials: str
    text_size: int = 40
    size: Size = (760, 860)


def draw_slate(spec: SlateSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the slate against a painted wall."""
    outer = (spec.size[0] - 60, spec.size[1] - 60)
    inner = (outer[0] - 2 * _FRAME, outer[1] - 2 * _FRAME)
    face = make_ground(inner, (52, 56, 60), rng, 90, 0.3)
    face = _wipe(face, rng)
    mask = blank_mask(inner)
    _write(mask, spec, fonts, rng)
    face = apply_ink(face, mask, _CHALK, rng, wear=0.55)
    frame = make_wood(outer, (168, 132, 88), rng)
    draw = ImageDraw.Draw(frame)
    for x, y in ((0, 0), (outer[0], 0), (0, outer[1]), outer):
        middle = (outer[0] / 2, outer[1] / 2)
        end = (
            x + (_FRAME if x < middle[0] else -_FRAME),
            y + (_FRAME if y < middle[1] else -_FRAME),
        )
        draw.line((x, y, *end), fill=(104, 78, 50), width=2)
    frame.paste(face, (_FRAME, _FRAME))
    wall = make_ground(spec.size, (142, 150, 148), rng, 40, 0.2)
    return add_vignette(place_on_table(frame, spec.size, -0.8, wall), 0.25)


def _wipe(face: Image.Image, rng: Random) -> Image.Image:
    """Return the slate with the grey traces of a cloth."""
    mask = blank_mask(face.size)
    draw = ImageDraw.Draw(mask)
    for _ in range(12):
        x, y = rng.uniform(-80, face.size[0]), rng.uniform(0, face.size[1])
        draw.line((x, y, x + rng.uniform(160, 360), y + rng.uniform(-60, 60)), fill=46, width=30)
    mask = mask.filter(ImageFilter.GaussianBlur(9))
    return Image.composite(Image.new("RGB", face.size, (150, 152, 150)), face, mask)


def _write(mask: Image.Image, spec: SlateSpec, fonts: Fonts, rng: Random) -> None:
    font, pen = fonts.get("note", spec.text_size), Handwriting(sway=2, turn=1.4, slant=0.08)
    large = fonts.get("note", round(spec.text_size * 1.9))
    draw_handwriting(mask, (36, 64), spec.heading, font, pen, rng)
    end = draw_handwriting(mask, (36, 168), spec.depth, large, pen, rng)
    ImageDraw.Draw(mask).line((40, 186, end, 180), fill=230, width=6)
    step = (mask.size[1] - 250) / (len(spec.rows) + 1)
    for nth, row in enumerate(spec.rows):
        y = 250 + step * nth
        for x, cell in zip(spec.columns, row, strict=True):
            draw_handwriting(mask, (x, y), cell, font, pen, rng)
    draw_handwriting(mask, (mask.size[0] - 110, mask.size[1] - 30), spec.initials, font, pen, rng)
