"""A call list on a telephone's screen."""

from dataclasses import dataclass
from random import Random
from typing import Literal

from PIL import Image, ImageDraw

from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.paper import (
    Colour,
    Size,
    add_vignette,
    make_noise,
    place_on_table,
    shade_image,
)

CallDirection = Literal["out", "in", "missed"]
_ARROWS: dict[CallDirection, Colour] = {
    "out": (70, 160, 110),
    "in": (80, 130, 210),
    "missed": (210, 80, 70),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CallEntry:
    """A call: name, time, direction and the word for the direction."""

    name: str
    time: str
    way: CallDirection
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CallListSpec:
    """The screen with the calls, the latest first."""

    title: str
    owner: str
    day: str
    calls: tuple[CallEntry, ...]
    dark: bool
    table: Colour
    angle: float
    size: Size = (620, 940)


def draw_call_list(spec: CallListSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the telephone."""
    width, height = spec.size[0] - 110, spec.size[1] - 110
    ground, text = ((26, 28, 34), (238, 238, 240)) if spec.dark else ((246, 246, 248), (28, 30, 36))
    faint = (140, 144, 152)
    phone = Image.new("RGB", (width, height), (14, 14, 16))
    draw = ImageDraw.Draw(phone)
    draw.rectangle((16, 40, width - 17, height - 41), fill=ground)
    draw.ellipse((width / 2 - 7, 12, width / 2 + 7, 26), fill=(44, 46, 52))
    draw.text((40, 82), spec.title, text, fonts.get("sans-bold", 32), anchor="lm")
    draw.text((40, 124), spec.owner, faint, fonts.get("sans", 19), anchor="lm")
    draw.text((width - 40, 124), spec.day, faint, fonts.get("sans", 19), anchor="rm")
    draw.line((16, 148, width - 17, 148), fill=faint, width=1)
    step = (height - 220) / max(6, len(spec.calls))
    for nth, call in enumerate(spec.calls):
        y = 148 + step * (nth + 0.5)
        _draw_arrow(draw, (54, y), call.way)
        draw.text((88, y - 13), call.name, text, fonts.get("sans-bold", 25), anchor="lm")
        draw.text((88, y + 17), call.note, faint, fonts.get("sans", 18), anchor="lm")
        draw.text((width - 40, y), call.time, text, fonts.get("sans", 25), anchor="rm")
        draw.line((88, y + step / 2, width - 17, y + step / 2), fill=(120, 122, 128), width=1)
    table = shade_image(
        Image.new("RGB", spec.size, spec.table), make_noise(spec.size, 26, rng), 0.25
    )
    return add_vignette(place_on_table(phone, spec.size, spec.angle, table), 0.2)


def _draw_arrow(draw: ImageDraw.ImageDraw, at: tuple[float, float], way: CallDirection) -> None:
    x, y = at
    colour = _ARROWS[way]
    draw.line((x - 10, y + 10, x + 10, y - 10), fill=colour, width=4)
    tip = (x + 10, y - 10) if way == "out" else (x - 10, y + 10)
    turn = -1 if way == "out" else 1
    draw.line((tip[0], tip[1], tip[0], tip[1] - turn * 13), fill=colour, width=4)
    draw.line((tip[0], tip[1], tip[0] + turn * 13, tip[1]), fill=colour, width=4)
