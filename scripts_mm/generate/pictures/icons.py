"""Icons of dials and traces for small pictures, 168 x 168 pixels."""

import math
from collections.abc import Callable, Mapping
from random import Random
from types import MappingProxyType
from typing import Final

from PIL import Image, ImageDraw

from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.paper import Colour
from scripts_mm.generate.pictures.emblems import EMBLEMS, EmblemPen, draw_emblem
from scripts_mm.generate.pictures.stopped_clock import ClockSpec
from scripts_mm.generate.pictures.trace_photo import TraceSpec, scale_colour

SIDE: Final = 168
_SCALE: Final = 3
_MIDDLE: Final = SIDE * _SCALE / 2
_OUTLINE: Final = 14
"""Width of the outline of an object, in supersampled pixels."""


def draw_dial(spec: ClockSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw a clock with the time of `spec`."""
    image = Image.new("RGB", (SIDE * _SCALE, SIDE * _SCALE), spec.floor)
    draw = ImageDraw.Draw(image)
    reach = SIDE * _SCALE * rng.uniform(0.42, 0.47)
    draw.ellipse(_circle_box(reach * 1.05), fill=spec.case)
    draw.ellipse(_circle_box(reach * 0.97), fill=spec.face)
    ink: Colour = (24, 22, 26) if sum(spec.face) > 3 * 120 else (238, 232, 218)
    font = fonts.get("bold", round(reach * 0.2))
    for tick in range(12):
        draw.line((*_polar(tick * 30, reach * 0.86), *_polar(tick * 30, reach * 0.95)), ink, 6)
        if spec.figures == "arabic":
            draw.text(_polar(tick * 30, reach * 0.72), str(tick or 12), ink, font, anchor="mm")
    top = (_polar(-7, reach * 0.95), _polar(7, reach * 0.95), _polar(0, reach * 0.8))
    draw.polygon(top, fill=ink)
    minute, hours = spec.minutes % 60, spec.minutes / 60 % 12
    for degrees, length, wide in ((hours * 30, 0.5, 16), (minute * 6.0, 0.88, 9)):
        draw.line((*_polar(degrees, -reach * 0.1), *_polar(degrees, reach * length)), ink, wide)
    draw.ellipse(_circle_box(reach * 0.06), fill=ink)
    return image.resize((SIDE, SIDE), Image.Resampling.LANCZOS)


def draw_trace(spec: TraceSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the icon of a trace."""
    image = Image.new("RGB", (SIDE * _SCALE, SIDE * _SCALE), spec.ground)
    draw = ImageDraw.Draw(image)
    ink = scale_colour(spec.ground, 0.35 if rng.random() < 1 / 2 else 1.7)
    if spec.show in EMBLEMS:
        _OBJECTS[spec.look](draw, ink)
        draw_emblem(spec.show, EmblemPen(draw, (_MIDDLE, _MIDDLE), _MIDDLE * 0.5, ink, spec.ground))
    elif spec.look in _ICONS:
        _ICONS[spec.look](draw, spec.show, ink)
    else:
        font = fonts.get("sans-bold", 96)
        draw.text((_MIDDLE, _MIDDLE), spec.label or spec.show, ink, font, anchor="mm")
    if spec.show in EMBLEMS or spec.look in _ICONS:
        image = image.rotate(
            spec.turn / 2,
            Image.Resampling.BICUBIC,
            fillcolor=spec.ground,
            center=(_MIDDLE, _MIDDLE),
        )
    return image.resize((SIDE, SIDE), Image.Resampling.LANCZOS)


def _outline_heel(draw: ImageDraw.ImageDraw, ink: Colour) -> None:
    draw.arc((30, 20, 474, 464), 180, 360, ink, _OUTLINE)
    draw.line(((38, 236), (38, 480), (466, 480), (466, 236)), ink, _OUTLINE, "curve")


def _outline_paper(draw: ImageDraw.ImageDraw, ink: Colour) -> None:
    torn = [(34 + at * 62, 34 if at % 2 else 76) for at in range(8)]
    draw.line((*torn, (468, 470), (34, 470), torn[0]), ink, _OUTLINE)


def _outline_key(draw: ImageDraw.ImageDraw, ink: Colour) -> None:
    draw.rectangle((_MIDDLE - 14, 360, _MIDDLE + 14, 500), fill=ink)
    draw.rectangle((_MIDDLE, 440, _MIDDLE + 80, 464), fill=ink)
    draw.rectangle((_MIDDLE, 478, _MIDDLE + 80, 500), fill=ink)


def _outline_button(draw: ImageDraw.ImageDraw, ink: Colour) -> None:
    draw.ellipse(_circle_box(_MIDDLE * 0.92), outline=ink, width=_OUTLINE)
    for degrees in range(0, 360, 30):
        draw.line((*_polar(degrees, 196), *_polar(degrees, 232)), ink, 10)


def _outline_lamp_foot(draw: ImageDraw.ImageDraw, ink: Colour) -> None:
    for x, y in ((40, 40), (464, 40), (40, 464), (464, 464)):
        turn = (1 if x < _MIDDLE else -1), (1 if y < _MIDDLE else -1)
        draw.line(((x + 110 * turn[0], y), (x, y), (x, y + 110 * turn[1])), ink, _OUTLINE)


def _draw_nails(draw: ImageDraw.ImageDraw, show: str, ink: Colour) -> None:
    count = int(show)
    for row, many in enumerate((count // 2, count - count // 2)):
        for at in range(many):
            x, y = _MIDDLE + (at - (many - 1) / 2) * 84, _MIDDLE - 60 + row * 120
            draw.ellipse((x - 28, y - 28, x + 28, y + 28), fill=ink)


def _draw_cup(draw: ImageDraw.ImageDraw, show: str, ink: Colour) -> None:
    side = -1 if show == "left" else 1
    draw.rectangle((_MIDDLE - 90, _MIDDLE - 100, _MIDDLE + 90, _MIDDLE + 110), fill=ink)
    x = _MIDDLE + side * 100
    draw.ellipse((x - 70, _MIDDLE - 70, x + 70, _MIDDLE + 70), outline=ink, width=22)


def _draw_matches(draw: ImageDraw.ImageDraw, show: str, ink: Colour) -> None:
    gone = range(3) if show == "left" else range(5, 8)
    draw.rectangle((70, 330, 434, 450), fill=ink)
    for at in range(8):
        if at not in gone:
            x = 96 + at * 45
            draw.rectangle((x, 100, x + 18, 330), fill=ink)
            draw.ellipse((x - 8, 76, x + 26, 118), fill=ink)


def _draw_shelf(draw: ImageDraw.ImageDraw, show: str, ink: Colour) -> None:
    for at in range(1, 8):
        y = SIDE * _SCALE - at * 64
        draw.rectangle((60, y, 444, y + 10), fill=ink)
        if at != int(show):
            draw.rectangle((210, y - 38, 294, y), fill=ink)


def _draw_cabinet(draw: ImageDraw.ImageDraw, show: str, ink: Colour) -> None:
    draw.rectangle((110, 60, 394, 444), outline=ink, width=16)
    if show == "bent":
        draw.line((300, 60, 340, 250, 290, 444), fill=ink, width=24)
        draw.polygon(((340, 200), (440, 250), (340, 300)), fill=ink)
    else:
        draw.ellipse((310, 220, 370, 280), fill=ink)


def _draw_notebook(draw: ImageDraw.ImageDraw, show: str, ink: Colour) -> None:
    draw.rectangle((70, 90, 434, 414), outline=ink, width=14)
    for at in range(6):
        if show == "half" and at % 2:
            continue
        draw.line((110, 140 + at * 46, 394, 140 + at * 46), fill=ink, width=14)
    if show != "half":
        draw.polygon(((434, 300), (330, 414), (434, 414)), fill=ink)


def _draw_strokes(draw: ImageDraw.ImageDraw, show: str, ink: Colour) -> None:
    points = [(70 + at * 46, _MIDDLE + (60 if at % 2 else -60)) for at in range(9)]
    if show == "split":
        for shift in (-16, 16):
            draw.line([(x, y + shift) for x, y in points], fill=ink, width=9)
        return
    if show == "ragged":
        points = [(x, y + (at * 37 % 50) - 25) for at, (x, y) in enumerate(points)]
    draw.line(points, fill=ink, width={"broad": 40, "thin": 7}.get(show, 18))
    if show == "blots":
        for x, y in points[::2]:
            draw.ellipse((x - 30, y - 30, x + 30, y + 30), fill=ink)


_OBJECTS: Mapping[str, Callable[[ImageDraw.ImageDraw, Colour], None]] = MappingProxyType(
    {
        "heel": _outline_heel,
        "paper": _outline_paper,
        "dust": _outline_key,
        "button": _outline_button,
        "foot": _outline_lamp_foot,
    }
)
"""By look: the outline of the object that bears an emblem; without it, looks with the same emblems
are equal.
"""
_ICONS: Mapping[str, Callable[[ImageDraw.ImageDraw, str, Colour], None]] = MappingProxyType(
    {
        "nails": _draw_nails,
        "cup": _draw_cup,
        "matches": _draw_matches,
        "shelf": _draw_shelf,
        "cabinet": _draw_cabinet,
        "notebook": _draw_notebook,
        "strokes": _draw_strokes,
    }
)


def _polar(degrees: float, reach: float) -> tuple[float, float]:
    turn = math.radians(degrees)
    return _MIDDLE + math.sin(turn) * reach, _MIDDLE - math.cos(turn) * reach


def _circle_box(reach: float) -> tuple[float, float, float, float]:
    return _MIDDLE - reach, _MIDDLE - reach, _MIDDLE + reach, _MIDDLE + reach
