"""A page of an account book: entries in ink, an auditor's marks, a note in vermilion."""

from dataclasses import dataclass
from random import Random

from PIL import Image, ImageDraw

from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.ink import (
    Handwriting,
    apply_ink,
    blank_mask,
    draw_handwriting,
    wrap_text,
)
from scripts_mm.drawing.primitives.paper import (
    Colour,
    Point,
    Size,
    add_vignette,
    age_edges,
    make_paper,
    make_wood,
    place_on_table,
)
from scripts_mm.drawing.primitives.vertical_text import ColumnBlock, handwrite_columns

_INK = (30, 26, 24)
_RULE = (186, 84, 70)
_GREEN = (22, 120, 70)
_VERMILION = (204, 46, 30)
_ROW = 58
_FIRST = 170


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountPageSpec:
    """A page with a title and rows of cells; `upright`: every row is a column."""

    title: str
    rows: tuple[tuple[str, ...], ...]
    tabs: tuple[float, ...]
    """Left ends of a row's cells, as shares of the page."""
    ticked: tuple[int, ...] = ()
    """Rows with a small green triangle."""
    note: str = ""
    """A note in vermilion after the row `noted`."""
    noted: int = 0
    foot: str = ""
    upright: bool = False
    text_size: int = 28
    paper: Colour = (232, 218, 184)
    size: Size = (1000, 880)
    angle: float = 0.8
    cut: bool = False
    """Whether the inner edge was cut with a knife."""


