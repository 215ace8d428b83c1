"""Tull's watch sheet: level lines at first, then lines that sink and grow."""

from dataclasses import dataclass
from random import Random

from PIL import Image, ImageDraw

from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.ink import (
    Handwriting,
    apply_ink,
    blank_mask,
    draw_handwriting,
)
from scripts_mm.drawing.primitives.paper import (
    Colour,
    Size,
    add_vignette,
    make_paper,
    make_wood,
    place_on_table,
)

_SHEET: Size = (840, 740)
_SIZE: Size = (940, 840)
_GRID: Colour = (198, 210, 214)
_INK: Colour = (92, 52, 30)
_CELL = 28
_TOP = 150
_STEP = 76
_SINKS = (0.0, 0.0, 0.4, -0.3, 1.6, 5.0, 10.0)
"""Degrees by which each line falls to the right."""
_SIZES = (27, 27, 27, 28, 29, 34, 42)


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchSheetSpec:
    """The heading and the entries, from top to bottom."""

    title: str
    lines: tuple[str, ...]


def draw_watch_sheet(spec: WatchSheetSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the sheet under its clip."""
    sheet = make_paper(_SHEET, (238, 240, 232), rng, 0.06)
    draw = ImageDraw.Draw(sheet)
    for x in range(_CELL, _SHEET[0], _CELL):
        draw.line((x, 0, x, _SHEET[1]), fill=_GRID, width=1)
    for y in range(_CELL, _SHEET[1], _CELL):
        draw.line((0, y, _SHEET[0], y), fill=_GRID, width=1)
    mask = blank_mask(_SHEET)
    pen = Handwriting(sway=0.8, turn=0.5, slant=0.06)
    draw_handwriting(mask, (44, 96), spec.title, fonts.get("pencil", 28), pen, rng)
    ImageDraw.Draw(mask).line((44, 108, 700, 108), fill=200, width=2)
    for nth, line in enumerate(spec.lines):
        _write_line(mask, nth, line, fonts, rng)
    sheet = apply_ink(sheet, mask, _INK, rng, wear=0.2)
    board = place_on_table(sheet, _SIZE, -0.8, make_wood(_SIZE, (128, 98, 64), rng))
    _draw_clip(ImageDraw.Draw(board))
    return add_vignette(board, 0.2)


def _write_line(mask: Image.Image, nth: int, line: str, fonts: Fonts, rng: Random) -> None:
    """Write a line that falls to the right around its own beginning."""
    at = (44, _TOP + nth * _STEP)
    own = blank_mask(_SHEET)
    pen = Handwriting(sway=1 + nth / 2, turn=0.6 + nth / 3, slant=0.06)
    draw_handwriting(own, at, line, fonts.get("pencil", _SIZES[nth]), pen, rng)
    if nth == len(_SINKS) - 1:
        _let_slip(own, at, fonts.get("pencil", _SIZES[nth]).getlength(line))
    turned = own.rotate(-_SINKS[nth], Image.Resampling.BICUBIC, center=at)
    mask.paste(255, (0, 0), turned)


def _let_slip(mask: Image.Image, at: tuple[int, int], length: float) -> None:
    """Draw the stroke with which the pencil left the paper."""
    x, y = at[0] + length, at[1] - 6
    bends = ((0, 0), (60, 8), (130, 2), (240, 20), (420, 40))
    points = [(x + across, y + down) for across, down in bends]
    ImageDraw.Draw(mask).line(points, fill=220, width=3, joint="curve")


def _draw_clip(draw: ImageDraw.ImageDraw) -> None:
    middle = _SIZE[0] / 2
    draw.rounded_rectangle((middle - 96, 16, middle + 96, 78), 10, (122, 126, 130), (56, 58, 60), 3)
    draw.rounded_rectangle((middle - 70, 26, middle + 70, 44), 8, (172, 176, 180))
    for x in (middle - 78, middle + 78):
        draw.ellipse((x - 8, 56, x + 8, 72), (86, 88, 92))
