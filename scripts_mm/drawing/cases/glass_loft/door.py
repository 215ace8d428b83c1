"""The bolt of the loft door from inside, and a screw eye in the post among older iron."""

from random import Random

from PIL import Image

from scripts_mm.drawing.cases.glass_loft.clock import print_photo
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

_VIEW: Size = (920, 660)
_POST: Colour = (74, 108, 88)
_DOOR: Colour = (86, 124, 100)
_IRON: Colour = (92, 84, 80)
_RUST: Colour = (124, 84, 58)
_BRASS: Colour = (206, 172, 88)
_RAW: Colour = (206, 172, 122)
_AXIS = 320
"""Height of the bolt."""
_EDGE = 430
"""Position of the joint between the door's edge and the post."""
_EYE: Point = (150, _AXIS)


def draw_door(caption: str, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the photograph with its caption."""
    image = Image.new("RGB", (_VIEW[0] * SCALE, _VIEW[1] * SCALE), _POST)
    canvas = Canvas(image, fonts)
    _draw_planks(canvas, rng)
    _draw_old_iron(canvas, rng)
    _draw_keeper(canvas)
    _draw_bolt(canvas, rng)
    _draw_eye(canvas, rng)
    small = image.resize(_VIEW, Image.Resampling.LANCZOS)
    small = shade_image(small, make_noise(_VIEW, 4, rng), 0.16)
    small = add_vignette(shade_image(small, make_noise(_VIEW, 130, rng), 0.18), 0.45)
    return print_photo(small, caption, fonts, rng)


def _draw_planks(canvas: Canvas, rng: Random) -> None:
    canvas.box((0, 0, 60, 660), (188, 180, 164), line=0)
    canvas.box((60, -10, _EDGE - 8, 670), _POST, line=3)
    canvas.line(((84, 0), (84, 660)), (60, 90, 72), 4)
    canvas.box((_EDGE - 8, 0, _EDGE + 4, 660), (20, 18, 18), line=0)
    canvas.box((_EDGE + 4, -10, 930, 670), _DOOR, line=3)
    for x in (600, 770):
        canvas.line(((x, 0), (x, 660)), (58, 88, 70), 5)
        canvas.line(((x + 4, 0), (x + 4, 660)), (108, 146, 122), 2)
    for _ in range(60):
        x, y = rng.uniform(90, 900), rng.uniform(0, 640)
        canvas.line(((x, y), (x + rng.uniform(-3, 3), y + rng.uniform(8, 30))), (68, 100, 82), 1)


def _draw_keeper(canvas: Canvas) -> None:
    """Draw the keeper that the police tore from the post; it hangs by one screw."""
    canvas.shape(((318, 268), (412, 262), (420, 376), (330, 386), (306, 330)), _RAW)
    for x, y in ((344, 284), (392, 282), (396, 362)):
        canvas.oval((x - 7, y - 7, x + 7, y + 7), (70, 50, 34), 1)
    canvas.shape(((296, 372), (366, 404), (344, 470), (270, 440)), _RUST)
    canvas.oval((312, 396, 338, 444), (40, 30, 26), 2)
    canvas.oval((296, 380, 314, 398), _IRON, 2)
    canvas.line(((299, 392), (311, 386)), (40, 34, 30), 2)


def _draw_bolt(canvas: Canvas, rng: Random) -> None:
    """Draw the bolt, shot over the door's edge, and a wisp of black on its knob."""
    canvas.box((300, _AXIS - 17, 760, _AXIS + 17), _IRON, 12, 3)
    canvas.box((306, _AXIS - 11, 752, _AXIS - 5), (140, 132, 126), 4, 0)
    for _ in range(26):
        x, y = rng.uniform(320, 740), rng.uniform(_AXIS - 12, _AXIS + 12)
        canvas.oval((x - 4, y - 2, x + 4, y + 2), _RUST, 0)
    for x in (470, 690):
        canvas.box((x, _AXIS - 44, x + 46, _AXIS + 44), (104, 94, 88), 6, 3)
        for y in (_AXIS - 32, _AXIS + 32):
            canvas.oval((x + 15, y - 8, x + 31, y + 8), (70, 64, 60), 2)
            canvas.line(((x + 17, y + 3), (x + 29, y - 3)), (36, 32, 30), 2)
    canvas.box((586, _AXIS + 10, 606, _AXIS + 48), _IRON, 4, 3)
    canvas.oval((574, _AXIS + 36, 618, _AXIS + 80), (110, 102, 98), 3)
    canvas.oval((584, _AXIS + 44, 598, _AXIS + 56), (160, 152, 146), 0)
    neck = _AXIS + 30
    for shift in (0, 4):
        canvas.line(((582, neck + shift), (610, neck + shift - 3)), (12, 12, 14), 3)
    for end in ((556, neck + 26), (564, neck + 38), (548, neck + 14)):
        canvas.line(((584, neck + 2), (568, neck + 10), end), (12, 12, 14), 1.5)


def _draw_old_iron(canvas: Canvas, rng: Random) -> None:
    """Draw what the post has collected in sixty years: bell wire, staples, a hook, nails."""
    for x in (212, 220):
        canvas.line(((x, 0), (x + 2, 150), (x - 4, 236)), (58, 50, 44), 2)
    for y in (62, 168):
        canvas.box((206, y, 228, y + 5), _RUST, 1, 1)
        canvas.box((206, y, 210, y + 18), _RUST, 1, 1)
        canvas.box((224, y, 228, y + 18), _RUST, 1, 1)
    canvas.box((176, 520, 196, 556), _IRON, 3, 2)
    canvas.line(((186, 540), (186, 586), (170, 592), (164, 576)), (84, 76, 72), 7)
    for _ in range(5):
        x, y = rng.uniform(110, 270), rng.uniform(420, 640)
        canvas.oval((x - 5, y - 5, x + 5, y + 5), _RUST, 1)
        canvas.line(((x, y + 5), (x + 1, y + rng.uniform(14, 34))), (104, 80, 62), 2)


def _draw_eye(canvas: Canvas, rng: Random) -> None:
    """Draw a screw eye in old paint, a little newer than the rest, and a fine scratch."""
    x, y = _EYE
    canvas.oval((x - 14, y - 12, x + 14, y + 12), (112, 138, 114), 0)
    for _ in range(9):
        at, drop = rng.uniform(x - 15, x + 15), rng.uniform(20, 48)
        canvas.oval((at - 1.5, y + drop - 1, at + 1.5, y + drop + 1.5), (186, 198, 178), 0)
    canvas.line(((62, y - 6), (x - 9, y - 1)), (162, 178, 150), 2)
    canvas.line(((62, y - 4.5), (x - 9, y + 0.5)), (46, 68, 54), 1.2)
    for reach, tone in ((15, (104, 78, 34)), (13, _BRASS)):
        canvas.oval((x - reach, y - reach, x + reach, y + reach), tone, 2)
    canvas.oval((x - 6, y - 6, x + 6, y + 6), (52, 74, 60), 2)
    canvas.box((x + 12, y - 4, x + 26, y + 4), _BRASS, 2, 2)
    canvas.line(((x - 8, y - 7), (x - 2, y - 10), (x + 5, y - 9)), (244, 226, 172), 2)