def draw_account_page(spec: AccountPageSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the page."""
    size = (spec.size[0] - 60, spec.size[1] - 60)
    sheet = make_paper(size, spec.paper, rng, 0.04)
    ink, green, red = blank_mask(size), blank_mask(size), blank_mask(size)
    if spec.upright:
        _draw_rules_down(sheet, spec)
        _write_down(spec, fonts, rng, (ink, green, red))
    else:
        _draw_rules_across(sheet, spec)
        _write_across(spec, fonts, rng, (ink, green, red))
    sheet = age_edges(sheet, (132, 96, 52), 0.6, rng)
    sheet = apply_ink(sheet, ink, _INK, rng, wear=0.3)
    sheet = apply_ink(sheet, red, _VERMILION, rng, wear=0.35)
    sheet = apply_ink(sheet, green, _GREEN, rng, wear=0.15)
    if spec.cut:
        _cut_edge(sheet, rng)
    table = make_wood(spec.size, (62, 42, 34), rng)
    return add_vignette(place_on_table(sheet, spec.size, spec.angle, table), 0.22)


def _draw_triangle(mask: Image.Image, at: Point, rng: Random) -> None:
    x, y = at
    shake = [rng.uniform(-2, 2) for _ in range(3)]
    points = [(x, y - 13 + shake[0]), (x + 13, y + 10 + shake[1]), (x - 13, y + 9 + shake[2])]
    ImageDraw.Draw(mask).line([*points, points[0]], fill=255, width=4, joint="curve")


def _column_gap(size: Size, spec: AccountPageSpec) -> float:
    """Return the width of a column of an upright page; two columns are for title and foot."""
    extra = 1.6 + (1 if spec.note else 0) + (1 if spec.foot else 0)
    return (size[0] - 70) / (len(spec.rows) + extra)


def _draw_rules_down(sheet: Image.Image, spec: AccountPageSpec) -> None:
    draw = ImageDraw.Draw(sheet)
    width, height = sheet.size
    gap = _column_gap(sheet.size, spec)
    draw.rectangle((34, 34, width - 35, height - 35), outline=_RULE, width=4)
    draw.rectangle((42, 42, width - 43, height - 43), outline=_RULE, width=1)
    x = width - 42 - gap * 1.6
    while x > 42 + gap * 0.4:
        draw.line((x, 42, x, height - 42), fill=_RULE, width=2)
        x -= gap


def _write_down(
    spec: AccountPageSpec, fonts: Fonts, rng: Random, masks: tuple[Image.Image, ...]
) -> None:
    ink, green, red = masks
    width, height = ink.size
    gap, pen = _column_gap(ink.size, spec), Handwriting(sway=0.8, turn=0.9)
    title = ColumnBlock(right=width - 42 - gap * 0.8, top=70, step=44, gap=gap, rows=40)
    handwrite_columns(ink, title, spec.title, fonts.get("letter", 40), pen, rng)
    x = width - 42 - gap * 2.1
    font, step = fonts.get("letter", spec.text_size), spec.text_size * 1.12
    for nth, row in enumerate(spec.rows):
        for tab, cell in zip(spec.tabs, row, strict=True):
            block = ColumnBlock(right=x, top=height * tab, step=step, gap=0, rows=99)
            handwrite_columns(ink, block, cell, font, pen, rng)
        if nth in spec.ticked:
            _draw_triangle(green, (x + 2, height - 70), rng)
        x -= gap
        if spec.note and nth == spec.noted:
            large = round(spec.text_size * 1.15)
            block = ColumnBlock(right=x, top=height * 0.14, step=large * 1.25, gap=0, rows=99)
            handwrite_columns(
                red, block, spec.note, fonts.get("note", large), Handwriting(sway=1.6, turn=2), rng
            )
            x -= gap
    if spec.foot:
        block = ColumnBlock(right=x, top=70, step=step * 0.9, gap=0, rows=99)
        handwrite_columns(ink, block, spec.foot, fonts.get("letter", spec.text_size - 4), pen, rng)


def _draw_rules_across(sheet: Image.Image, spec: AccountPageSpec) -> None:
    draw = ImageDraw.Draw(sheet)
    width, height = sheet.size
    for y in range(_FIRST, height - 30, _ROW):
        draw.line((24, y, width - 24, y), fill=(196, 150, 130), width=1)
    foot = _FIRST + _ROW * (len(spec.rows) - (0 if spec.note else 1))
    for tab in spec.tabs[1:]:
        x = width * tab - 12
        draw.line((x, 112, x, foot), fill=_RULE, width=2)
    draw.line((24, 112, width - 24, 112), fill=_RULE, width=3)


def _write_across(
    spec: AccountPageSpec, fonts: Fonts, rng: Random, masks: tuple[Image.Image, ...]
) -> None:
    ink, green, red = masks
    width = ink.size[0]
    pen = Handwriting(sway=1.0, turn=0.7)
    draw_handwriting(ink, (46, 84), spec.title, fonts.get("letter", 42), pen, rng)
    font = fonts.get("letter", spec.text_size)
    y = float(_FIRST)
    for nth, row in enumerate(spec.rows):
        edges = (*spec.tabs[1:], 0.97)
        cells = [
            wrap_text(cell, font, width * (end - tab) - 18)
            for tab, end, cell in zip(spec.tabs, edges, row, strict=True)
        ]
        for tab, lines in zip(spec.tabs, cells, strict=True):
            for at, line in enumerate(lines):
                draw_handwriting(
                    ink, (width * tab, y + at * _ROW * 0.62 - 12), line, font, pen, rng
                )
        if nth in spec.ticked:
            _draw_triangle(green, (width - 40, y - 24), rng)
        y += _ROW * (1 if max(map(len, cells)) == 1 else 1.6)
        if spec.note and nth == spec.noted:
            hand = Handwriting(sway=1.8, turn=1.6)
            large = fonts.get("note", round(spec.text_size * 1.2))
            draw_handwriting(red, (width * 0.16, y - 10), spec.note, large, hand, rng)
            y += _ROW
    if spec.foot:
        draw_handwriting(
            ink, (46, y + 12), spec.foot, fonts.get("letter", spec.text_size - 3), pen, rng
        )


def _cut_edge(sheet: Image.Image, rng: Random) -> None:
    """Cut the left edge slightly askew."""
    draw = ImageDraw.Draw(sheet)
    height = sheet.size[1]
    draw.polygon([(0, 0), (3, 0), (15 + rng.uniform(0, 4), height), (0, height)], fill=(62, 42, 34))
