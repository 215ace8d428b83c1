"""A page of the halt's parcel book, signed by several hands."""

from dataclasses import dataclass
from random import Random

from PIL import Image, ImageDraw

from scripts_mm.drawing.cases.homing_hour.fours import write_with_fours
from scripts_mm.drawing.primitives.fonts import Fonts, Hand
from scripts_mm.drawing.primitives.ink import (
    Handwriting,
    Stamp,
    apply_ink,
    apply_stamp,
    blank_mask,
)
from scripts_mm.drawing.primitives.paper import (
    Colour,
    Size,
    add_vignette,
    age_edges,
    make_ground,
    make_paper,
    place_on_table,
)

_SHEET: Size = (920, 620)
_SIZE: Size = (1020, 720)
_PAPER: Colour = (214, 226, 222)
_PRINT: Colour = (36, 66, 72)
_RULE: Colour = (150, 176, 176)
_COLUMNS = (40, 300, 660)
_HEAD = 150
_STEP = 70


@dataclass(frozen=True, slots=True, kw_only=True)
class SignerPen:
    """The pen of one entry."""

    hand: Hand
    ink: Colour
    slant: float
    size: int
    open_fours: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ParcelSpec:
    """The page: headings, entries, the pen of each entry, a stamp."""

    title: str
    head: tuple[str, str, str]
    rows: tuple[tuple[str, str, str], ...]
    pens: tuple[SignerPen, ...]
    stamp: tuple[str, ...]


def draw_parcel(spec: ParcelSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the page on a counter of green cloth."""
    sheet = make_paper(_SHEET, _PAPER, rng, 0.08)
    _print_form(sheet, spec, fonts)
    for nth, (row, pen) in enumerate(zip(spec.rows, spec.pens, strict=True)):
        mask = blank_mask(_SHEET)
        style = Handwriting(sway=1.2, turn=0.8, slant=pen.slant)
        font = fonts.get(pen.hand, pen.size)
        for x, cell in zip(_COLUMNS, row, strict=True):
            at = (x, _HEAD + _STEP * (nth + 1) - 20)
            write_with_fours(mask, at, cell, font, (style, rng), is_open=pen.open_fours)
        sheet = apply_ink(sheet, mask, pen.ink, rng)
    stamp = Stamp(lines=spec.stamp, colour=(40, 90, 120), angle=14, round=True)
    sheet = apply_stamp(sheet, (822, 76), stamp, fonts.get("sans-bold", 18), rng)
    sheet = age_edges(sheet, (110, 120, 110), 0.3, rng)
    cloth = make_ground(_SIZE, (44, 84, 66), rng, 3, 0.35)
    return add_vignette(place_on_table(sheet, _SIZE, 1.0, cloth), 0.22)


def _print_form(sheet: Image.Image, spec: ParcelSpec, fonts: Fonts) -> None:
    draw = ImageDraw.Draw(sheet)
    width = _SHEET[0]
    draw.rectangle((18, 18, width - 19, _SHEET[1] - 19), outline=_PRINT, width=3)
    draw.text((40, 62), spec.title, _PRINT, fonts.get("sans-bold", 33), anchor="lm")
    for x, word in zip(_COLUMNS, spec.head, strict=True):
        draw.text((x, _HEAD - 24), word, _PRINT, fonts.get("sans", 22), anchor="lm")
    for nth in range(len(spec.rows) + 1):
        y = _HEAD + _STEP * nth
        draw.line((18, y, width - 19, y), fill=_PRINT if nth == 0 else _RULE, width=2)
    for x in _COLUMNS[1:]:
        draw.line((x - 16, _HEAD - 46, x - 16, _SHEET[1] - 20), fill=_RULE, width=3)
