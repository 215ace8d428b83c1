"""A desk printer's list on striped paper with holes at both sides."""

from dataclasses import dataclass
from random import Random

from PIL import Image, ImageDraw

from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.ink import apply_ink, blank_mask
from scripts_mm.drawing.primitives.paper import (
    Size,
    add_vignette,
    adjust_levels,
    make_paper,
    make_wood,
    place_on_table,
)

_INK = (34, 34, 62)


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
    size: Size = (800, 980)
    angle: float = -1.2


def draw_printed_log(spec: PrintedLogSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the list."""
    size = (spec.size[0] - 56, spec.size[1] - 36)
    sheet = make_paper(size, (246, 246, 240), rng, 0.05)
    _draw_stripes(sheet)
    mask = blank_mask(size)
    draw = ImageDraw.Draw(mask)
    title = fonts.get("mono", 26)
    draw.text((84, 58), spec.title, 255, title, anchor="lm")
    draw.text((84, 94), spec.subtitle, 255, fonts.get("mono", 20), anchor="lm")
    step = 44
    font = fonts.get("mono", 22)
    for nth, row in enumerate((spec.head, *spec.rows)):
        y = 144 + step * nth
        for x, cell in zip(spec.columns, row, strict=True):
            draw.text((x, y), cell, 255, font, anchor="lm")
    y = 144 + step * (len(spec.rows) + 1)
    for nth, line in enumerate(spec.foot):
        draw.text((84, y + 34 * nth + 8), line, 255, fonts.get("mono", 19), anchor="lm")
    sheet = apply_ink(sheet, _thin_lines(mask), _INK, rng, wear=0.45)
    return add_vignette(
        place_on_table(sheet, spec.size, spec.angle, make_wood(spec.size, (58, 62, 74), rng)), 0.2
    )


def _draw_stripes(sheet: Image.Image) -> None:
    draw = ImageDraw.Draw(sheet)
    width, height = sheet.size
    for top in range(122, height - 40, 88):
        draw.rectangle((52, top, width - 53, top + 43), fill=(216, 232, 216))
    for x in (52, width - 53):
        for y in range(0, height, 12):
            draw.line((x, y, x, y + 6), fill=(170, 170, 166), width=1)
    for y in range(24, height, 48):
        for x in (26, width - 27):
            draw.ellipse((x - 9, y - 9, x + 9, y + 9), fill=(58, 60, 68))


def _thin_lines(mask: Image.Image) -> Image.Image:
    """Thin every third line, as a worn ribbon's needles do."""
    lines = Image.new("L", mask.size, 0)
    draw = ImageDraw.Draw(lines)
    for y in range(0, mask.size[1], 3):
        draw.line((0, y, mask.size[0], y), fill=90)
    return Image.composite(adjust_levels(mask, 2 / 3), mask, lines)
