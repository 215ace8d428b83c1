"""A photograph of a stopped clock or watch."""

import math
from dataclasses import dataclass
from random import Random
from typing import Literal

from PIL import Image, ImageDraw, ImageFilter

from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.paper import (
    Colour,
    Point,
    Size,
    add_vignette,
    adjust_levels,
    make_noise,
    make_wood,
    shade_image,
)

ClockShape = Literal["wall", "alarm", "pocket", "square", "wrist"]
_SCALE = 2
_REACH: dict[ClockShape, float] = {
    "wall": 0.37, "alarm": 0.31, "pocket": 0.31, "square": 0.34, "wrist": 0.27,
}  # fmt: skip
_STRAP: Colour = (66, 44, 34)
_ROMAN = ("XII", "I", "II", "III", "IIII", "V", "VI", "VII", "VIII", "IX", "X", "XI")


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockSpec:
    """A stopped clock. `minutes` since midnight is its reading."""

    minutes: int
    second: int
    shape: ClockShape
    figures: Literal["arabic", "roman", "bars"]
    face: Colour
    case: Colour
    floor: Colour
    boards: bool
    """Whether the background is boards rather than cloth."""
    turn: float
    """Rotation in degrees."""
    cracks: int
    caption: str = ""
    size: Size = (760, 760)


