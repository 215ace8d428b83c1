"""A ruled page with printed headings, filled in by hand: a form, a log, a visitors' book."""

from dataclasses import dataclass
from random import Random
from typing import Literal

from PIL import Image, ImageDraw, ImageFilter

from scripts_mm.drawing.primitives.fonts import Fonts, Hand
from scripts_mm.drawing.primitives.ink import Handwriting, apply_ink, blank_mask, draw_handwriting
from scripts_mm.drawing.primitives.paper import (
    Colour,
    Size,
    add_vignette,
    age_edges,
    make_paper,
    make_wood,
    place_on_table,
)

_PRINT: Colour = (58, 50, 48)
_HEAD_LINE = 146
"""Height of the line below the headings, in pixels."""
_MARGIN = 40
_PAGES = 4
"""Number of pages seen below a book's page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pen:
    """One hand of the page: its typeface, ink and slant."""

    hand: Hand = "letter"
    ink: Colour = (34, 42, 92)
    slant: float = 0.1
    size: int = 27


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisterPageSpec:
    """A page of entries in columns."""

    title: str
    subtitle: str = ""
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    columns: tuple[int, ...]
    """Left edges of the columns, in pixels."""
    pens: tuple[Pen, ...] = (Pen(),)
    """The pen of each row; after the last, the first again."""
    foot: tuple[tuple[str, str], ...] = ()
    """Printed words below the rows, and what is written after them."""
    kind: Literal["form", "book"] = "form"
    paper: Colour = (240, 234, 214)
    rule: Colour = (170, 188, 204)
    table: Colour = (96, 72, 52)
    step: int = 50
    """Distance between two rows."""
    size: Size = (820, 620)
    angle: float = -1.0


def draw_register_page(spec: RegisterPageSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the page."""
    size = (spec.size[0] - 60, spec.size[1] - 60)
    sheet = make_paper(size, spec.paper, rng, 0.08)
    _draw_rules(sheet, spec)
    sheet = apply_ink(sheet, _print_words(size, spec, fonts), _PRINT, rng, wear=0.35)
    for nth, pen in enumerate(spec.pens):
        mask = blank_mask(size)
        _write_rows(mask, spec, nth, fonts, rng)
        sheet = apply_ink(sheet, mask, pen.ink, rng)
    sheet = age_edges(sheet, (120, 104, 76), 0.3, rng)
    if spec.kind == "book":
        sheet = _bind(sheet)
    table = make_wood(spec.size, spec.table, rng)
    return add_vignette(place_on_table(sheet, spec.size, spec.angle, table), 0.22)


def _foot_line(spec: RegisterPageSpec, nth: int) -> int:
    """Return the height of a line of the foot."""
    return _HEAD_LINE + spec.step * (len(spec.rows) + nth + 1)


def _draw_rules(sheet: Image.Image, spec: RegisterPageSpec) -> None:
    draw = ImageDraw.Draw(sheet)
    width, height = sheet.size
    bottom = _HEAD_LINE + spec.step * len(spec.rows)
    for y in range(_HEAD_LINE, height - 20 if spec.kind == "book" else bottom + 1, spec.step):
        draw.line((_MARGIN - 14, y, width - 24, y), fill=spec.rule, width=2)
    draw.line((_MARGIN - 14, _HEAD_LINE - 48, width - 24, _HEAD_LINE - 48), _PRINT, 2)
    draw.line((_MARGIN - 14, _HEAD_LINE, width - 24, _HEAD_LINE), _PRINT, 2)
    for x in spec.columns[1:]:
        draw.line((x - 12, _HEAD_LINE - 48, x - 12, bottom), fill=(204, 150, 146), width=2)


def _print_words(size: Size, spec: RegisterPageSpec, fonts: Fonts) -> Image.Image:
    """Return the mask of everything that is printed."""
    mask = blank_mask(size)
    draw = ImageDraw.Draw(mask)
    draw.text((_MARGIN, 40), spec.title, 255, fonts.get("bold", 28), anchor="lm")
    draw.text((_MARGIN, 74), spec.subtitle, 255, fonts.get("print", 20), anchor="lm")
    for x, word in zip(spec.columns, spec.head, strict=True):
        draw.text((x, _HEAD_LINE - 24), word, 255, fonts.get("print", 22), anchor="lm")
    for nth, (word, _) in enumerate(spec.foot):
        draw.text((_MARGIN, _foot_line(spec, nth) - 8), word, 255, fonts.get("print", 21), "ls")
    return mask


def _write_rows(
    mask: Image.Image, spec: RegisterPageSpec, pen: int, fonts: Fonts, rng: Random
) -> None:
    """Write the rows of one pen, and with the first pen the foot of the page."""
    own = spec.pens[pen]
    font = fonts.get(own.hand, own.size)
    style = Handwriting(sway=1.4, turn=0.9, slant=own.slant)
    for nth in range(pen, len(spec.rows), len(spec.pens)):
        y = _HEAD_LINE + spec.step * (nth + 1) - 12
        for x, cell in zip(spec.columns, spec.rows[nth], strict=True):
            draw_handwriting(mask, (x, y), cell, font, style, rng)
    for nth, (word, value) in enumerate(spec.foot if pen == 0 else ()):
        x = _MARGIN + fonts.get("print", 21).getlength(word) + 16
        draw_handwriting(mask, (x, _foot_line(spec, nth) - 8), value, font, style, rng)


def _bind(sheet: Image.Image) -> Image.Image:
    """Return the page darkened towards its fold at the left, with the pages below it."""
    width, height = sheet.size
    fold = Image.new("L", sheet.size, 0)
    ImageDraw.Draw(fold).rectangle((0, 0, 16, height), fill=170)
    fold = fold.filter(ImageFilter.GaussianBlur(14))
    sheet = Image.composite(Image.new("RGB", sheet.size, (60, 46, 34)), sheet, fold)
    draw = ImageDraw.Draw(sheet)
    for nth in range(_PAGES):
        x, tone = width - 1 - 4 * nth, 206 - 22 * (nth % 2)
        draw.line((x, 0, x, height), fill=(tone, tone - 8, tone - 30), width=2)
        draw.line((0, height - 1 - 4 * nth, width, height - 1 - 4 * nth), (tone, tone - 8, 160), 2)
    return sheet
