"""An invoice on tinted paper with a table, a stamp and a remark in pencil."""

from dataclasses import dataclass
from random import Random

from PIL import Image, ImageDraw

from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.ink import (
    Handwriting,
    Stamp,
    apply_ink,
    apply_stamp,
    blank_mask,
    draw_handwriting,
    wrap_text,
)
from scripts_mm.drawing.primitives.paper import (
    Point,
    Size,
    add_creases,
    add_vignette,
    age_edges,
    make_paper,
    make_wood,
    place_on_table,
)

_PRINT = (26, 74, 66)
_TYPE = (30, 28, 34)
_PENCIL = (170, 36, 30)


@dataclass(frozen=True, slots=True, kw_only=True)
class InvoiceSpec:
    """An invoice: head, rows of four cells, total and a handwritten remark."""

    firm: str
    trade: str
    address: str
    number: str
    date: str
    customer: tuple[str, ...]
    head: tuple[str, str, str, str]
    rows: tuple[tuple[str, str, str, str], ...]
    total: tuple[str, str]
    received: str
    stamp: tuple[str, ...]
    remark: tuple[str, ...]
    """Lines in red pencil."""
    remark_size: int
    size: Size = (760, 980)
    angle: float = 1.1


def draw_invoice(spec: InvoiceSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the invoice."""
    size = (spec.size[0] - 50, spec.size[1] - 50)
    sheet = make_paper(size, (226, 232, 214), rng, 0.09)
    _draw_head(sheet, spec, fonts)
    mask = blank_mask(size)
    y = _print_table(sheet, mask, spec, fonts)
    sheet = apply_ink(sheet, mask, _TYPE, rng, wear=0.4)
    stamp = Stamp(lines=spec.stamp, colour=(30, 90, 150), angle=9)
    sheet = apply_stamp(sheet, (size[0] * 0.76, y + 74), stamp, fonts.get("sans-bold", 30), rng)
    sheet = _write_scrawl(sheet, (300, y + 58), rng)
    sheet = _write_remark(sheet, spec, fonts, rng, y + 136)
    sheet = add_creases(age_edges(sheet, (128, 124, 90), 0.4, rng), across=(0.5,), down=())
    table = make_wood(spec.size, (46, 42, 44), rng)
    return add_vignette(place_on_table(sheet, spec.size, spec.angle, table), 0.22)


def _draw_head(sheet: Image.Image, spec: InvoiceSpec, fonts: Fonts) -> None:
    draw = ImageDraw.Draw(sheet)
    width = sheet.size[0]
    draw.rectangle((26, 26, width - 27, sheet.size[1] - 27), outline=_PRINT, width=2)
    draw.text((60, 76), spec.firm, _PRINT, fonts.get("bold", 38), anchor="lm")
    draw.text((60, 118), spec.trade, _PRINT, fonts.get("print", 22), anchor="lm")
    draw.text((60, 148), spec.address, _PRINT, fonts.get("print", 19), anchor="lm")
    for turn in range(0, 24, 6):
        box = (width - 150 + turn, 52 + turn, width - 60 - turn, 142 - turn)
        draw.ellipse(box, outline=_PRINT, width=3)
    draw.line((60, 174, width - 60, 174), fill=_PRINT, width=2)
    draw.text((60, 206), spec.number, _PRINT, fonts.get("bold", 23), anchor="lm")
    draw.text((width - 60, 206), spec.date, _PRINT, fonts.get("print", 22), anchor="rm")
    for nth, line in enumerate(spec.customer):
        draw.text((60, 250 + 30 * nth), line, _TYPE, fonts.get("type", 22), anchor="lm")


def _print_table(sheet: Image.Image, mask: Image.Image, spec: InvoiceSpec, fonts: Fonts) -> float:
    draw, typed = ImageDraw.Draw(sheet), ImageDraw.Draw(mask)
    right = sheet.size[0] - 60
    edges = (60, 128, right - 232, right - 118, right)
    top, step = 330, 50
    bottom = top + step * (len(spec.rows) + 1)
    for nth in range(len(spec.rows) + 2):
        draw.line((60, top + nth * step, right, top + nth * step), fill=_PRINT, width=2)
    for x in edges:
        draw.line((x, top, x, bottom), fill=_PRINT, width=2)
    for column, name in enumerate(spec.head):
        at = ((edges[column] + edges[column + 1]) / 2, top + step / 2)
        draw.text(at, name, _PRINT, fonts.get("bold", 19), anchor="mm")
    font = fonts.get("type", 20)
    for nth, row in enumerate(spec.rows):
        y = top + step * (nth + 1.5)
        for column, cell in enumerate(row):
            number = column != 1
            at = (edges[column + 1] - 12 if number else edges[column] + 10, y)
            typed.text(at, cell, 255, font, anchor="rm" if number else "lm")
    big = fonts.get("bold", 25)
    draw.text((right - 132, bottom + 32), spec.total[0], _PRINT, big, anchor="rm")
    typed.text((right - 12, bottom + 32), spec.total[1], 255, fonts.get("type", 25), anchor="rm")
    draw.line((right - 116, bottom + 54, right, bottom + 54), fill=_PRINT, width=4)
    draw.text((60, bottom + 92), spec.received, _PRINT, fonts.get("print", 20), anchor="lm")
    return bottom + 60.0


def _write_scrawl(sheet: Image.Image, at: Point, rng: Random) -> Image.Image:
    """Write an illegible signature."""
    mask = blank_mask(sheet.size)
    draw = ImageDraw.Draw(mask)
    for nth in range(7):
        x, reach = at[0] + 15 * nth, 16 - 1.5 * nth + rng.uniform(-3, 5)
        draw.arc((x, at[1] - reach, x + 26, at[1] + reach), 90 * (nth % 2), 290, 230, 3)
    draw.line((at[0] - 10, at[1] + 16, at[0] + 150, at[1] + 4), fill=220, width=3)
    return apply_ink(sheet, mask, (30, 40, 110), rng)


def _write_remark(
    sheet: Image.Image, spec: InvoiceSpec, fonts: Fonts, rng: Random, top: float
) -> Image.Image:
    font = fonts.get("pencil", spec.remark_size)
    mask = blank_mask(sheet.size)
    y = top
    pen = Handwriting(sway=1.6, turn=1.0)
    for remark in spec.remark:
        for line in wrap_text(remark, font, sheet.size[0] - 160):
            y += spec.remark_size * 1.5
            draw_handwriting(
                mask, (76 + rng.uniform(-3, 5), y - (y - top) * 0.03), line, font, pen, rng
            )
    return apply_ink(sheet, mask, _PENCIL, rng, wear=0.5)
