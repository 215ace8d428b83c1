"""The open valve box of the pump: three valves, one with a pale new leather."""

import math
from dataclasses import dataclass
from random import Random

from PIL import Image

from scripts_mm.drawing.cases.drowned_bell.photo_style import print_photo
from scripts_mm.drawing.primitives.canvas import Canvas, TextStyle, scale_size
from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.paper import Colour, Point, Size

_VIEW: Size = (900, 560)
_IRON: Colour = (74, 78, 80)
_BRASS: Colour = (192, 160, 84)
_OILED: Colour = (40, 32, 26)
_PALE: Colour = (222, 184, 132)
_MIDDLES: tuple[Point, ...] = ((212, 300), (450, 300), (688, 300))


@dataclass(frozen=True, slots=True, kw_only=True)
class ValveBoxSpec:
    """The numbers of the valves, the number of the new leather, and the words."""

    numbers: tuple[str, str, str]
    new: int
    """Which leather is new, counted from 0."""
    plate: str
    """On a small tin plate."""
    caption: str


def draw_valve_box(spec: ValveBoxSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the photograph."""
    image = Image.new("RGB", scale_size(_VIEW), (58, 50, 46))
    canvas = Canvas(image, fonts, (22, 22, 24))
    _draw_box(canvas, rng)
    for nth, middle in enumerate(_MIDDLES):
        _draw_valve(canvas, middle, _PALE if nth == spec.new else _OILED, rng)
        canvas.box((middle[0] - 34, 436, middle[0] + 34, 474), _BRASS, 6, 2)
        canvas.write((middle[0], 455), spec.numbers[nth], TextStyle(size=26, hand="bold"))
    canvas.box((336, 70, 564, 116), (176, 180, 178), 4, 3)
    canvas.write((450, 93), spec.plate, TextStyle(size=25, hand="sans-bold", fill=(40, 40, 44)))
    return print_photo(image, _VIEW, spec.caption, fonts, rng)


def _draw_box(canvas: Canvas, rng: Random) -> None:
    canvas.box((50, 40, 850, 520), _IRON, 18, 5)
    canvas.box((84, 130, 816, 500), (50, 52, 54), 12, 4)
    for _ in range(70):
        x, y = rng.uniform(60, 840), rng.uniform(50, 510)
        canvas.oval((x, y, x + rng.uniform(4, 26), y + rng.uniform(3, 9)), (92, 66, 48), 0)
    for nth, (x, y) in enumerate(((76, 66), (824, 66), (76, 496), (824, 496))):
        turn = 0.5 + 1.1 * nth
        canvas.disc((x, y), 14, (120, 122, 122), 3)
        ends = (
            (x - 10 * math.cos(turn), y - 10 * math.sin(turn)),
            (x + 10 * math.cos(turn), y + 10 * math.sin(turn)),
        )
        canvas.line(ends, (36, 36, 38), 4)
    # the screw that hangs askew in its hole
    canvas.disc((824, 496), 20, (30, 30, 32), 2)
    canvas.shape(((812, 478), (842, 486), (836, 506), (806, 498)), (150, 150, 148), 3)
    canvas.line(((818, 484), (832, 500)), (44, 44, 46), 3)


def _draw_valve(canvas: Canvas, at: Point, leather: Colour, rng: Random) -> None:
    canvas.disc(at, 108, (112, 96, 56), 4)
    canvas.disc(at, 96, (62, 58, 50), 3)
    canvas.disc(at, 88, leather, 3)
    for _ in range(16):
        turn, reach = rng.uniform(0, 2 * math.pi), rng.uniform(20, 80)
        x, y = at[0] + reach * math.cos(turn), at[1] + reach * math.sin(turn)
        shade = (max(0, leather[0] - 16), max(0, leather[1] - 18), max(0, leather[2] - 18))
        canvas.disc((x, y), rng.uniform(2, 5), shade, 0)
    for turn in (math.pi / 4, 3 * math.pi / 4):
        ends = (
            (at[0] - 92 * math.cos(turn), at[1] - 92 * math.sin(turn)),
            (at[0] + 92 * math.cos(turn), at[1] + 92 * math.sin(turn)),
        )
        canvas.line(ends, (104, 84, 40), 22)
        canvas.line(ends, _BRASS, 16)
    canvas.disc(at, 24, _BRASS, 4)
    canvas.disc(at, 10, (120, 98, 50), 3)