def draw_stopped_clock(spec: ClockSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the clock."""
    large = (spec.size[0] * _SCALE, spec.size[1] * _SCALE)
    if spec.boards:
        floor = make_wood(large, spec.floor, rng)
    else:
        floor = shade_image(Image.new("RGB", large, spec.floor), make_noise(large, 6, rng), 0.3)
    middle, reach = (large[0] / 2, large[1] * 0.52), large[0] * _REACH[spec.shape]
    mask = Image.new("L", large, 0)
    _draw_outline(ImageDraw.Draw(mask), spec, middle, reach * 1.12, 255)
    shadow = mask.rotate(spec.turn, center=middle, translate=(16, 26))
    shadow = adjust_levels(shadow.filter(ImageFilter.GaussianBlur(22)), 0.7)
    floor = Image.composite(Image.new("RGB", large, (12, 10, 10)), floor, shadow)
    tile = Image.new("RGB", large, spec.case)
    draw = ImageDraw.Draw(tile)
    _draw_case(draw, spec, middle, reach)
    _draw_dial(draw, spec, fonts, middle, reach)
    _draw_hands(draw, spec, middle, reach)
    _draw_glass(draw, spec, middle, reach, rng)
    tile = tile.rotate(spec.turn, Image.Resampling.BICUBIC, center=middle)
    mask = mask.rotate(spec.turn, Image.Resampling.BICUBIC, center=middle)
    floor.paste(tile, (0, 0), mask)
    picture = floor.resize(spec.size, Image.Resampling.LANCZOS)
    picture = add_vignette(shade_image(picture, make_noise(spec.size, 2, rng), 0.10), 0.3)
    if spec.caption:
        font = fonts.get("note", 24)
        at = (26, spec.size[1] - 26)
        draw = ImageDraw.Draw(picture)
        draw.text(at, spec.caption, (250, 246, 230), font, anchor="lm", stroke_width=2,
                  stroke_fill=(20, 18, 18))  # fmt: skip
    return picture


def _draw_outline(
    draw: ImageDraw.ImageDraw, spec: ClockSpec, middle: Point, reach: float, fill: int
) -> None:
    if spec.shape == "square":
        draw.rounded_rectangle(_circle_box(middle, reach), reach * 0.14, fill=fill)
    else:
        draw.ellipse(_circle_box(middle, reach), fill=fill)
    x, y = middle
    if spec.shape == "alarm":
        for side in (-1, 1):
            draw.ellipse(
                _circle_box((x + side * reach * 0.5, y - reach * 0.98), reach * 0.3), fill=fill
            )
            foot = (x + side * reach * 0.7, y + reach * 0.9)
            draw.ellipse(_circle_box(foot, reach * 0.14), fill=fill)
    if spec.shape == "wrist":
        draw.rectangle(_strap(middle, reach / 1.12), fill=fill)
        draw.rectangle(_crown(middle, reach / 1.12), fill=fill)
    if spec.shape == "pocket":
        draw.rectangle(
            (x - reach * 0.1, y - reach * 1.2, x + reach * 0.1, y - reach * 0.9), fill=fill
        )
        draw.ellipse(_circle_box((x, y - reach * 1.26), reach * 0.16), fill=fill)


def _draw_case(draw: ImageDraw.ImageDraw, spec: ClockSpec, middle: Point, reach: float) -> None:
    dark = _scale_colour(spec.case, 0.6)
    if spec.shape == "wrist":
        _draw_leather(draw, middle, reach)
        draw.rectangle(_crown(middle, reach), fill=dark)
    for share, colour in ((1.12, dark), (1.09, spec.case), (1.03, _scale_colour(spec.case, 1.25))):
        if spec.shape == "square":
            draw.rounded_rectangle(_circle_box(middle, reach * share), reach * 0.14, fill=colour)
        else:
            draw.ellipse(_circle_box(middle, reach * share), fill=colour)
    draw.ellipse(_circle_box(middle, reach * 0.98), fill=dark)
    draw.ellipse(_circle_box(middle, reach * 0.95), fill=spec.face)


def _draw_leather(draw: ImageDraw.ImageDraw, middle: Point, reach: float) -> None:
    """Draw the strap of a wrist watch: its edges, its seams and, below, its holes."""
    left, top, right, bottom = _strap(middle, reach)
    draw.rectangle((left, top, right, bottom), fill=_STRAP)
    for share in (0.08, 0.92):
        seam = left + (right - left) * share
        for y in range(round(top) + 12, round(bottom), 28):
            draw.line((seam, y, seam, y + 14), fill=_scale_colour(_STRAP, 2.2), width=4)
    for step in range(3):
        hole = (middle[0], bottom - reach * (0.12 + 0.16 * step))
        draw.ellipse(_circle_box(hole, reach * 0.035), fill=(16, 12, 12))


def _strap(middle: Point, reach: float) -> tuple[float, float, float, float]:
    x, y = middle
    return (x - reach * 0.52, y - reach * 1.68, x + reach * 0.52, y + reach * 1.68)


def _crown(middle: Point, reach: float) -> tuple[float, float, float, float]:
    x, y = middle
    return (x + reach * 1.06, y - reach * 0.1, x + reach * 1.24, y + reach * 0.1)


def _draw_dial(
    draw: ImageDraw.ImageDraw, spec: ClockSpec, fonts: Fonts, middle: Point, reach: float
) -> None:
    ink = _dial_ink(spec)
    for tick in range(60):
        long = tick % 5 == 0
        inner = 0.80 if long and spec.figures == "bars" else 0.86 if long else 0.89
        wide = 12 if long and spec.figures == "bars" else 7 if long else 3
        start, end = _polar(middle, tick * 6, reach * inner), _polar(middle, tick * 6, reach * 0.92)
        draw.line((*start, *end), fill=ink, width=wide)
    if spec.figures == "bars":
        sides = (_polar(middle, -5, reach * 0.94), _polar(middle, 5, reach * 0.94))
        draw.polygon([*sides, _polar(middle, 0, reach * 0.74)], fill=ink)
        return
    font = fonts.get("bold", round(reach * (0.15 if spec.figures == "roman" else 0.18)))
    for number in range(12):
        text = _ROMAN[number] if spec.figures == "roman" else str(number or 12)
        draw.text(_polar(middle, number * 30, reach * 0.72), text, ink, font, anchor="mm")


def _draw_hands(draw: ImageDraw.ImageDraw, spec: ClockSpec, middle: Point, reach: float) -> None:
    ink = _dial_ink(spec)
    minute, hours = spec.minutes % 60, spec.minutes / 60 % 12
    for degrees, length, wide in ((hours * 30, 0.5, 0.055), (minute * 6.0, 0.8, 0.034)):
        tip, tail = _polar(middle, degrees, reach * length), _polar(middle, degrees, -reach * 0.12)
        left = _polar(middle, degrees - 90, reach * wide)
        right = _polar(middle, degrees + 90, reach * wide)
        draw.polygon([tip, left, tail, right], fill=ink)
    tip = _polar(middle, spec.second * 6, reach * 0.84)
    draw.line((*_polar(middle, spec.second * 6, -reach * 0.2), *tip), fill=(170, 40, 36), width=5)
    draw.ellipse(_circle_box(middle, reach * 0.06), fill=ink)


def _draw_glass(
    draw: ImageDraw.ImageDraw, spec: ClockSpec, middle: Point, reach: float, rng: Random
) -> None:
    """Draw cracks from a point at the rim, too thin to hide a hand."""
    hit = _polar(middle, rng.uniform(0, 360), reach * 0.7)
    for _ in range(spec.cracks):
        x, y = hit
        turn = rng.uniform(0, 360)
        for _ in range(5):
            turn += rng.uniform(-28, 28)
            end = _polar((x, y), turn, rng.uniform(20, 90))
            if math.dist(end, middle) > reach * 0.94:
                break
            draw.line((x, y, *end), fill=(236, 240, 244), width=3)
            x, y = end


def _dial_ink(spec: ClockSpec) -> Colour:
    bright = sum(spec.face) > 3 * 120
    return (26, 24, 28) if bright else (236, 230, 214)


def _polar(middle: Point, degrees: float, reach: float) -> Point:
    """Return the point at distance `reach` from `middle`, in degrees clockwise from the top."""
    turn = math.radians(degrees)
    return (middle[0] + math.sin(turn) * reach, middle[1] - math.cos(turn) * reach)


def _circle_box(middle: Point, reach: float) -> tuple[float, float, float, float]:
    return (middle[0] - reach, middle[1] - reach, middle[0] + reach, middle[1] + reach)


def _scale_colour(colour: Colour, factor: float) -> Colour:
    red, green, blue = (max(0, min(255, round(part * factor))) for part in colour)
    return red, green, blue
