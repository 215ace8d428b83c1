"""A pawn ticket: pink, three balls, one edge with the holes of the book."""

from dataclasses import dataclass
from random import Random

from PIL import Image, ImageDraw

from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.ink import Handwriting, apply_ink, blank_mask, draw_handwriting
from scripts_mm.drawing.primitives.paper import (
    Colour,
    Size,
    add_creases,
    add_vignette,
    make_ground,
    make_noise,
    make_paper,
    place_on_table,
    shade_image,
)

_SHEET: Size = (760, 440)
_SIZE: Size = (880, 560)
_PINK: Colour = (238, 196, 190)
_PRINT: Colour = (120, 30, 46)
_INK: Colour = (24, 30, 60)
_GOLD: Colour = (206, 160, 60)


@dataclass(frozen=True, slots=True, kw_only=True)
class PawnSlipSpec:
    """The printed words, and the fields with their entries."""

    house: str
    trade: str
    number: str
    fields: tuple[tuple[str, str], ...]
    foot: str


def draw_ticket(spec: PawnSlipSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the ticket on a slate."""
    sheet = make_paper(_SHEET, _PINK, rng, 0.08)
    _print_form(ImageDraw.Draw(sheet), spec, fonts)
    mask = blank_mask(_SHEET)
    pen = Handwriting(sway=1.0, turn=0.6, slant=0.2)
    for nth, (_, entry) in enumerate(spec.fields):
        at = (250, 192 + nth * 54)
        draw_handwriting(mask, at, entry, fonts.get("letter", 34), pen, rng)
    sheet = apply_ink(sheet, mask, _INK, rng, wear=0.2)
    sheet = add_creases(sheet, across=(), down=(0.5,))
    slate = make_ground(_SIZE, (70, 76, 84), rng, 50, 0.3)
    found = place_on_table(sheet, _SIZE, 3.0, shade_image(slate, make_noise(_SIZE, 3, rng), 0.15))
    return add_vignette(found, 0.25)


def _print_form(draw: ImageDraw.ImageDraw, spec: PawnSlipSpec, fonts: Fonts) -> None:
    for y in range(10, _SHEET[1], 22):
        draw.ellipse((-7, y, 9, y + 14), fill=(70, 76, 84))
    draw.rectangle((30, 18, _SHEET[0] - 20, _SHEET[1] - 18), outline=_PRINT, width=3)
    draw.rectangle((37, 25, _SHEET[0] - 27, _SHEET[1] - 25), outline=_PRINT, width=1)
    for x, y in ((80, 62), (116, 62), (98, 94)):
        draw.ellipse((x - 17, y - 17, x + 17, y + 17), fill=_GOLD, outline=_PRINT, width=2)
    draw.text((150, 62), spec.house, _PRINT, fonts.get("bold", 30), anchor="lm")
    draw.text((150, 102), spec.trade, _PRINT, fonts.get("print", 22), anchor="lm")
    draw.text((_SHEET[0] - 44, 104), spec.number, (150, 24, 30), fonts.get("mono", 28), anchor="rm")
    for nth, (label, _) in enumerate(spec.fields):
        y = 196 + nth * 54
        draw.text((60, y), label, _PRINT, fonts.get("print", 23), anchor="ls")
        draw.line((240, y + 6, _SHEET[0] - 46, y + 6), fill=_PRINT, width=1)
    draw.text((60, _SHEET[1] - 42), spec.foot, _PRINT, fonts.get("print", 19), anchor="lm")
