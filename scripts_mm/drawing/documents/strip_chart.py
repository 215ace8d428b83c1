"""A strip from a chart recorder: printed squares, the line of a pen, and remarks by hand."""

from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Literal

from PIL import Image, ImageChops, ImageDraw

from scripts_mm.drawing.primitives.canvas import SCALE, scale_size
from scripts_mm.drawing.primitives.fonts import Fonts, Hand
from scripts_mm.drawing.primitives.ink import Handwriting, apply_ink, blank_mask, draw_handwriting
from scripts_mm.drawing.primitives.paper import (
    Colour,
    Point,
    Size,
    add_vignette,
    adjust_levels,
    age_edges,
    make_paper,
    make_wood,
    place_on_table,
)

_EDGE = 46
"""Pixels of the perforated edges above and below the squares."""

ChartBox = tuple[float, float, float, float]
"""Left, top, right, bottom in pixels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TracePoint:
    """A point on the pen's curve, in the units of the axes."""

    x: float
    y: float
    shake: float = 0.0
    """Tremor of the pen from here to the next point, in units of y; 0: straight."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartRemark:
    """A handwritten remark on the strip; `x` and `y` are its left end and baseline."""

    x: float
    y: float
    text: str
    size: int = 27
    hand: Hand = "pencil"
    colour: Colour = (40, 48, 110)
    target: tuple[float, float] | None = None
    """End of a thin line from the remark, in the units of the axes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartAxis:
    """An axis of the grid: its ends, the distance between two lines, and printed values."""

    start: float
    end: float
    step: float
    labels: tuple[tuple[float, str], ...]
    """Values with the printed text at their lines, which are heavy."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StripChartSpec:
    """A strip: its print, its curve and its remarks."""

    title: str
    """Printed in the upper edge."""
    unit: str
    """Printed above the values of the y axis."""
    across: ChartAxis
    """Time, from left to right."""
    up: ChartAxis
    """The measured value, from the bottom to the top."""
    curve: tuple[TracePoint, ...]
    remarks: tuple[ChartRemark, ...] = ()
    print_colour: Colour = (206, 112, 84)
    pen_colour: Colour = (34, 42, 128)
    sheet_colour: Colour = (247, 243, 230)
    table_colour: Colour = (70, 78, 84)
    print_hand: Hand = "sans"
    """The type of the values."""
    title_hand: Hand = "sans-bold"
    pen_width: int = 3
    feed: Literal["slots", "round", "none"] = "slots"
    """The holes in the edges by which the recorder moves the paper."""
    torn: Literal["", "left", "right"] = ""
    """The upper corner that is missing."""
    size: Size = (1000, 700)
    angle: float = 0.8


def draw_strip_chart(spec: StripChartSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the strip."""
    size = (spec.size[0] - 44, spec.size[1] - 56)
    field = (74.0, _EDGE + 30.0, size[0] - 26.0, size[1] - _EDGE - 34.0)
    sheet = make_paper(size, spec.sheet_colour, rng, 0.07)
    _draw_squares(sheet, spec, field)
    _draw_figures(sheet, spec, field, fonts)
    _draw_holes(sheet, spec)
    sheet = apply_ink(sheet, _draw_curve(spec, field, size, rng), spec.pen_colour, rng, wear=0.3)
    for remark in spec.remarks:
        mask = _write_remark(remark, spec, field, fonts, rng, blank_mask(size))
        sheet = apply_ink(sheet, mask, remark.colour, rng, wear=0.4)
    sheet = age_edges(sheet, (134, 118, 84), 0.45, rng)
    table = make_wood(spec.size, spec.table_colour, rng)
    if not spec.torn:
        return add_vignette(place_on_table(sheet, spec.size, spec.angle, table), 0.2)
    return add_vignette(_place_without_corner(sheet, spec, table, rng), 0.2)


def _to_pixels(spec: StripChartSpec, field: ChartBox, x: float, y: float) -> Point:
    left, top, right, bottom = field
    across, up = spec.across, spec.up
    return (
        left + (x - across.start) / (across.end - across.start) * (right - left),
        bottom - (y - up.start) / (up.end - up.start) * (bottom - top),
    )


def _draw_squares(sheet: Image.Image, spec: StripChartSpec, field: ChartBox) -> None:
    draw = ImageDraw.Draw(sheet)
    faint = _mix_colours(spec.print_colour, spec.sheet_colour, 0.62)
    heavy = _mix_colours(spec.print_colour, spec.sheet_colour, 0.2)
    left, top, right, bottom = field
    across, up = spec.across, spec.up
    marked = {value for value, _ in across.labels}
    for value in _grid_values(across):
        x = _to_pixels(spec, field, value, up.start)[0]
        strong = value in marked
        draw.line((x, top, x, bottom), fill=heavy if strong else faint, width=2 if strong else 1)
    marked = {value for value, _ in up.labels}
    for value in _grid_values(up):
        y = _to_pixels(spec, field, across.start, value)[1]
        strong = value in marked
        draw.line((left, y, right, y), fill=heavy if strong else faint, width=2 if strong else 1)


