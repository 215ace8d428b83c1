"""A small printed thing that hangs on a string: an equipment tag, a label, an evidence card."""

import math
from dataclasses import dataclass
from random import Random

from PIL import Image, ImageDraw, ImageFilter

from scripts_mm.drawing.fonts import Fonts
from scripts_mm.drawing.ink import Pen, Stamp, blank, inked, stamped, written
from scripts_mm.drawing.paper import (
    Colour,
    Point,
    Size,
    aged,
    noise,
    paper,
    scaled,
    shaded,
    vignette,
)

_PRINT = (60, 42, 30)
_CUT = 58
"""Pixels by which the corners at the string's end are cut off."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A printed label and what was written behind it by hand."""

    label: str
    entry: str
    struck: str = ""
    """An entry before it, struck out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TagSpec:
    """A tag with a coloured bar, lines filled in by hand, small print, and its string."""

    heading: str
    lines: tuple[Line, ...]
    small: str
    """Small print at the bottom: number of the form, where it is from."""
    stamp: tuple[str, ...] = ()
    bar: Colour = (186, 40, 36)
    fill: Colour = (226, 202, 150)
    ink: Colour = (26, 40, 110)
    string: tuple[Colour, Colour] = ((188, 176, 150), (188, 176, 150))
    """The string's two strands; of different colours it looks striped."""
    ground: Colour = (126, 134, 138)
    text_size: int = 31
    size: Size = (900, 640)
    angle: float = -3.0


