"""An invoice on tinted paper with a table, a stamp and a remark in pencil."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from types import MappingProxyType
from typing import Literal

from PIL import Image, ImageDraw

from scripts_mm.drawing.primitives.fonts import Fonts, Hand
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
    Colour,
    Point,
    Size,
    TableKind,
    add_creases,
    add_vignette,
    age_edges,
    make_paper,
    make_table,
    place_on_table,
)

_TYPE = (30, 28, 34)


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
    paper: Colour = (226, 232, 214)
    print_colour: Colour = (26, 74, 66)
    logo: Literal["rings", "bell", "ladder", "star"] = "rings"
    scrawl: Literal["loops", "peaks", "sweep"] = "loops"
    """The shape of the illegible signature."""
    scrawl_ink: Colour = (30, 40, 110)
    stamp_colour: Colour = (30, 90, 150)
    stamp_angle: float = 9
    stamp_round: bool = False
    remark_colour: Colour = (170, 36, 30)
    remark_hand: Hand = "pencil"
    framed: bool = True
    """Whether a line is printed round the sheet."""
    table: Colour = (46, 42, 44)
    table_kind: TableKind = "wood"
    size: Size = (760, 980)
    angle: float = 1.1


def draw_invoice(spec: InvoiceSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the invoice."""
    size = (spec.size[0] - 50, spec.size[1] - 50)
    sheet = make_paper(size, spec.paper, rng, 0.09)
    _draw_head(sheet, spec, fonts)
    mask = blank_mask(size)
    y = _print_table(sheet, mask, spec, fonts)
    sheet = apply_ink(sheet, mask, _TYPE, rng, wear=0.4)
    stamp = Stamp(
        lines=spec.stamp, colour=spec.stamp_colour, angle=spec.stamp_angle, round=spec.stamp_round
    )
    sheet = apply_stamp(sheet, (size[0] * 0.76, y + 74), stamp, fonts.get("sans-bold", 30), rng)
    sheet = _write_scrawl(sheet, (300, y + 58), spec, rng)
    sheet = _write_remark(sheet, spec, fonts, rng, y + 136)
    sheet = add_creases(age_edges(sheet, (128, 124, 90), 0.4, rng), across=(0.5,), down=())
    table = make_table(spec.size, spec.table, rng, spec.table_kind)
    return add_vignette(place_on_table(sheet, spec.size, spec.angle, table), 0.22)


def _draw_head(sheet: Image.Image, spec: InvoiceSpec, fonts: Fonts) -> None:
    draw = ImageDraw.Draw(sheet)
    width = sheet.size[0]
    if spec.framed:
        draw.rectangle((26, 26, width - 27, sheet.size[1] - 27), outline=spec.print_colour, width=2)
    draw.text((60, 76), spec.firm, spec.print_colour, fonts.get("bold", 38), anchor="lm")
    draw.text((60, 118), spec.trade, spec.print_colour, fonts.get("print", 22), anchor="lm")
    draw.text((60, 148), spec.address, spec.print_colour, fonts.get("print", 19), anchor="lm")
    LOGOS[spec.logo](draw, (width - 105, 97), spec.print_colour)
    draw.line((60, 174, width - 60, 174), fill=spec.print_colour, width=2)
    draw.text((60, 206), spec.number, spec.print_colour, fonts.get("bold", 23), anchor="lm")
    draw.text((width - 60, 206), spec.date, spec.print_colour, fonts.get("print", 22), anchor="rm")
    for nth, line in enumerate(spec.customer):
        draw.text((60, 250 + 30 * nth), line, _TYPE, fonts.get("type", 22), anchor="lm")


def _draw_rings(draw: ImageDraw.ImageDraw, at: Point, ink: Colour) -> None:
    x, y = at
    for turn in range(0, 24, 6):
        box = (x - 45 + turn, y - 45 + turn, x + 45 - turn, y + 45 - turn)
        draw.ellipse(box, outline=ink, width=3)


def _draw_bell(draw: ImageDraw.ImageDraw, at: Point, ink: Colour) -> None:
    x, y = at
    half = ((12, -40), (20, -10), (26, 18), (42, 34))
    outline = [*half, *((-east, south) for east, south in reversed(half))]
    draw.polygon([(x + east, y + south) for east, south in outline], outline=ink, width=3)
    draw.ellipse((x - 9, y + 30, x + 9, y + 48), fill=ink)


def _draw_ladder(draw: ImageDraw.ImageDraw, at: Point, ink: Colour) -> None:
    x, y = at
    for side in (-18, 18):
        draw.line((x + side - 8, y + 45, x + side + 8, y - 45), fill=ink, width=4)
    for rung in range(-34, 40, 15):
        lean = rung / 5.6
        draw.line((x - 18 - lean, y + rung, x + 18 - lean, y + rung), fill=ink, width=3)


