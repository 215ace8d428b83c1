"""The time recorder on the floor: the time of its hands is the evidence."""

import math
from dataclasses import dataclass
from random import Random

from PIL import Image

from scripts_mm.drawing.primitives.canvas import SCALE, Canvas
from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.paper import Point, Size, add_vignette, make_noise, shade_image

_SIZE: Size = (860, 900)
_DIAL: Point = (430, 330)
_REACH = 190
_WOOD = (92, 54, 32)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecorderSpec:
    """A time recorder: hours and minutes of its hands, and the words on its plate."""

    hands: tuple[int, int]
    plate: str


def draw_recorder(spec: RecorderSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the clock."""
    image = Image.new("RGB", (_SIZE[0] * SCALE, _SIZE[1] * SCALE), (150, 118, 84))
    canvas = Canvas(image, fonts)
    _draw_boards(canvas)
    _draw_case(canvas, spec.plate)
    _draw_dial(canvas, spec.hands)
    _draw_cracks(canvas, rng)
    _draw_cord(canvas)
    image = image.rotate(-7, Image.Resampling.BICUBIC, fillcolor=(138, 108, 78))
    small = image.resize(_SIZE, Image.Resampling.LANCZOS)
    small = shade_image(small, make_noise(_SIZE, 3, rng), 0.10)
    return add_vignette(shade_image(small, make_noise(_SIZE, 170, rng), 0.2), 0.5)


def _draw_boards(canvas: Canvas) -> None:
    for nth, x in enumerate(range(-60, 980, 130)):
        tone = (150 - 6 * (nth % 3), 118 - 5 * (nth % 3), 84 - 4 * (nth % 2))
        canvas.box((x, -80, x + 130, 1000), tone, line=0)
        canvas.line(((x, -80), (x, 1000)), (88, 64, 44), 3)
        canvas.line(((x + 40, -80), (x + 52, 1000)), (138, 106, 74), 2)


def _draw_case(canvas: Canvas, plate: str) -> None:
    canvas.shape(((190, 110), (430, 40), (670, 110), (670, 800), (190, 800)), _WOOD)
    canvas.box((216, 128, 644, 548), (112, 68, 42), 12, 3)
    canvas.box((240, 580, 620, 660), (60, 40, 30), 6, 2)
    canvas.box((262, 606, 598, 618), (16, 12, 10), line=0)
    canvas.box((300, 690, 560, 756), (196, 166, 92), 4, 2)
    canvas.text((430, 723), plate, 30)
    canvas.oval((628, 318, 656, 346), (206, 178, 110), 3)
    canvas.box((638, 328, 646, 342), (40, 30, 26), line=0)


def _draw_dial(canvas: Canvas, hands: tuple[int, int]) -> None:
    x, y = _DIAL
    canvas.oval((x - _REACH, y - _REACH, x + _REACH, y + _REACH), (190, 160, 92), 5)
    inner = _REACH - 16
    canvas.oval((x - inner, y - inner, x + inner, y + inner), (240, 234, 214), 3)
    for minute in range(60):
        turn = math.radians(minute * 6)
        near = inner - (20 if minute % 5 == 0 else 10)
        start = (x + near * math.sin(turn), y - near * math.cos(turn))
        end = (x + (inner - 4) * math.sin(turn), y - (inner - 4) * math.cos(turn))
        canvas.line((start, end), width=5 if minute % 5 == 0 else 2)
    for numeral, turn in (("XII", 0), ("III", 90), ("VI", 180), ("IX", 270)):
        angle = math.radians(turn)
        canvas.text((x + 124 * math.sin(angle), y - 124 * math.cos(angle)), numeral, 32)
    hour, minute = hands
    for turn, reach, width in ((hour * 30 + minute / 2, 92, 11), (minute * 6, 148, 6)):
        angle = math.radians(turn)
        tip = (x + reach * math.sin(angle), y - reach * math.cos(angle))
        tail = (x - 22 * math.sin(angle), y + 22 * math.cos(angle))
        canvas.line((tail, tip), (24, 22, 30), width)
    canvas.oval((x - 11, y - 11, x + 11, y + 11), (60, 50, 40))


def _draw_cracks(canvas: Canvas, rng: Random) -> None:
    """Draw cracks as rays from the point of impact, thin enough to read the dial."""
    hit = (_DIAL[0] - 96, _DIAL[1] + 84)
    for nth in range(11):
        turn = 2 * math.pi * (nth + rng.uniform(-0.3, 0.3)) / 11
        reach = rng.uniform(50, 150)
        points = [hit]
        for part in (0.4, 0.75, 1.0):
            bend = turn + rng.uniform(-0.12, 0.12)
            far = (hit[0] + reach * part * math.cos(bend), hit[1] + reach * part * math.sin(bend))
            points.append(_keep_on_glass(far))
        canvas.line(tuple(points), (206, 212, 214), 2)
    canvas.oval((hit[0] - 7, hit[1] - 7, hit[0] + 7, hit[1] + 7), (224, 228, 228), 1)


def _keep_on_glass(at: Point) -> Point:
    """Return the point, moved to the rim of the glass if it lies beyond it."""
    x, y = at[0] - _DIAL[0], at[1] - _DIAL[1]
    share = min(1.0, (_REACH - 16) / max(1.0, math.hypot(x, y)))
    return (_DIAL[0] + x * share, _DIAL[1] + y * share)


def _draw_cord(canvas: Canvas) -> None:
    bends = [(430, 800), (404, 836), (452, 866), (520, 852), (556, 884), (620, 872)]
    canvas.line(tuple(bends), (204, 188, 150), 8)
    for shift in (-7, 0, 8):
        canvas.line(((620, 872), (652, 866 + shift)), (204, 188, 150), 3)
