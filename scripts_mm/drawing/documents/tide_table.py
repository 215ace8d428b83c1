"""A page of a tide table: the curve over a night, and the high and low waters below."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from scripts_mm.drawing.primitives.canvas import SCALE, Canvas, TextStyle, scale_points, scale_size
from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.ink import Handwriting, apply_ink, blank_mask, draw_handwriting
from scripts_mm.drawing.primitives.paper import (
    Colour,
    Point,
    Size,
    add_creases,
    add_vignette,
    age_edges,
    make_paper,
    make_wood,
    place_on_table,
)

_INK = (22, 50, 84)
_FAINT = (150, 172, 186)
_RED = (184, 44, 38)
_PENCIL = (84, 84, 92)

TideExtreme = tuple[float, float]
"""Hours after the first midnight, and metres."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TideTableSpec:
    """A page; between two extremes the water follows half a cosine."""

    title: str
    place: str
    extremes: tuple[TideExtreme, ...]
    """Alternating high and low waters; the first and last are outside the hours drawn."""
    hours: tuple[int, int]
    """First and last hour drawn, after the first midnight."""
    days: tuple[str, ...]
    """Names of the days, from the day of the first midnight on."""
    top: int
    """Metres at the upper edge."""
    level: float | None = None
    """Metres of a dashed line, whose crossings are marked with their times."""
    level_label: str = ""
    head: tuple[str, str, str] = ("", "", "")
    """Heads of the table: day, time, metres."""
    kinds: tuple[str, str] = ("", "")
    """Words for high and low water in the table."""
    unit: str = "m"
    foot: str = ""
    remark: str = ""
    """Pencil remark in the margin."""
    remark_at: Point = (0.5, 0.9)
    size: Size = (980, 860)
    angle: float = 0.7


