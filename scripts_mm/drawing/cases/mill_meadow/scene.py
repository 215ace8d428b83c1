"""The photograph of the map room: weights, the clean oblong, the iron stair, a pastille."""

import math
from random import Random

from PIL import Image

from scripts_mm.drawing.primitives.canvas import MARKER_COLOUR, Canvas, scale_size
from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.paper import Point, Size, add_vignette, make_noise, shade_image
from scripts_mm.drawing.primitives.photo_print import PrintStyle, make_photo_print, photo_size

_SIZE: Size = (1000, 800)
_PRINT = PrintStyle(at=(28, 34))
_VIEW = photo_size(_SIZE, _PRINT)
_FLOOR = 330
_IRON = (46, 48, 52)
_LEAD = (112, 116, 124)


def draw_scene(caption: str, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the room on a print with its caption."""
    image = Image.new("RGB", scale_size(_VIEW), (0, 0, 0))
    canvas = Canvas(image, fonts)
    _draw_room(canvas)
    _draw_stair(canvas)
    _draw_table(canvas)
    _draw_table_things(canvas)
    _draw_markers(canvas)
    small = image.resize(_VIEW, Image.Resampling.LANCZOS)
    small = shade_image(small, make_noise(_VIEW, 3, rng), 0.10)
    small = add_vignette(shade_image(small, make_noise(_VIEW, 160, rng), 0.10), 0.32)
    return make_photo_print(small, _SIZE, caption, fonts, rng, _PRINT)


def _draw_room(canvas: Canvas) -> None:
    canvas.box((0, 0, _VIEW[0], _FLOOR), (172, 152, 118), line=0)
    canvas.box((0, _FLOOR, _VIEW[0], _VIEW[1]), (132, 98, 72), line=0)
    for nth in range(-13, 14):
        start: Point = (480 + nth * 60.0, float(_FLOOR))
        canvas.line((start, (480 + nth * 160.0, float(_VIEW[1]))), (84, 60, 44), 2)
    # chests of flat drawers along the wall
    for left in (40, 290):
        canvas.box((left, 110, left + 220, _FLOOR + 10), (124, 84, 54), 4, 3)
        for nth in range(6):
            top = 120 + nth * 36
            canvas.box((left + 10, top, left + 210, top + 30), (142, 98, 64), 3, 2)
            canvas.box((left + 92, top + 11, left + 128, top + 19), (206, 176, 104), 3, 1)
    canvas.box((330, 26, 480, 96), (224, 214, 186), 2, 4)
    canvas.line(((340, 84), (380, 50), (410, 66), (470, 36)), (120, 90, 60), 3)


def _draw_stair(canvas: Canvas) -> None:
    """Draw the spiral stair: treads around a post, the lowest towards the room."""
    x = 780
    for nth in range(13):
        turn = math.radians(80 + nth * 34)
        y = 396 - nth * 33
        tip = (x + 118 * math.cos(turn), y + 30 * math.sin(turn))
        side = math.radians(80 + nth * 34 + 30)
        other = (x + 118 * math.cos(side), y + 30 * math.sin(side))
        tone = 58 + 22 * (math.sin(turn) > 0)
        canvas.shape(((x, y), tip, other), (tone, tone + 2, tone + 6))
        canvas.line((tip, (tip[0], tip[1] - 66)), _IRON, 3)
    canvas.line(((x, 410), (x, 0)), _IRON, 12)
    canvas.oval((x - 30, 400, x + 30, 420), _IRON)


def _draw_table(canvas: Canvas) -> None:
    canvas.shape(((120, 420), (760, 420), (860, 640), (40, 640)), (164, 118, 78))
    canvas.box((40, 640, 860, 672), (110, 76, 50))
    for left in (62, 810):
        canvas.box((left, 672, left + 26, 716), (92, 62, 42))
    sheet = ((180, 434), (600, 434), (636, 600), (120, 600))
    canvas.shape(sheet, (226, 220, 192))
    canvas.line(((190, 580), (260, 520), (330, 540), (420, 470), (590, 450)), (110, 150, 176), 6)
    canvas.line(((150, 560), (300, 590), (500, 560), (620, 580)), (168, 120, 80), 3)
    for nth in range(5):
        canvas.oval(
            (250 + nth * 64, 480 + nth * 16, 268 + nth * 64, 492 + nth * 16), (150, 170, 120)
        )


def _draw_table_things(canvas: Canvas) -> None:
    for x, y in ((186, 440), (590, 440), (134, 588), (624, 588), (380, 436)):
        canvas.box((x - 20, y - 14, x + 20, y + 12), _LEAD, 5, 2)
        canvas.line(((x - 9, y - 14), (x, y - 24), (x + 9, y - 14)), (70, 72, 78), 4)
    # the sixth, on the floor
    canvas.box((888, 664, 932, 694), _LEAD, 5, 2)
    canvas.line(((898, 664), (910, 652), (922, 664)), (70, 72, 78), 4)
    tape = (244, 242, 232)
    arms = (
        (262, 640), (280, 596), (232, 560), (214, 520), (236, 508), (262, 540), (318, 566),
        (340, 540), (326, 510), (346, 482), (382, 480), (402, 506), (390, 540), (412, 566),
        (456, 548), (486, 556), (448, 588), (430, 640),
    )  # fmt: skip
    canvas.line(arms, tape, 6)
    # pad and pencil, deed under the lamp, the clean oblong next to it
    canvas.shape(((470, 588), (560, 584), (574, 632), (474, 634)), (250, 248, 240))
    canvas.box((470, 582, 562, 590), (176, 44, 40), line=1)
    canvas.line(((584, 600), (612, 628)), (214, 170, 60), 5)
    canvas.shape(((660, 470), (742, 470), (764, 556), (668, 556)), (232, 216, 176))
    for nth in range(6):
        canvas.line(((674, 484 + nth * 10), (738 + nth * 2, 484 + nth * 10)), (96, 88, 90), 1.5)
    canvas.oval((738, 528, 758, 546), (120, 84, 140), 2)
    canvas.shape(((652, 574), (738, 572), (750, 622), (656, 624)), (164, 120, 82))
    canvas.line(((706, 420), (690, 380), (720, 352)), _IRON, 6)
    canvas.shape(((694, 352), (746, 340), (756, 372), (704, 384)), (64, 104, 84))
    # the pastille on the lowest tread
    canvas.oval((806, 428, 821, 438), (144, 92, 180), 2)


def _draw_markers(canvas: Canvas) -> None:
    places = {"A": (300, 612), "B": (866, 640), "C": (700, 650), "D": (770, 500), "E": (856, 424)}
    for letter, (x, y) in places.items():
        shape = ((x - 15, y + 14), (x - 10, y - 16), (x + 10, y - 16), (x + 15, y + 14))
        canvas.shape(shape, MARKER_COLOUR)
        canvas.text((x, y), letter, 19)
