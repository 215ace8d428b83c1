"""The paper strip of a recording thermometer; its red line is the evidence."""

import math
from dataclasses import dataclass
from itertools import pairwise
from random import Random

from PIL import Image, ImageDraw

from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.ink import Handwriting, apply_ink, blank_mask, draw_handwriting
from scripts_mm.drawing.primitives.paper import (
    Point,
    Size,
    add_creases,
    add_vignette,
    make_ground,
    make_paper,
    place_on_table,
)

_GRID = (206, 140, 120)
_PRINT = (120, 62, 50)
_TRACE = (36, 44, 130)
_LEFT, _TOP, _HOUR, _DEGREE = 70, 104, 104, 13.0


@dataclass(frozen=True, slots=True, kw_only=True)
class StripSpec:
    """A strip from hour `first` on; the trace is in minutes after it and degrees."""

    title: str
    axis: str
    note: str
    """Handwritten note in the margin."""
    first: int
    hours: int
    trace: tuple[tuple[float, float], ...]
    top: int = 30
    """Highest degree on the paper."""
    size: Size = (1000, 640)
    angle: float = -0.8


def draw_strip(spec: StripSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the strip."""
    size = (spec.size[0] - 40, spec.size[1] - 50)
    sheet = make_paper(size, (250, 242, 226), rng, 0.05)
    _draw_grid(sheet, spec, fonts)
    mask = blank_mask((size[0] * 2, size[1] * 2))
    _draw_trace(mask, spec, rng)
    sheet = apply_ink(sheet, mask.resize(size, Image.Resampling.LANCZOS), _TRACE, rng, wear=0.2)
    note = blank_mask(size)
    draw_handwriting(
        note, (_LEFT, size[1] - 22), spec.note, fonts.get("note", 25), Handwriting(), rng
    )
    sheet = add_creases(apply_ink(sheet, note, (40, 40, 52), rng), across=(), down=(0.28, 0.66))
    table = make_ground(spec.size, (70, 84, 80), rng, 5, 0.3)
    return add_vignette(place_on_table(sheet, spec.size, spec.angle, table), 0.2)


def _to_pixels(spec: StripSpec, minute: float, degree: float) -> Point:
    return _LEFT + minute * _HOUR / 60, _TOP + (spec.top - degree) * _DEGREE


def _draw_grid(sheet: Image.Image, spec: StripSpec, fonts: Fonts) -> None:
    draw = ImageDraw.Draw(sheet)
    draw.text((_LEFT, 34), spec.title, _PRINT, fonts.get("bold", 25), anchor="lm")
    draw.text((_LEFT, 66), spec.axis, _PRINT, fonts.get("sans", 18), anchor="lm")
    font = fonts.get("sans-bold", 19)
    for minute in range(0, spec.hours * 60 + 1, 20):
        hour = minute % 60 == 0
        ends = (*_to_pixels(spec, minute, spec.top), *_to_pixels(spec, minute, 0))
        draw.line(ends, fill=_GRID if hour else (236, 200, 184), width=3 if hour else 1)
        if hour:
            at = (ends[0], ends[3] + 18)
            text = f"{(spec.first + minute // 60) % 24:02d}:00"
            draw.text(at, text, _PRINT, font, anchor="mm")
    for degree in range(0, spec.top + 1, 5):
        ends = (*_to_pixels(spec, 0, degree), *_to_pixels(spec, spec.hours * 60, degree))
        draw.line(ends, fill=_GRID, width=2 if degree % 10 == 0 else 1)
        draw.text((_LEFT - 14, ends[1]), str(degree), _PRINT, font, anchor="rm")


def _draw_trace(mask: Image.Image, spec: StripSpec, rng: Random) -> None:
    """Draw the line of the pen with the slight tremor of a drum."""
    points: list[Point] = []
    for (start, warm), (end, cool) in pairwise(spec.trace):
        steps = max(1, round((end - start) / 3))
        for nth in range(steps):
            share = nth / steps
            tremor = 0.1 * math.sin((start + nth) * 1.7) + rng.uniform(-0.08, 0.08)
            degree = warm + (cool - warm) * share + tremor
            points.append(_to_pixels(spec, start + (end - start) * share, degree))
    points.append(_to_pixels(spec, *spec.trace[-1]))
    big = [(x * 2, y * 2) for x, y in points]
    ImageDraw.Draw(mask).line(big, fill=255, width=7, joint="curve")
