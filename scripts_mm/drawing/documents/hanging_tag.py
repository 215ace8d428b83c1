"""A printed tag on a string: an equipment tag, a label, an evidence card."""

import math
from dataclasses import dataclass
from random import Random

from PIL import Image, ImageDraw, ImageFilter

from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.ink import (
    Handwriting,
    Stamp,
    apply_ink,
    apply_stamp,
    blank_mask,
    draw_handwriting,
)
from scripts_mm.drawing.primitives.paper import (
    Colour,
    Point,
    Size,
    add_vignette,
    adjust_levels,
    age_edges,
    make_ground,
    make_noise,
    make_paper,
    shade_image,
)

_PRINT = (60, 42, 30)
_CUT = 58
"""Pixels of the cut-off corners at the string's end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TagLine:
    """A printed label and its handwritten entry."""

    label: str
    entry: str
    struck: str = ""
    """A previous entry, struck out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HangingTagSpec:
    """A tag with a coloured bar, handwritten entries, small print and a string."""

    heading: str
    lines: tuple[TagLine, ...]
    small: str
    """Small print at the bottom: number and origin of the form."""
    stamp: tuple[str, ...] = ()
    bar: Colour = (186, 40, 36)
    fill: Colour = (226, 202, 150)
    ink: Colour = (26, 40, 110)
    string: tuple[Colour, Colour] = ((188, 176, 150), (188, 176, 150))
    """Colours of the string's two strands; different colours make it striped."""
    ground: Colour = (126, 134, 138)
    text_size: int = 31
    size: Size = (900, 640)
    angle: float = -3.0


