"""A police surgeon's sheet: body outlines with numbered marks, wounds at true size, findings."""

from dataclasses import dataclass
from random import Random
from typing import Literal

from PIL import Image, ImageDraw

from scripts_mm.drawing.primitives.canvas import SCALE, scale_size
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
    Colour,
    Point,
    Size,
    add_creases,
    add_vignette,
    make_paper,
    make_wood,
    place_on_table,
)

_PRINT = (46, 58, 66)
_PEN = (30, 46, 132)
_RED = (178, 36, 34)
_UPPER = 204
"""Pixels above the heads."""

BodyView = Literal["front", "back"]
WoundShape = Literal["square", "bar", "cuts", "round", "point", "none"]
"""The shape drawn in red: a square or long imprint, short cuts, a disc, a prick, nothing."""
BODY_PARTS: dict[BodyView, dict[str, Point]] = {
    "front": {
        "forehead": (0, 0.93), "temple-right": (-0.05, 0.915), "temple-left": (0.05, 0.915),
        "neck": (0, 0.84), "chest": (0, 0.70), "belly": (0, 0.56), "hand-right": (-0.285, 0.455),
        "hand-left": (0.285, 0.455), "wrist-right": (-0.27, 0.50), "wrist-left": (0.27, 0.50),
        "knee-right": (-0.085, 0.27), "knee-left": (0.085, 0.27), "shoulder-right": (-0.165, 0.79),
        "shoulder-left": (0.165, 0.79), "foot-right": (-0.09, 0.02), "foot-left": (0.09, 0.02),
    },
    "back": {
        "head": (0, 0.945), "nape": (0, 0.855), "back": (0, 0.70), "loin": (0, 0.56),
        "hand-left": (-0.285, 0.455), "hand-right": (0.285, 0.455), "shoulder-left": (-0.165, 0.79),
        "shoulder-right": (0.165, 0.79), "heel-left": (-0.09, 0.02), "heel-right": (0.09, 0.02),
    },
}  # fmt: skip
"""Position of each part: shares of a body's height from its middle line and from its soles."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyMark:
    """A numbered place on an outline."""

    view: BodyView
    part: str
    """One of `BODY[view]`."""
    wound: WoundShape = "round"
    pull: Point = (0.17, 0.02)
    """Offset of its number from the place, in shares of the body's height."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WoundInset:
    """A wound drawn at true size, with its measures."""

    wound: WoundShape
    label: str
    wide: int
    """Pixels."""
    tall: int
    """Pixels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AutopsySpec:
    """A sheet. The numbers of `marks` and `findings` correspond."""

    office: str
    title: str
    fields: tuple[tuple[str, str], ...]
    views: tuple[str, str]
    """Labels below the front and the back."""
    sides: tuple[str, str]
    """Labels at a body's right and left."""
    marks: tuple[BodyMark, ...]
    insets: tuple[WoundInset, ...]
    inset_title: str
    heading: str
    findings: tuple[str, ...]
    signed: str
    signature: str
    stamp: tuple[str, ...]
    text_size: int = 19
    size: Size = (860, 1020)
    angle: float = 0.8


