"""The torn page of the log: a slip of oiled paper, and the sheet that took its last lines."""

import math
from dataclasses import dataclass
from random import Random

from PIL import Image, ImageDraw, ImageFilter, ImageOps

from scripts_mm.drawing.cases.six_bowls.torn_paper import (
    Sides,
    lay_torn,
    make_blue_cloth,
    tear_mask,
)
from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.ink import Handwriting, apply_ink, blank_mask, draw_handwriting
from scripts_mm.drawing.primitives.paper import (
    Point,
    Size,
    add_vignette,
    adjust_levels,
    age_edges,
    make_noise,
    make_paper,
    shade_image,
)
from scripts_mm.drawing.primitives.vertical_text import ColumnBlock, handwrite_columns

_INK = (38, 30, 26)
_OILED = (206, 168, 98)
_FIBRE = (238, 222, 178)
_CLAY = (122, 84, 54)
_STRAW = (186, 160, 108)
_OFFSET_INK = (66, 50, 34)
_COIL_TURNS = 4.2


@dataclass(frozen=True, slots=True, kw_only=True)
class LogLines:
    """Lines in the driller's hand; `upright`: every line is a column, from the right."""

    lines: tuple[str, ...]
    start: Point
    """Middle of the first column's top, or the first line's left end, in pixels."""
    gap: float
    """Distance from one line to the next."""
    text_size: int
    upright: bool = False
    tired_from: int = 99
    """The line from which the hand grows unsteady."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LogSlipSpec:
    """A strip of the page."""

    text: LogLines
    torn: Sides
    size: Size
    clay: tuple[Point, ...] = ()
    """Fingerprints in clay."""
    angle: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class BlotSpec:
    """A sheet of straw paper with the page's last lines, reversed, and the sign in them."""

    text: LogLines
    sign: Point
    """Middle of the coil on the sheet before it is reversed."""
    reach: float
    size: Size


def draw_slip(spec: LogSlipSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the slip on a blue cloth."""
    size = (spec.size[0] - 70, spec.size[1] - 70)
    sheet = shade_image(make_paper(size, _OILED, rng, 0.16), make_noise(size, 130, rng), 0.2)
    sheet = age_edges(sheet, (120, 78, 34), 0.5, rng)
    sheet = apply_ink(sheet, _write_log(size, spec.text, fonts, rng), _INK, rng, wear=0.35)
    for at in spec.clay:
        sheet = _press_finger(sheet, at, rng)
    mask = tear_mask(size, spec.torn, rng)
    laid = lay_torn(make_blue_cloth(spec.size, rng), sheet, mask, _FIBRE, spec.angle)
    return add_vignette(laid, 0.18)


def draw_blot(spec: BlotSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the straw paper."""
    sheet = _make_straw_paper(spec.size, rng)
    mask = _write_log(spec.size, spec.text, fonts, rng)
    ImageDraw.Draw(mask).line(_coil(spec.sign, spec.reach), fill=255, width=6, joint="curve")
    mask = ImageOps.mirror(mask).filter(ImageFilter.GaussianBlur(1.1))
    runs = _draw_runs(spec.size, rng)
    sheet = apply_ink(sheet, runs, _OFFSET_INK, rng, wear=0.7)
    sheet = apply_ink(sheet, adjust_levels(mask, 0.86), _OFFSET_INK, rng, wear=0.4)
    return add_vignette(age_edges(sheet, (112, 84, 48), 0.6, rng), 0.2)


def _write_log(size: Size, text: LogLines, fonts: Fonts, rng: Random) -> Image.Image:
    """Return the lines as a mask, blunt as a worn-down brush writes."""
    mask = blank_mask(size)
    font = fonts.get("letter" if text.upright else "pencil", text.text_size)
    x, y = text.start
    for nth, line in enumerate(text.lines):
        tired = nth >= text.tired_from
        pen = Handwriting(sway=4.0 if tired else 1.2, turn=5.0 if tired else 1.4)
        if text.upright:
            block = ColumnBlock(right=x, top=y, step=text.text_size * 1.14, gap=0, rows=99)
            handwrite_columns(mask, block, line, font, pen, rng)
            x -= text.gap
        else:
            draw_handwriting(mask, (x, y), line, font, pen, rng)
            y += text.gap
    return mask.filter(ImageFilter.MaxFilter(3)).filter(ImageFilter.GaussianBlur(0.7))


def _press_finger(sheet: Image.Image, at: Point, rng: Random) -> Image.Image:
    """Return the sheet with a fingerprint in clay: an oval of ridges."""
    mask = Image.new("L", sheet.size, 0)
    draw = ImageDraw.Draw(mask)
    x, y = at
    for nth in range(8):
        wide, tall = 5 + nth * 4.4, 7 + nth * 6.2
        draw.ellipse((x - wide, y - tall, x + wide, y + tall), outline=210, width=3)
    patches = adjust_levels(make_noise(sheet.size, 9, rng), 1.2, 20)
    mask = Image.composite(mask, Image.new("L", sheet.size, 0), patches)
    mask = mask.filter(ImageFilter.GaussianBlur(1))
    return Image.composite(Image.new("RGB", sheet.size, _CLAY), sheet, mask)


def _make_straw_paper(size: Size, rng: Random) -> Image.Image:
    sheet = make_paper(size, _STRAW, rng, 0.22)
    draw = ImageDraw.Draw(sheet)
    for _ in range(260):
        x, y = rng.uniform(0, size[0]), rng.uniform(0, size[1])
        turn, long = rng.uniform(0, math.pi), rng.uniform(6, 26)
        end = (x + long * math.cos(turn), y + long * math.sin(turn))
        shade = rng.choice(((214, 190, 138), (150, 122, 72), (206, 178, 118)))
        draw.line((x, y, *end), fill=shade, width=rng.choice((1, 2)))
    return sheet


def _draw_runs(size: Size, rng: Random) -> Image.Image:
    """Return what is left of the other slips: ink that ran, in no letters."""
    mask = blank_mask(size)
    draw = ImageDraw.Draw(mask)
    for _ in range(26):
        x, y = rng.uniform(30, size[0] - 30), rng.uniform(20, size[1] * 0.2)
        draw.line((x, y, x + rng.uniform(-5, 5), y + rng.uniform(20, 70)), fill=120, width=7)
    return mask.filter(ImageFilter.GaussianBlur(6))


def _coil(at: Point, reach: float) -> list[Point]:
    """Return the points of a coil, ring inside ring."""
    steps = 120
    return [
        (
            at[0] + reach * nth / steps * math.cos(nth / steps * _COIL_TURNS * 2 * math.pi),
            at[1] + reach * nth / steps * math.sin(nth / steps * _COIL_TURNS * 2 * math.pi),
        )
        for nth in range(8, steps + 1)
    ]