def draw_hanging_tag(spec: HangingTagSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the tag."""
    size = (spec.size[0] - 230, spec.size[1] - 170)
    sheet = make_paper(size, spec.fill, rng, 0.12)
    _print_lines(sheet, spec, fonts)
    sheet = apply_ink(sheet, _write_entries(spec, fonts, rng, size), spec.ink, rng, wear=0.35)
    if spec.stamp:
        stamp = Stamp(lines=spec.stamp, angle=7)
        at = (size[0] - 130, size[1] - 96)
        sheet = apply_stamp(sheet, at, stamp, fonts.get("sans-bold", 22), rng)
    sheet = age_edges(sheet, (120, 92, 52), 0.5, rng)
    return add_vignette(_hang_on_metal(sheet, spec, rng), 0.24)


def _print_lines(sheet: Image.Image, spec: HangingTagSpec, fonts: Fonts) -> None:
    draw = ImageDraw.Draw(sheet)
    width, height = sheet.size
    draw.rectangle((104, 30, width - 30, 96), fill=spec.bar)
    middle = ((104 + width - 30) / 2, 63)
    draw.text(middle, spec.heading, (250, 246, 236), fonts.get("sans-bold", 36), anchor="mm")
    draw.rectangle((104, 30, width - 30, height - 30), outline=_PRINT, width=2)
    font, step = fonts.get("print", 21), _line_height(spec, height)
    for nth, line in enumerate(spec.lines, 1):
        y = 96 + step * nth - 14
        draw.text((122, y), line.label, _PRINT, font, anchor="ls")
        draw.line((122 + _entry_indent(spec, fonts), y + 6, width - 48, y + 6), _PRINT, 1)
    small = fonts.get("sans", 16)
    draw.text((122, height - 44), spec.small, _PRINT, small, anchor="ls")


def _write_entries(spec: HangingTagSpec, fonts: Fonts, rng: Random, size: Size) -> Image.Image:
    mask = blank_mask(size)
    font, step = fonts.get("note", spec.text_size), _line_height(spec, size[1])
    pen = Handwriting(sway=1.3, turn=1.0, slant=0.08)
    for nth, line in enumerate(spec.lines, 1):
        x, y = 132.0 + _entry_indent(spec, fonts), 96 + step * nth - 16
        if line.struck:
            end = draw_handwriting(mask, (x, y), line.struck, font, pen, rng)
            for drop in (0.30, 0.42):
                height = y - spec.text_size * drop
                wave = [
                    (at, height + rng.uniform(-3, 3))
                    for at in range(round(x) - 4, round(end) + 10, 9)
                ]
                ImageDraw.Draw(mask).line(wave, fill=240, width=3)
            x = end + 18
        draw_handwriting(mask, (x, y), line.entry, font, pen, rng)
    return mask


def _line_height(spec: HangingTagSpec, height: int) -> float:
    return (height - 30 - 96 - 44) / max(1, len(spec.lines))


def _entry_indent(spec: HangingTagSpec, fonts: Fonts) -> float:
    font = fonts.get("print", 21)
    return 14 + max(font.getlength(line.label) for line in spec.lines)


def _hang_on_metal(sheet: Image.Image, spec: HangingTagSpec, rng: Random) -> Image.Image:
    """Place the tag on metal, its string through the eyelet and out of the picture."""
    width, height = sheet.size
    outline = [
        (0, _CUT), (_CUT, 0), (width, 0), (width, height), (_CUT, height), (0, height - _CUT)
    ]  # fmt: skip
    mask = blank_mask(sheet.size)
    ImageDraw.Draw(mask).polygon(outline, fill=255)
    eye: Point = (54, height / 2)
    draw = ImageDraw.Draw(sheet)
    draw.ellipse((eye[0] - 26, eye[1] - 26, eye[0] + 26, eye[1] + 26), fill=(168, 62, 48))
    ImageDraw.Draw(mask).ellipse((eye[0] - 12, eye[1] - 12, eye[0] + 12, eye[1] + 12), fill=0)
    turned = sheet.rotate(spec.angle, Image.Resampling.BICUBIC, expand=True)
    mask = mask.rotate(spec.angle, Image.Resampling.BICUBIC, expand=True)
    at = (spec.size[0] - turned.size[0] - 34, (spec.size[1] - turned.size[1]) // 2)
    ground = make_ground(spec.size, spec.ground, rng, 160, 0.3)
    ground = shade_image(ground, make_noise(spec.size, 3, rng), 0.08)
    shadow = blank_mask(spec.size)
    shadow.paste(adjust_levels(mask, 0.7), (at[0] + 9, at[1] + 12))
    shadow = shadow.filter(ImageFilter.GaussianBlur(9))
    ground = Image.composite(Image.new("RGB", spec.size, (20, 18, 16)), ground, shadow)
    ground.paste(turned, at, mask)
    turn = math.radians(spec.angle)
    across, down = eye[0] - width / 2, eye[1] - height / 2
    hole = (
        at[0] + turned.size[0] / 2 + across * math.cos(turn) + down * math.sin(turn),
        at[1] + turned.size[1] / 2 - across * math.sin(turn) + down * math.cos(turn),
    )
    _draw_string(ground, hole, spec, rng)
    return ground


def _draw_string(ground: Image.Image, hole: Point, spec: HangingTagSpec, rng: Random) -> None:
    """Draw both ends of the string, twisted from two strands, with a knot at the tag."""
    draw = ImageDraw.Draw(ground)
    knot = (hole[0] - 62, hole[1] - 8)
    ends = ((-10.0, hole[1] - 96 + rng.uniform(-8, 8)), (-10.0, hole[1] + 44))
    paths = [(hole, (hole[0] - 30, hole[1] - 22), knot), (hole, (hole[0] - 32, hole[1] + 14), knot)]
    paths += [(knot, ((knot[0] + end[0]) / 2, end[1] + 30), end) for end in ends]
    for start, bend, end in paths:
        points = [_curve_point(start, bend, end, nth / 60) for nth in range(61)]
        shadow = [(x + 4, y + 7) for x, y in points]
        draw.line(shadow, fill=(44, 40, 36), width=9, joint="curve")
        draw.line(points, fill=spec.string[0], width=9, joint="curve")
        for nth in range(0, 60, 4):
            draw.line((*points[nth], *points[min(60, nth + 2)]), fill=spec.string[1], width=9)
    x, y = knot
    draw.ellipse((x - 13, y - 12, x + 13, y + 12), fill=spec.string[0], outline=(70, 60, 50))
    draw.line((x - 8, y - 8, x + 8, y + 8), fill=spec.string[1], width=7)


def _curve_point(start: Point, bend: Point, end: Point, share: float) -> Point:
    """Return a point of the quadratic Bezier curve with the control point `bend`."""
    rest = 1 - share
    return (
        rest * rest * start[0] + 2 * rest * share * bend[0] + share * share * end[0],
        rest * rest * start[1] + 2 * rest * share * bend[1] + share * share * end[1],
    )