def draw_autopsy(spec: AutopsySpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the sheet."""
    size = (spec.size[0] - 50, spec.size[1] - 50)
    sheet = make_paper(size, (243, 239, 226), rng, 0.05)
    _draw_head(sheet, spec, fonts)
    _draw_outlines(sheet, spec, fonts)
    ink, red = blank_mask(size), blank_mask(size)
    pen = _Marker(ink, red, fonts, rng)
    _draw_entries(pen, spec, size)
    for nth, mark in enumerate(spec.marks, 1):
        pen.draw_mark(mark, nth, size)
    _draw_insets(sheet, pen, spec, fonts)
    _draw_findings(sheet, pen, spec, fonts)
    sheet = apply_ink(apply_ink(sheet, ink, _PEN, rng), red, _RED, rng, wear=0.3)
    stamp = Stamp(lines=spec.stamp, colour=(96, 44, 110), angle=11)
    at = (size[0] * 0.80, size[1] - 74)
    sheet = apply_stamp(sheet, at, stamp, fonts.get("sans-bold", 22), rng)
    sheet = add_creases(sheet, across=(0.5,), down=())
    return add_vignette(
        place_on_table(sheet, spec.size, spec.angle, make_wood(spec.size, (104, 112, 116), rng)),
        0.2,
    )


class _Marker:
    """A marker that writes with a blue pen and marks with a red one."""

    def __init__(self, ink: Image.Image, red: Image.Image, fonts: Fonts, rng: Random) -> None:
        self._ink = ink
        self._red = ImageDraw.Draw(red)
        self._mask = red
        self._fonts = fonts
        self._rng = rng

    def write(self, at: Point, text: str, size: int) -> None:
        pen = Handwriting(sway=1.2, turn=0.7, slant=0.06)
        draw_handwriting(self._ink, at, text, self._fonts.get("note", size), pen, self._rng)

    def draw_mark(self, mark: BodyMark, number: int, size: Size) -> None:
        at = _place(mark.view, mark.part, size)
        self.draw_wound(mark.wound, at, (15, 15) if mark.wound != "bar" else (26, 6))
        tall = _tall(size)
        end = (at[0] + mark.pull[0] * tall, at[1] - mark.pull[1] * tall)
        self._red.ellipse((at[0] - 15, at[1] - 15, at[0] + 15, at[1] + 15), outline=220, width=2)
        turn = 1 if end[0] > at[0] else -1
        self._red.line((at[0] + 15 * turn, at[1], end[0] - 16 * turn, end[1]), fill=220, width=2)
        font = self._fonts.get("note", 30)
        draw_handwriting(
            self._mask, (end[0] - 8, end[1] + 10), str(number), font, Handwriting(), self._rng
        )

    def draw_wound(self, wound: WoundShape, at: Point, size: Size) -> None:
        x, y, wide, tall = at[0], at[1], size[0] / 2, size[1] / 2
        match wound:
            case "square":
                self._red.rectangle((x - wide, y - tall, x + wide, y + tall), fill=235)
            case "bar":
                turned = (x - wide, y + tall * 1.6, x + wide, y - tall * 1.6)
                self._red.line(turned, fill=235, width=max(3, size[1]))
            case "cuts":
                for nth in (-1, 0, 1):
                    top = y + nth * tall * 0.62
                    self._red.line((x - wide, top + 2, x + wide, top - 3), fill=240, width=3)
            case "round" | "point":
                reach = wide if wound == "round" else max(3, wide / 3)
                self._red.ellipse((x - reach, y - reach, x + reach, y + reach), fill=235)
            case "none":
                return


def _tall(size: Size) -> float:
    return size[0] * 0.465


def _place(view: BodyView, part: str, size: Size) -> Point:
    x, y = BODY_PARTS[view][part]
    return (_middle(view, size) + x * _tall(size), _sole(size) - y * _tall(size))


def _middle(view: BodyView, size: Size) -> float:
    return size[0] * (0.20 if view == "front" else 0.53)


def _sole(size: Size) -> float:
    return _UPPER + _tall(size)


def _draw_head(sheet: Image.Image, spec: AutopsySpec, fonts: Fonts) -> None:
    draw = ImageDraw.Draw(sheet)
    width = sheet.size[0]
    draw.text((48, 42), spec.office, _PRINT, fonts.get("print", 20), anchor="lm")
    draw.text((48, 82), spec.title, _PRINT, fonts.get("bold", 31), anchor="lm")
    draw.line((48, 108, width - 48, 108), fill=_PRINT, width=3)
    for (name, _), at in zip(spec.fields, _field_places(width), strict=True):
        draw.text(at, name, _PRINT, fonts.get("print", 17), anchor="ls")
        draw.line((at[0], at[1] + 6, at[0] + width * 0.44, at[1] + 6), fill=(168, 172, 168))


def _field_places(width: int) -> tuple[Point, Point, Point, Point]:
    return (48, 142), (width * 0.51, 142), (48, 182), (width * 0.51, 182)


def _draw_entries(pen: _Marker, spec: AutopsySpec, size: Size) -> None:
    for (name, entry), at in zip(spec.fields, _field_places(size[0]), strict=True):
        wide = sum(18 if char > "\u2e80" else 10 for char in name)
        pen.write((at[0] + wide + 14, at[1] - 1), entry, 25)


def _draw_outlines(sheet: Image.Image, spec: AutopsySpec, fonts: Fonts) -> None:
    size = sheet.size
    large = Image.new("L", scale_size(size), 0)
    views: tuple[BodyView, BodyView] = ("front", "back")
    for view in views:
        _draw_outline(ImageDraw.Draw(large), view, size)
    mask = large.resize(size, Image.Resampling.LANCZOS)
    sheet.paste(Image.new("RGB", size, _PRINT), (0, 0), mask)
    draw, font = ImageDraw.Draw(sheet), fonts.get("print", 18)
    for view, label in zip(views, spec.views, strict=True):
        x = _middle(view, size)
        draw.text((x, _sole(size) + 26), label, _PRINT, font, anchor="mm")
        sides = spec.sides if view == "front" else spec.sides[::-1]
        for reach, side in zip((-0.30, 0.30), sides, strict=True):
            at = (x + reach * _tall(size), _sole(size) - 0.93 * _tall(size))
            draw.text(at, side, (130, 138, 140), fonts.get("bold", 24), anchor="mm")


def _draw_outline(draw: ImageDraw.ImageDraw, view: BodyView, size: Size) -> None:
    """Draw half a body and its mirror image."""
    tall, x, y = _tall(size), _middle(view, size), _sole(size)
    for side in (-1, 1):
        line = [((x + side * px * tall) * SCALE, (y - py * tall) * SCALE) for px, py in _HALF]
        draw.line(line, fill=230, width=4, joint="curve")
    reach = (0.058 * tall, 0.075 * tall)
    middle = y - 0.925 * tall
    box = (x - reach[0], middle - reach[1], x + reach[0], middle + reach[1])
    draw.ellipse([value * SCALE for value in box], outline=230, width=4)
    faint: list[tuple[Point, Point]] = [((-0.03, 0.515), (0.03, 0.515))]
    if view == "front":
        faint += [((-0.026, 0.935), (-0.01, 0.935)), ((0.01, 0.935), (0.026, 0.935)),
                  ((-0.016, 0.885), (0.016, 0.885))]  # fmt: skip
    else:
        faint = [
            ((0, 0.80), (0, 0.55)),
            ((-0.10, 0.73), (-0.05, 0.70)),
            ((0.05, 0.70), (0.10, 0.73)),
        ]
    for (ax, ay), (bx, by) in faint:
        line = ((x + ax * tall) * SCALE, (y - ay * tall) * SCALE, (x + bx * tall) * SCALE,
                (y - by * tall) * SCALE)  # fmt: skip
        draw.line(line, fill=150, width=3)


_HALF: tuple[Point, ...] = (
    (0.036, 0.868), (0.04, 0.838), (0.10, 0.822), (0.152, 0.81), (0.182, 0.775), (0.20, 0.70),
    (0.225, 0.61), (0.262, 0.51), (0.29, 0.485), (0.315, 0.44), (0.305, 0.415), (0.275, 0.425),
    (0.252, 0.47), (0.236, 0.50), (0.19, 0.60), (0.155, 0.69), (0.138, 0.735), (0.128, 0.65),
    (0.118, 0.58), (0.132, 0.52), (0.14, 0.45), (0.128, 0.34), (0.112, 0.27), (0.112, 0.19),
    (0.09, 0.07), (0.095, 0.03), (0.135, 0.006), (0.12, -0.01), (0.06, -0.01), (0.055, 0.05),
    (0.05, 0.17), (0.048, 0.27), (0.035, 0.36), (0.012, 0.475), (0, 0.49),
)  # fmt: skip
"""A body's edge from the neck over arm and leg to the groin, in shares of its height."""


def _draw_insets(sheet: Image.Image, pen: _Marker, spec: AutopsySpec, fonts: Fonts) -> None:
    draw = ImageDraw.Draw(sheet)
    left, right = sheet.size[0] * 0.735, sheet.size[0] - 48.0
    top = _UPPER + 8.0
    draw.text((left, top), spec.inset_title, _PRINT, fonts.get("bold", 18), anchor="lm")
    step = (_sole(sheet.size) - top - 10) / max(1, len(spec.insets))
    font: Colour = _PRINT
    for nth, inset in enumerate(spec.insets):
        box = (left, top + 22 + nth * step, right, top + 8 + (nth + 1) * step)
        draw.rectangle(box, outline=(168, 172, 168), width=2)
        middle = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2 - 14)
        pen.draw_wound(inset.wound, middle, (inset.wide, inset.tall))
        at = (middle[0], box[3] - 20)
        draw.text(at, inset.label, font, fonts.get("sans", 17), anchor="mm")


def _draw_findings(sheet: Image.Image, pen: _Marker, spec: AutopsySpec, fonts: Fonts) -> None:
    draw = ImageDraw.Draw(sheet)
    y = _sole(sheet.size) + 58
    draw.text((48, y), spec.heading, _PRINT, fonts.get("bold", 21), anchor="ls")
    font = fonts.get("type", spec.text_size)
    for nth, finding in enumerate(spec.findings, 1):
        y += 6
        for at, line in enumerate(wrap_text(finding, font, sheet.size[0] - 132)):
            y += spec.text_size * 1.34
            if at == 0:
                draw.text((50, y), f"{nth}.", (32, 30, 36), font, anchor="ls")
            draw.text((84, y), line, (32, 30, 36), font, anchor="ls")
    bottom = sheet.size[1] - 56.0
    draw.line((48, bottom, 400, bottom), fill=(140, 146, 146), width=1)
    draw.text((48, bottom + 24), spec.signed, _PRINT, fonts.get("print", 17), anchor="ls")
    pen.write((70, bottom - 8), spec.signature, 36)
