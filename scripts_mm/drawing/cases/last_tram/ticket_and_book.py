"""A tram ticket, and a page of the lost-property book."""

import math
from dataclasses import dataclass
from random import Random

from PIL import Image, ImageDraw, ImageFilter

from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.ink import Handwriting, apply_ink, blank_mask, draw_handwriting
from scripts_mm.drawing.primitives.paper import (
    Size,
    add_creases,
    add_vignette,
    make_noise,
    make_paper,
    make_wood,
    place_on_table,
    shade_image,
)

_INK = (36, 40, 84)
_LATER = (120, 52, 30)


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketSpec:
    """The print of the ticket."""

    line: str
    way: str
    number: str
    fare: str
    small: str
    stops: tuple[str, ...]
    """Stops from the Harbour to the depot."""
    old_hole: int
    """Number, from 0, of the stop that was punched when the ticket was new."""
    new_hole: int
    """Number, from 0, of the stop that was punched when it was sold again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LostPropertySpec:
    """The entries of the page."""

    title: str
    entries: tuple[tuple[str, str, str], ...]
    """Number, date and object of each entry."""
    sold: int
    """Number, from 0, of the entry above the remark in another ink."""
    remark: str


def draw_ticket(spec: TicketSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the ticket."""
    size: Size = (360, 620)
    table = make_wood((560, 780), (70, 62, 60), rng)
    sheet = make_paper(size, (178, 206, 170), rng, 0.12)
    mask = blank_mask(size)
    draw = ImageDraw.Draw(mask)
    draw.rectangle((14, 14, size[0] - 15, size[1] - 15), outline=255, width=3)
    draw.text((34, 56), spec.line, 255, fonts.get("bold", 36), anchor="lm")
    draw.text((size[0] - 34, 56), spec.way, 255, fonts.get("bold", 30), anchor="rm")
    draw.line((14, 90, size[0] - 15, 90), fill=255, width=2)
    for nth, stop in enumerate(spec.stops):
        y = 134 + nth * 64
        draw.text((34, y), stop, 255, fonts.get("print", 28), anchor="lm")
        draw.line((14, y + 32, size[0] - 15, y + 32), fill=150, width=1)
    draw.text((34, 474), spec.number, 255, fonts.get("mono", 30), anchor="lm")
    draw.text((size[0] - 34, 474), spec.fare, 255, fonts.get("sans-bold", 24), anchor="rm")
    draw.text((size[0] / 2, 560), spec.small, 255, fonts.get("print", 20), anchor="mm")
    sheet = apply_ink(sheet, mask, (26, 62, 40), rng, wear=0.4)
    sheet = add_creases(sheet, across=(0.2, 0.47, 0.62, 0.83), down=(0.31, 0.66))
    sheet = shade_image(sheet, make_noise(size, 30, rng), 0.2)
    sheet = _punch(sheet, spec, rng)
    return add_vignette(place_on_table(sheet, (560, 780), 9, table), 0.3)


def _punch(sheet: Image.Image, spec: TicketSpec, rng: Random) -> Image.Image:
    """Return the sheet with both holes: the old one grey and frayed, the new one clean."""
    x, y = sheet.size[0] - 62, 134 + spec.old_hole * 64
    dirt = blank_mask(sheet.size)
    rim = [
        (x + reach * math.cos(nth * math.pi / 9), y + reach * math.sin(nth * math.pi / 9))
        for nth, reach in enumerate(rng.uniform(13, 19) for _ in range(18))
    ]
    ImageDraw.Draw(dirt).ellipse((x - 27, y - 27, x + 27, y + 27), fill=150)
    dirt = dirt.filter(ImageFilter.GaussianBlur(5))
    sheet = Image.composite(Image.new("RGB", sheet.size, (92, 94, 84)), sheet, dirt)
    draw = ImageDraw.Draw(sheet)
    draw.polygon(rim, fill=(58, 52, 48), outline=(122, 124, 112))
    x, y = sheet.size[0] - 56, 134 + spec.new_hole * 64
    box = (x - 17, y - 17, x + 17, y + 17)
    draw.ellipse(box, fill=(48, 42, 40), outline=(214, 232, 208), width=2)
    return sheet


def draw_book(spec: LostPropertySpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the page."""
    size: Size = (820, 560)
    sheet = make_paper((760, 500), (242, 236, 216), rng, 0.08)
    draw = ImageDraw.Draw(sheet)
    for y in range(118, 480, 44):
        draw.line((0, y, 760, y), fill=(176, 196, 214), width=1)
    for x in (96, 236):
        draw.line((x, 84, x, 500), fill=(206, 140, 140), width=2)
    first, later = blank_mask(sheet.size), blank_mask(sheet.size)
    pen = Handwriting(sway=1.0, turn=0.5, slant=0.12)
    draw_handwriting(first, (270, 66), spec.title, fonts.get("letter", 40), pen, rng)
    row = 0
    for nth, (number, date, thing) in enumerate(spec.entries):
        y = 150 + row * 44
        for x, text in ((36, number), (112, date), (254, thing)):
            draw_handwriting(first, (x, y), text, fonts.get("letter", 30), pen, rng)
        row += 1
        if nth == spec.sold:
            y = 150 + row * 44
            hurried = Handwriting(sway=1.4, turn=2.0, slant=0.2)
            draw_handwriting(later, (300, y), spec.remark, fonts.get("letter", 28), hurried, rng)
            row += 1
        row += 1
    sheet = apply_ink(sheet, first, _INK, rng)
    sheet = apply_ink(sheet, later, _LATER, rng)
    return add_vignette(place_on_table(sheet, size, -1.2, make_wood(size, (84, 58, 44), rng)), 0.25)