def tag(spec: TagSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the tag."""
    size = (spec.size[0] - 230, spec.size[1] - 170)
    sheet = paper(size, spec.fill, rng, 0.12)
    _print(sheet, spec, fonts)
    sheet = inked(sheet, _hand(spec, fonts, rng, size), spec.ink, rng, wear=0.35)
    if spec.stamp:
        stamp = Stamp(lines=spec.stamp, angle=7)
        at = (size[0] - 130, size[1] - 96)
        sheet = stamped(sheet, at, stamp, fonts.get("sans-bold", 22), rng)
    sheet = aged(sheet, (120, 92, 52), 0.5, rng)
    return vignette(_hung(sheet, spec, rng), 0.24)


def _print(sheet: Image.Image, spec: TagSpec, fonts: Fonts) -> None:
    draw = ImageDraw.Draw(sheet)
    width, height = sheet.size
    draw.rectangle((104, 30, width - 30, 96), fill=spec.bar)
    middle = ((104 + width - 30) / 2, 63)
    draw.text(middle, spec.heading, (250, 246, 236), fonts.get("sans-bold", 36), anchor="mm")
    draw.rectangle((104, 30, width - 30, height - 30), outline=_PRINT, width=2)
    font, step = fonts.get("print", 21), _step(spec, height)
    for nth, line in enumerate(spec.lines, 1):
        y = 96 + step * nth - 14
        draw.text((122, y), line.label, _PRINT, font, anchor="ls")
        draw.line((122 + _indent(spec, fonts), y + 6, width - 48, y + 6), _PRINT, 1)
    small = fonts.get("sans", 16)
    draw.text((122, height - 44), spec.small, _PRINT, small, anchor="ls")


def _hand(spec: TagSpec, fonts: Fonts, rng: Random, size: Size) -> Image.Image:
    mask = blank(size)
    font, step = fonts.get("note", spec.text_size), _step(spec, size[1])
    pen = Pen(sway=1.3, turn=1.0, slant=0.08)
    for nth, line in enumerate(spec.lines, 1):
        x, y = 132.0 + _indent(spec, fonts), 96 + step * nth - 16
        if line.struck:
            end = written(mask, (x, y), line.struck, font, pen, rng)
            for drop in (0.30, 0.42):
                height = y - spec.text_size * drop
                wave = [
                    (at, height + rng.uniform(-3, 3))
                    for at in range(round(x) - 4, round(end) + 10, 9)
                ]
                ImageDraw.Draw(mask).line(wave, fill=240, width=3)
            x = end + 18
        written(mask, (x, y), line.entry, font, pen, rng)
    return mask


def _step(spec: TagSpec, height: int) -> float:
    return (height - 30 - 96 - 44) / max(1, len(spec.lines))


def _indent(spec: TagSpec, fonts: Fonts) -> float:
    font = fonts.get("print", 21)
    return 14 + max(font.getlength(line.label) for line in spec.lines)


def _hung(sheet: Image.Image, spec: TagSpec, rng: Random) -> Image.Image:
    """Lay the tag on metal, its string drawn through the eyelet and out of the picture."""
    width, height = sheet.size
    outline = [
        (0, _CUT), (_CUT, 0), (width, 0), (width, height), (_CUT, height), (0, height - _CUT)
    ]  # fmt: skip
    mask = blank(sheet.size)
    ImageDraw.Draw(mask).polygon(outline, fill=255)
    eye: Point = (54, height / 2)
    draw = ImageDraw.Draw(sheet)
    draw.ellipse((eye[0] - 26, eye[1] - 26, eye[0] + 26, eye[1] + 26), fill=(168, 62, 48))
    ImageDraw.Draw(mask).ellipse((eye[0] - 12, eye[1] - 12, eye[0] + 12, eye[1] + 12), fill=0)
    turned = sheet.rotate(spec.angle, Image.Resampling.BICUBIC, expand=True)
    mask = mask.rotate(spec.angle, Image.Resampling.BICUBIC, expand=True)
    at = (spec.size[0] - turned.size[0] - 34, (spec.size[1] - turned.size[1]) // 2)
    ground = shaded(Image.new("RGB", spec.size, spec.ground), noise(spec.size, 160, rng), 0.3)
    ground = shaded(ground, noise(spec.size, 3, rng), 0.08)
    shadow = blank(spec.size)
    shadow.paste(scaled(mask, 0.7), (at[0] + 9, at[1] + 12))
    shadow = shadow.filter(ImageFilter.GaussianBlur(9))
    ground = Image.composite(Image.new("RGB", spec.size, (20, 18, 16)), ground, shadow)
    ground.paste(turned, at, mask)
    turn = math.radians(spec.angle)
    across, down = eye[0] - width / 2, eye[1] - height / 2
    hole = (
        at[0] + turned.size[0] / 2 + across * math.cos(turn) + down * math.sin(turn),
        at[1] + turned.size[1] / 2 - across * math.sin(turn) + down * math.cos(turn),
    )
    _string(ground, hole, spec, rng)
    return ground


def _string(ground: Image.Image, hole: Point, spec: TagSpec, rng: Random) -> None:
    """Draw both ends of the string, twisted of two strands, with a knot beside the tag."""
    draw = ImageDraw.Draw(ground)
    knot = (hole[0] - 62, hole[1] - 8)
    ends = ((-10.0, hole[1] - 96 + rng.uniform(-8, 8)), (-10.0, hole[1] + 44))
    paths = [(hole, (hole[0] - 30, hole[1] - 22), knot), (hole, (hole[0] - 32, hole[1] + 14), knot)]
    paths += [(knot, ((knot[0] + end[0]) / 2, end[1] + 30), end) for end in ends]
    for start, bend, end in paths:
        points = [_curve(start, bend, end, nth / 60) for nth in range(61)]
        shadow = [(x + 4, y + 7) for x, y in points]
        draw.line(shadow, fill=(44, 40, 36), width=9, joint="curve")
        draw.line(points, fill=spec.string[0], width=9, joint="curve")
        for nth in range(0, 60, 4):
            draw.line((*points[nth], *points[min(60, nth + 2)]), fill=spec.string[1], width=9)
    x, y = knot
    draw.ellipse((x - 13, y - 12, x + 13, y + 12), fill=spec.string[0], outline=(70, 60, 50))
    draw.line((x - 8, y - 8, x + 8, y + 8), fill=spec.string[1], width=7)


def _curve(start: Point, bend: Point, end: Point, share: float) -> Point:
    """Return a point of the quadratic curve through start and end, drawn towards the bend."""
    rest = 1 - share
    return (
        rest * rest * start[0] + 2 * rest * share * bend[0] + share * share * end[0],
        rest * rest * start[1] + 2 * rest * share * bend[1] + share * share * end[1],
    )
