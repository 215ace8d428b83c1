"""The musical clock with its winding door open, and the line wound up in it."""

import math
from dataclasses import dataclass
from random import Random

from PIL import Image

from scripts_mm.drawing.primitives.canvas import SCALE, Canvas
from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.paper import (
    Colour,
    Point,
    Size,
    add_vignette,
    make_noise,
    shade_image,
)
from scripts_mm.drawing.primitives.photo_print import PrintStyle, make_photo_print

_VIEW: Size = (760, 880)
_CASE: Colour = (104, 60, 38)
_DARK: Colour = (70, 40, 26)
_BRASS: Colour = (206, 172, 92)
_DIAL: Point = (300, 240)
_REACH = 165
_SQUARE: Point = (318, 652)
_BLACK: Colour = (12, 12, 14)
_TIME = (22, 5)
PRINT = PrintStyle(colour=(240, 238, 230), foot=70, at=(30, 34), hand="pencil", text_size=28)
"""Of all three photographs."""


def print_photo(view: Image.Image, caption: str, fonts: Fonts, rng: Random) -> Image.Image:
    """Return `view` as a print of the constable's camera."""
    size = (view.size[0] + 2 * PRINT.border, view.size[1] + PRINT.border + PRINT.foot)
    return make_photo_print(view, size, caption, fonts, rng, PRINT)


@dataclass(frozen=True, slots=True, kw_only=True)
class LoftClockSpec:
    """The words of the photograph."""

    plate: str
    """Engraved below the dial."""
    caption: str


def draw_clock(spec: LoftClockSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the photograph."""
    image = Image.new("RGB", (_VIEW[0] * SCALE, _VIEW[1] * SCALE), (176, 170, 156))
    canvas = Canvas(image, fonts)
    _draw_wall(canvas)
    _draw_case(canvas, spec.plate)
    _draw_dial(canvas)
    _draw_works(canvas)
    _draw_line(canvas)
    small = image.resize(_VIEW, Image.Resampling.LANCZOS)
    small = shade_image(small, make_noise(_VIEW, 4, rng), 0.14)
    small = add_vignette(shade_image(small, make_noise(_VIEW, 140, rng), 0.16), 0.45)
    return print_photo(small, spec.caption, fonts, rng)


def _draw_wall(canvas: Canvas) -> None:
    for y in range(0, 900, 74):
        canvas.line(((0, y), (760, y)), (158, 152, 140), 3)
    canvas.box((660, -10, 780, 890), (74, 108, 88), line=3)
    # the nail on which the crank belongs, and the crank's shape in the dust
    shape: Colour = (190, 186, 174)
    canvas.line(((612, 470), (612, 600), (640, 600), (640, 640)), shape, 13)
    canvas.oval((604, 452, 620, 468), (60, 58, 56), 2)


def _draw_case(canvas: Canvas, plate: str) -> None:
    canvas.shape(((40, 60), (300, -20), (560, 60), (560, 900), (40, 900)), _CASE)
    canvas.box((70, 70, 530, 450), (128, 78, 50), 10, 3)
    canvas.box((70, 486, 530, 880), (118, 70, 44), 8, 3)
    canvas.box((160, 456, 440, 494), _BRASS, 4, 2)
    canvas.text((300, 475), plate, 24, (70, 44, 16))


def _draw_dial(canvas: Canvas) -> None:
    x, y = _DIAL
    canvas.oval((x - _REACH, y - _REACH, x + _REACH, y + _REACH), _BRASS, 4)
    inner = _REACH - 12
    canvas.oval((x - inner, y - inner, x + inner, y + inner), (238, 232, 214), 3)
    for nth, numeral in enumerate(
        ("XII", "I", "II", "III", "IIII", "V", "VI", "VII", "VIII", "IX", "X", "XI")
    ):
        turn = math.radians(nth * 30)
        canvas.text((x + 124 * math.sin(turn), y - 124 * math.cos(turn)), numeral, 22)
    # the little moon
    canvas.oval((x - 34, y - 88, x + 34, y - 20), (36, 48, 92), 2)
    canvas.oval((x - 16, y - 76, x + 26, y - 34), (246, 226, 150), 2)
    canvas.oval((x - 24, y - 78, x + 10, y - 40), (36, 48, 92), 0)
    hour, minute = _TIME
    for turn, reach, width in ((hour * 30 + minute / 2, 84, 9), (minute * 6, 128, 5)):
        angle = math.radians(turn)
        tip = (x + reach * math.sin(angle), y - reach * math.cos(angle))
        canvas.line(((x, y), tip), (24, 22, 30), width)
    canvas.oval((x - 9, y - 9, x + 9, y + 9), (60, 50, 40))


def _draw_works(canvas: Canvas) -> None:
    """Draw the opening with its brass door open, and the winding square in the middle."""
    canvas.oval((168, 502, 468, 802), _DARK, 4)
    canvas.oval((184, 518, 452, 786), (44, 30, 24), 2)
    canvas.oval((66, 556, 176, 748), _BRASS, 4)
    canvas.oval((82, 580, 160, 724), (222, 192, 116), 2)
    canvas.box((160, 634, 184, 670), (150, 120, 60), 4, 2)
    x, y = _SQUARE
    for reach, tone in ((96, (150, 122, 62)), (86, (176, 146, 78)), (40, (96, 80, 50))):
        canvas.oval((x - reach, y - reach, x + reach, y + reach), tone, 2)
    for nth in range(24):
        turn = math.radians(nth * 15)
        near, far = 86, 98
        canvas.line(
            ((x + near * math.cos(turn), y + near * math.sin(turn)),
             (x + far * math.cos(turn), y + far * math.sin(turn))), (96, 74, 32), 5)  # fmt: skip
    canvas.shape(((x - 16, y - 16), (x + 16, y - 16), (x + 16, y + 16), (x - 16, y + 16)),
                 (214, 214, 216))  # fmt: skip


def _draw_line(canvas: Canvas) -> None:
    """Draw turns of black line around the square, and the broken end."""
    x, y = _SQUARE
    for nth in range(6):
        reach = 22 + nth * 3.6
        ring = tuple(
            (
                x + (reach + 0.6 * (step % 3)) * math.cos(step / 36 * 2 * math.pi),
                y + (reach + 0.6 * (step % 3)) * math.sin(step / 36 * 2 * math.pi),
            )
            for step in range(37)
        )
        canvas.line(ring, _BLACK if nth % 2 else (40, 40, 46), 3.2)
    end: tuple[Point, ...] = ((x + 38, y + 8), (x + 62, y + 30), (x + 58, y + 70), (x + 78, y + 94))
    canvas.line(end, _BLACK, 4)
    for spread in ((92, 100), (88, 112), (76, 116), (66, 108)):
        canvas.line((end[-1], (x + spread[0], y + spread[1])), _BLACK, 1.6)
