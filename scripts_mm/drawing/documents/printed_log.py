"""A desk printer's list on striped paper with holes at both sides."""

from dataclasses import dataclass
from random import Random
from typing import Literal

from PIL import Image, ImageDraw

from scripts_mm.drawing.primitives.fonts import Fonts, Hand
from scripts_mm.drawing.primitives.ink import apply_ink, blank_mask
from scripts_mm.drawing.primitives.paper import (
    Colour,
    Size,
    TableKind,
    add_vignette,
    adjust_levels,
    make_paper,
    make_table,
    place_on_table,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedLogSpec:
    """A printed list of four columns."""

    title: str
    subtitle: str
    head: tuple[str, str, str, str]
    rows: tuple[tuple[str, str, str, str], ...]
    columns: tuple[int, int, int, int] = (84, 190, 312, 470)
    """Left edges in pixels."""
    foot: tuple[str, ...] = ()
    paper: Colour = (246, 246, 240)
    stripe: Colour = (216, 232, 216)
    """The colour of every other line's ground, if it is `striped`."""
    striped: bool = True
    holes: Literal["sides", "top", "none"] = "sides"
    """Where the paper is punched."""
    ink: Colour = (34, 34, 62)
    hand: Hand = "mono"
    needles: bool = True
    """Whether a ribbon's needles left thin lines in the letters."""
    table: Colour = (58, 62, 74)
    table_kind: TableKind = "wood"
    size: Size = (800, 980)
    angle: float = -1.2


def draw_printed_log(spec: PrintedLogSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the list."""
    size = (spec.size[0] - 56, spec.size[1] - 36)
    sheet = make_paper(size, spec.paper, rng, 0.05)
    _draw_stripes(sheet, spec)
    _punch_holes(sheet, spec)
    mask = blank_mask(size)
    draw = ImageDraw.Draw(mask)
    title = fonts.get(spec.hand, 26)
    draw.text((84, 58), spec.title, 255, title, anchor="lm")
    draw.text((84, 94), spec.subtitle, 255, fonts.get(spec.hand, 20), anchor="lm")
    step = 44
    font = fonts.get(spec.hand, 22)
    for nth, row in enumerate((spec.head, *spec.rows)):
        y = 144 + step * nth
        for x, cell in zip(spec.columns, row, strict=True):
            draw.text((x, y), cell, 255, font, anchor="lm")
    y = 144 + step * (len(spec.rows) + 1)
    for nth, line in enumerate(spec.foot):
        draw.text((84, y + 34 * nth + 8), line, 255, fonts.get(spec.hand, 19), anchor="lm")
    printed = _thin_lines(mask) if spec.needles else mask
    sheet = apply_ink(sheet, printed, spec.ink, rng, wear=0.45)
    table = make_table(spec.size, spec.table, rng, spec.table_kind)
    return add_vignette(place_on_table(sheet, spec.size, spec.angle, table), 0.2)


def _draw_stripes(sheet: Image.Image, spec: PrintedLogSpec) -> None:
    if not spec.striped:
        return
    draw = ImageDraw.Draw(sheet)
    width, height = sheet.size
    edge = 52 if spec.holes == "sides" else 0
    for top in range(122, height - 40, 88):
        draw.rectangle((edge, top, width - edge - 1, top + 43), fill=spec.stripe)


def _punch_holes(sheet: Image.Image, spec: PrintedLogSpec) -> None:
    draw = ImageDraw.Draw(sheet)
    width, height = sheet.size
    dark = (58, 60, 68)
    if spec.holes == "top":
        for x in (width // 2 - 70, width // 2 + 70):
            draw.ellipse((x - 11, 13, x + 11, 35), fill=dark)
    if spec.holes != "sides":
        return
    for x in (52, width - 53):
        for y in range(0, height, 12):
            draw.line((x, y, x, y + 6), fill=(170, 170, 166), width=1)
    for y in range(24, height, 48):
        for x in (26, width - 27):
            draw.ellipse((x - 9, y - 9, x + 9, y + 9), fill=dark)


def _thin_lines(mask: Image.Image) -> Image.Image:
    """Thin every third line, as a worn ribbon's needles do."""
    lines = Image.new("L", mask.size, 0)
    draw = ImageDraw.Draw(lines)
    for y in range(0, mask.size[1], 3):
        draw.line((0, y, mask.size[0], y), fill=90)
    return Image.composite(adjust_levels(mask, 2 / 3), mask, lines)