def _draw_figures(sheet: Image.Image, spec: StripChartSpec, field: ChartBox, fonts: Fonts) -> None:
    draw = ImageDraw.Draw(sheet)
    font = fonts.get(spec.print_hand, 20)
    colour = _mix_colours(spec.print_colour, (60, 20, 10), 0.35)
    for value, label in spec.across.labels:
        x = _to_pixels(spec, field, value, spec.up.start)[0]
        draw.text((x, field[3] + 21), label, colour, font, anchor="mm")
    for value, label in spec.up.labels:
        y = _to_pixels(spec, field, spec.across.start, value)[1]
        draw.text((field[0] - 10, y), label, colour, font, anchor="rm")
    draw.text((field[0] - 10, field[1] - 22), spec.unit, colour, font, anchor="mm")
    middle = (field[0] + field[2]) / 2
    title = fonts.get(spec.title_hand, 20)
    draw.text((middle, field[1] - 20), spec.title, colour, title, anchor="mm")


def _draw_holes(sheet: Image.Image, spec: StripChartSpec) -> None:
    if spec.feed == "none":
        return
    draw = ImageDraw.Draw(sheet)
    width, height = sheet.size
    for x in range(20, width, 34):
        for y in (18, height - 19):
            if spec.feed == "round":
                draw.ellipse((x - 6, y - 6, x + 6, y + 6), fill=spec.table_colour)
            else:
                draw.rounded_rectangle((x - 6, y - 8, x + 6, y + 8), 4, fill=spec.table_colour)


def _draw_curve(spec: StripChartSpec, field: ChartBox, size: Size, rng: Random) -> Image.Image:
    """Return the pen's line as a mask; between two points it has the tremor of the first."""
    mask = blank_mask(scale_size(size))
    points: list[Point] = []
    for one, other in pairwise(spec.curve):
        reach = _to_pixels(spec, field, other.x, 0)[0] - _to_pixels(spec, field, one.x, 0)[0]
        count = max(1, round(reach / 2))
        for nth in range(count):
            share = nth / count
            y = one.y + (other.y - one.y) * share + rng.uniform(-one.shake, one.shake)
            points.append(_to_pixels(spec, field, one.x + (other.x - one.x) * share, y))
    points.append(_to_pixels(spec, field, spec.curve[-1].x, spec.curve[-1].y))
    large = [(x * SCALE, y * SCALE) for x, y in points]
    ImageDraw.Draw(mask).line(large, fill=255, width=spec.pen_width * SCALE, joint="curve")
    return mask.resize(size, Image.Resampling.LANCZOS)


def _write_remark(
    remark: ChartRemark,
    spec: StripChartSpec,
    field: ChartBox,
    fonts: Fonts,
    rng: Random,
    mask: Image.Image,
) -> Image.Image:
    at = _to_pixels(spec, field, remark.x, remark.y)
    font = fonts.get(remark.hand, remark.size)
    end = draw_handwriting(mask, at, remark.text, font, Handwriting(sway=1.2, turn=1.0), rng)
    if remark.target is not None:
        goal = _to_pixels(spec, field, *remark.target)
        below = goal[1] > at[1]
        start = ((at[0] + end) / 2, at[1] + (9 if below else -remark.size))
        draw = ImageDraw.Draw(mask)
        draw.line((*start, *goal), fill=210, width=2)
        draw.ellipse((goal[0] - 4, goal[1] - 4, goal[0] + 4, goal[1] + 4), fill=220)
    return mask


def _place_without_corner(
    sheet: Image.Image, spec: StripChartSpec, table: Image.Image, rng: Random
) -> Image.Image:
    """Place the sheet without its corner, where the table is visible."""
    corner = 0 if spec.torn == "left" else sheet.size[0]
    inward = 1 if spec.torn == "left" else -1
    edge: list[Point] = [(corner, 0.0)]
    reach, steps = 132.0, 14
    for nth in range(steps + 1):
        share = nth / steps
        x = corner + inward * reach * (1 - share) + rng.uniform(-5, 5)
        edge.append((x, reach * 0.8 * share + rng.uniform(-5, 5)))
    gone = blank_mask(sheet.size)
    ImageDraw.Draw(gone).polygon(edge, fill=255)
    rim = blank_mask(sheet.size)
    ImageDraw.Draw(rim).line(edge[1:], fill=255, width=7, joint="curve")
    sheet = Image.composite(Image.new("RGB", sheet.size, (252, 250, 244)), sheet, rim)
    whole = place_on_table(sheet, spec.size, spec.angle, table)
    mask = gone.rotate(spec.angle, Image.Resampling.BICUBIC, expand=True)
    at = ((spec.size[0] - mask.size[0]) // 2, (spec.size[1] - mask.size[1]) // 2)
    hole = blank_mask(spec.size)
    hole.paste(mask, at)
    dark = ImageChops.multiply(table, Image.new("RGB", table.size, (200, 200, 200)))
    return Image.composite(dark, whole, adjust_levels(hole, 1))


def _grid_values(axis: ChartAxis) -> list[float]:
    count = round((axis.end - axis.start) / axis.step)
    return [axis.start + axis.step * nth for nth in range(count + 1)]


def _mix_colours(one: Colour, other: Colour, share: float) -> Colour:
    """Return the colour at `share` of the way from one to the other."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return (red, green, blue)
