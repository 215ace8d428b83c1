"""Tull's list on the back of a repair envelope."""

from dataclasses import dataclass
from random import Random

from PIL import Image, ImageDraw

from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.ink import (
    Handwriting,
    apply_ink,
    blank_mask,
    draw_handwriting,
    wrap_text,
)
from scripts_mm.drawing.primitives.paper import (
    Colour,
    Size,
    add_creases,
    add_vignette,
    make_ground,
    make_paper,
    place_on_table,
)

_SHEET: Size = (900, 720)
_SIZE: Size = (1000, 820)
_MANILA: Colour = (206, 168, 116)
_INK: Colour = (80, 40, 22)
_PRINT: Colour = (124, 84, 48)
_LINE = 40
_GAP = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class AgendaSpec:
    """The print on the flap, the heading and the numbered lines."""

    print: str
    title: str
    lines: tuple[str, ...]


def draw_agenda(spec: AgendaSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the envelope on a watchmaker's bench mat."""
    sheet = make_paper(_SHEET, _MANILA, rng, 0.09)
    draw = ImageDraw.Draw(sheet)
    flap = ((0, 0), (120, 92), (_SHEET[0] - 120, 92), (_SHEET[0], 0))
    draw.polygon(flap, fill=(194, 156, 104), outline=(150, 116, 72))
    middle = (_SHEET[0] / 2, 46)
    draw.text(middle, spec.print, _PRINT, fonts.get("bold", 26), anchor="mm")
    mask = blank_mask(_SHEET)
    pen = Handwriting(sway=0.8, turn=0.5, slant=0.06)
    font = fonts.get("pencil", 29)
    draw_handwriting(mask, (48, 150), spec.title, font, pen, rng)
    ImageDraw.Draw(mask).line((48, 162, 560, 162), fill=200, width=2)
    y = 214
    for entry in spec.lines:
        for nth, line in enumerate(wrap_text(entry, font, _SHEET[0] - 120)):
            draw_handwriting(mask, (48 if nth == 0 else 88, y), line, font, pen, rng)
            y += _LINE
        y += _GAP
    sheet = apply_ink(sheet, mask, _INK, rng, wear=0.2)
    sheet = add_creases(sheet, across=(), down=(0.03, 0.97))
    mat = make_ground(_SIZE, (58, 92, 112), rng, 4, 0.1)
    found = place_on_table(sheet, _SIZE, -1.4, mat)
    _draw_wheels(ImageDraw.Draw(found))
    return add_vignette(found, 0.22)


def _draw_wheels(draw: ImageDraw.ImageDraw) -> None:
    """Draw two small brass wheels left on the bench."""
    for x, y, reach in ((930, 776, 30), (964, 736, 18)):
        draw.ellipse((x - reach, y - reach, x + reach, y + reach), outline=(190, 152, 70), width=7)
        draw.line((x - reach, y, x + reach, y), fill=(190, 152, 70), width=4)
        draw.line((x, y - reach, x, y + reach), fill=(190, 152, 70), width=4)
        draw.ellipse((x - 5, y - 5, x + 5, y + 5), fill=(120, 90, 40))