def _draw_star(draw: ImageDraw.ImageDraw, at: Point, ink: Colour) -> None:
    x, y = at
    for turn in range(0, 180, 30):
        east, south = 44 * math.cos(math.radians(turn)), 44 * math.sin(math.radians(turn))
        draw.line((x - east, y - south, x + east, y + south), fill=ink, width=3)
    draw.ellipse((x - 12, y - 12, x + 12, y + 12), fill=ink)


LOGOS: Mapping[str, Callable[[ImageDraw.ImageDraw, Point, Colour], None]] = MappingProxyType(
    {"rings": _draw_rings, "bell": _draw_bell, "ladder": _draw_ladder, "star": _draw_star}
)
"""A firm's signs, 90 pixels wide, by the name that specs use."""


def _print_table(sheet: Image.Image, mask: Image.Image, spec: InvoiceSpec, fonts: Fonts) -> float:
    draw, typed = ImageDraw.Draw(sheet), ImageDraw.Draw(mask)
    right = sheet.size[0] - 60
    edges = (60, 128, right - 232, right - 118, right)
    top, step = 330, 50
    bottom = top + step * (len(spec.rows) + 1)
    for nth in range(len(spec.rows) + 2):
        draw.line((60, top + nth * step, right, top + nth * step), fill=spec.print_colour, width=2)
    for x in edges:
        draw.line((x, top, x, bottom), fill=spec.print_colour, width=2)
    for column, name in enumerate(spec.head):
        at = ((edges[column] + edges[column + 1]) / 2, top + step / 2)
        draw.text(at, name, spec.print_colour, fonts.get("bold", 19), anchor="mm")
    font = fonts.get("type", 20)
    for nth, row in enumerate(spec.rows):
        y = top + step * (nth + 1.5)
        for column, cell in enumerate(row):
            number = column != 1
            at = (edges[column + 1] - 12 if number else edges[column] + 10, y)
            typed.text(at, cell, 255, font, anchor="rm" if number else "lm")
    big = fonts.get("bold", 25)
    draw.text((right - 132, bottom + 32), spec.total[0], spec.print_colour, big, anchor="rm")
    typed.text((right - 12, bottom + 32), spec.total[1], 255, fonts.get("type", 25), anchor="rm")
    draw.line((right - 116, bottom + 54, right, bottom + 54), fill=spec.print_colour, width=4)
    draw.text(
        (60, bottom + 92), spec.received, spec.print_colour, fonts.get("print", 20), anchor="lm"
    )
    return bottom + 60.0


def _write_scrawl(sheet: Image.Image, at: Point, spec: InvoiceSpec, rng: Random) -> Image.Image:
    """Write an illegible signature."""
    mask = blank_mask(sheet.size)
    draw = ImageDraw.Draw(mask)
    if spec.scrawl == "loops":
        for nth in range(7):
            x, reach = at[0] + 15 * nth, 16 - 1.5 * nth + rng.uniform(-3, 5)
            draw.arc((x, at[1] - reach, x + 26, at[1] + reach), 90 * (nth % 2), 290, 230, 3)
        draw.line((at[0] - 10, at[1] + 16, at[0] + 150, at[1] + 4), fill=220, width=3)
    else:
        draw.line(_scrawl_line(at, spec, rng), fill=230, width=3, joint="curve")
    return apply_ink(sheet, mask, spec.scrawl_ink, rng)


def _scrawl_line(at: Point, spec: InvoiceSpec, rng: Random) -> list[Point]:
    """Return a signature in one stroke: a row of peaks, or one long sweep with a knot."""
    if spec.scrawl == "peaks":
        return [
            (
                at[0] + 11 * nth + rng.uniform(-3, 3),
                at[1] + (14 if nth % 2 else -rng.uniform(6, 26) * (1 - nth / 16)),
            )
            for nth in range(14)
        ]
    knot = [
        (at[0] + 24 * math.cos(turn / 3), at[1] + 18 * math.sin(turn / 3)) for turn in range(-4, 19)
    ]
    return [
        *knot,
        (at[0] + 70, at[1] + rng.uniform(-14, -4)),
        (at[0] + 116, at[1] + 12),
        (at[0] + 190, at[1] - 10),
    ]


def _write_remark(
    sheet: Image.Image, spec: InvoiceSpec, fonts: Fonts, rng: Random, top: float
) -> Image.Image:
    font = fonts.get(spec.remark_hand, spec.remark_size)
    mask = blank_mask(sheet.size)
    y = top
    pen = Handwriting(sway=1.6, turn=1.0)
    for remark in spec.remark:
        for line in wrap_text(remark, font, sheet.size[0] - 160):
            y += spec.remark_size * 1.5
            draw_handwriting(
                mask, (76 + rng.uniform(-3, 5), y - (y - top) * 0.03), line, font, pen, rng
            )
    return apply_ink(sheet, mask, spec.remark_colour, rng, wear=0.5)