def draw_tide_table(spec: TideTableSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the page."""
    size = (spec.size[0] - 60, spec.size[1] - 60)
    canvas = Image.new("RGB", scale_size(size), (255, 255, 255))
    pen = _TideChart(canvas, spec, fonts)
    pen.draw_grid()
    pen.draw_water()
    if spec.level is not None:
        pen.draw_level(spec.level)
    pen.write_words()
    pen.draw_table()
    drawn = canvas.resize(size, Image.Resampling.LANCZOS)
    sheet = ImageChops.multiply(make_paper(size, (238, 240, 232), rng, 0.09), drawn)
    if spec.remark:
        mask = blank_mask(size)
        at = (spec.remark_at[0] * size[0], spec.remark_at[1] * size[1])
        draw_handwriting(
            mask, at, spec.remark, fonts.get("pencil", 30), Handwriting(sway=1.5, turn=1.2), rng
        )
        sheet = apply_ink(sheet, mask, _PENCIL, rng, wear=0.5)
    sheet = add_creases(age_edges(sheet, (132, 122, 96), 0.45, rng), across=(), down=(0.5,))
    table = make_wood(spec.size, (88, 78, 66), rng)
    return add_vignette(place_on_table(sheet, spec.size, spec.angle, table), 0.2)


def water_height(extremes: Sequence[TideExtreme], hour: float) -> float:
    """Return the metres of water at an hour between two of the extremes."""
    for (start, low), (end, high) in pairwise(extremes):
        if start <= hour <= end:
            share = (1 - math.cos(math.pi * (hour - start) / (end - start))) / 2
            return low + (high - low) * share
    return extremes[-1][1]


def level_crossings(extremes: Sequence[TideExtreme], level: float) -> tuple[float, ...]:
    """Return the hours at which the water is at `level`, in order."""
    found: list[float] = []
    for (start, one), (end, other) in pairwise(extremes):
        if min(one, other) < level < max(one, other):
            turn = math.acos(1 - 2 * (level - one) / (other - one))
            found.append(start + (end - start) * turn / math.pi)
    return tuple(found)


def clock_time(hour: float) -> str:
    """Return an hour as HH:MM, rounded to five minutes as in the almanac."""
    minutes = round(hour * 12) * 5 % 1440
    return f"{minutes // 60:02}:{minutes % 60:02}"


class _TideChart:
    """The chart that draws the parts of a page."""

    def __init__(self, canvas: Image.Image, spec: TideTableSpec, fonts: Fonts) -> None:
        self._canvas = canvas
        self._draw = ImageDraw.Draw(canvas)
        self._pen = Canvas(canvas, fonts, _INK)
        self._spec = spec
        self._fonts = fonts
        width, height = canvas.size[0] / SCALE, canvas.size[1] / SCALE
        self._left, self._right = 86.0, width - 50.0
        self._upper, self._lower = 128.0, height * 0.66

    def draw_grid(self) -> None:
        first, last = self._spec.hours
        for metres in range(self._spec.top + 1):
            y = self._y(metres)
            self._pen.line(((self._left, y), (self._right, y)), _FAINT, 1)
            self._write_text((self._left - 12, y), f"{metres}", 17, "rm")
        self._write_text((self._left - 12, self._upper - 26), self._spec.unit, 17, "rm")
        for hour in range(first, last + 1):
            x = self._x(hour)
            midnight = hour % 24 == 0
            self._pen.line(((x, self._upper), (x, self._lower)), _INK if midnight else _FAINT, 1)
            if hour % 2 == 0:
                self._write_text((x, self._lower + 18), f"{hour % 24:02}", 16, "mm")
        for nth, day in enumerate(self._spec.days):
            start, end = max(first, 24 * nth), min(last, 24 * nth + 24)
            self._write_text(((self._x(start) + self._x(end)) / 2, self._upper - 18), day, 18, "mm")

    def draw_water(self) -> None:
        first, last = self._spec.hours
        steps = (last - first) * 12
        curve = [
            (self._x(hour), self._y(water_height(self._spec.extremes, hour)))
            for hour in (first + nth / 12 for nth in range(steps + 1))
        ]
        below = [*curve, (self._right, self._lower), (self._left, self._lower)]
        mask = Image.new("L", self._canvas.size, 0)
        ImageDraw.Draw(mask).polygon(scale_points(*below), fill=70)
        blue = Image.new("RGB", self._canvas.size, (70, 132, 176))
        self._canvas.paste(blue, (0, 0), mask.filter(ImageFilter.GaussianBlur(1)))
        self._pen.line(curve, _INK, 3)
        self._pen.line(((self._left, self._lower), (self._right, self._lower)), _INK, 2)

    def draw_level(self, metres: float) -> None:
        y = self._y(metres)
        count = 60
        step = (self._right - self._left) / count
        for nth in range(count):
            x = self._left + nth * step
            self._pen.line(((x, y), (x + step * 0.55, y)), _RED, 2)
        first, last = self._spec.hours
        inside = [one for one in self._spec.extremes if first < one[0] < last]
        lowest = min(inside, key=lambda one: one[1])[0]
        self._write_text((self._x(lowest), y - 16), self._spec.level_label, 18, "mm", _RED)
        for hour in level_crossings(self._spec.extremes, metres):
            if first <= hour <= last:
                x = self._x(hour)
                self._pen.line(((x, y), (x, self._lower)), _RED, 1)
                self._pen.disc((x, y), 5, _RED, 0)
                self._write_boxed((x, self._lower - 22), clock_time(hour), _RED)

    def write_words(self) -> None:
        self._write_text((self._left, 44), self._spec.title, 28, "lm", bold=True)
        self._write_text((self._left, 80), self._spec.place, 18, "lm")
        self._pen.line(((self._left, 98), (self._right, 98)), _INK, 2)

    def draw_table(self) -> None:
        first, last = self._spec.hours
        rows = [one for one in self._spec.extremes if first <= one[0] <= last]
        edges = (self._left, self._left + 190, self._left + 300, self._left + 400, self._left + 470)
        top = self._lower + 58
        for x, name in zip((edges[0], edges[2], edges[3]), self._spec.head, strict=True):
            self._write_text((x, top), name, 18, "lm", bold=True)
        for nth, (hour, metres) in enumerate(rows):
            y = top + 32 * (nth + 1)
            high = metres > self._spec.top / 2
            self._write_text((edges[0], y), self._spec.days[int(hour // 24)], 18, "lm")
            self._write_text(
                (edges[2], y), f"{int(hour % 24):02}:{round(hour % 1 * 60):02}", 18, "lm"
            )
            self._write_text((edges[3], y), f"{metres:.1f}", 18, "lm")
            self._write_text((edges[4], y), self._spec.kinds[0 if high else 1], 18, "lm")
        self._write_text((self._left, top + 32 * (len(rows) + 1) + 8), self._spec.foot, 16, "lm")

    def _write_boxed(self, at: Point, text: str, colour: Colour) -> None:
        font = self._fonts.get("sans-bold", 18 * SCALE)
        (spot,) = scale_points(at)
        left, top, right, bottom = self._draw.textbbox(spot, text, font, anchor="mm")
        self._draw.rectangle(
            (left - 10, top - 8, right + 10, bottom + 8), fill=(255, 255, 255), outline=colour,
            width=2,
        )  # fmt: skip
        self._draw.text(spot, text, colour, font, anchor="mm")

    def _write_text(
        self, at: Point, text: str, size: int, anchor: str, colour: Colour = _INK, *,
        bold: bool = False,
    ) -> None:  # fmt: skip
        hand = "sans-bold" if bold else "sans"
        self._pen.write(at, text, TextStyle(size=size, hand=hand, fill=colour, anchor=anchor))

    def _x(self, hour: float) -> float:
        first, last = self._spec.hours
        return self._left + (self._right - self._left) * (hour - first) / (last - first)

    def _y(self, metres: float) -> float:
        return self._lower - (self._lower - self._upper) * metres / self._spec.top
