"""The hoist floor: the open door, the bar along the wall, the chair, the flask."""

from random import Random

from PIL import Image

from scripts_mm.drawing.primitives.canvas import Canvas, scale_size
from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.paper import (
    Colour,
    Size,
)
from scripts_mm.drawing.primitives.photo_print import (
    PrintStyle,
    finish_photo,
    make_photo_print,
    photo_size,
)

_PRINT = PrintStyle(
    colour=(226, 224, 214), border=16, foot=58, at=(24, 29), hand="type", text_size=23
)
_SIZE: Size = (960, 760)
_WALL: Colour = (104, 82, 62)
_PLANK: Colour = (82, 63, 47)
_FLOOR: Colour = (138, 112, 82)
_OAK: Colour = (176, 134, 82)
_DARK: Colour = (44, 33, 26)
_ROPE: Colour = (196, 176, 128)
_CHAIR: Colour = (148, 84, 46)


def draw_hoist(caption: str, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the photograph with its caption."""
    view = photo_size(_SIZE, _PRINT)
    image = Image.new("RGB", scale_size(view), _WALL)
    canvas = Canvas(image, fonts, _DARK)
    _draw_walls(canvas, rng)
    _draw_door(canvas)
    _draw_sacks(canvas)
    _draw_bar(canvas)
    _draw_bell(canvas, rng)
    _draw_chair(canvas)
    _draw_table(canvas)
    _draw_sheet(canvas)
    small = finish_photo(image, view, rng, (4, 0.18), (140, 0.2), 0.5)
    return make_photo_print(small, _SIZE, caption, fonts, rng, _PRINT)


def _draw_walls(canvas: Canvas, rng: Random) -> None:
    for nth in range(16):
        x = 250 + nth * 46
        canvas.line(((x, 0), (x, 450)), _PLANK, 3)
    canvas.shape(((0, 0), (250, 0), (250, 446), (0, 640)), (86, 68, 52), 0)
    for nth in range(6):
        x = nth * 44
        canvas.line(((x, 0), (x, 640 - x * 0.78)), (70, 54, 41), 3)
    canvas.shape(((0, 640), (250, 446), (940, 446), (940, 700), (0, 700)), _FLOOR, 0)
    for nth in range(15):
        top, low = 250 + nth * 52, -420 + nth * 134
        canvas.line(((top, 446), (low, 700)), (108, 86, 62), 3)
    for _ in range(90):
        x, y = rng.uniform(20, 920), rng.uniform(470, 686)
        canvas.line(((x, y), (x + rng.uniform(6, 22), y)), (122, 98, 71), 1)


def _draw_door(canvas: Canvas) -> None:
    """Draw the sky, the far bank, and the door frame with its two empty irons."""
    canvas.box((380, 92, 700, 446), (204, 216, 222), 0, 0)
    canvas.shape(((380, 330), (450, 286), (560, 300), (640, 264), (700, 284), (700, 446),
                  (380, 446)), (118, 142, 108), 0)  # fmt: skip
    canvas.shape(((380, 392), (700, 372), (700, 446), (380, 446)), (140, 152, 156), 0)
    for x, y in ((420, 340), (500, 352), (620, 332)):
        canvas.box((x, y, x + 34, y + 26), (176, 140, 118), 0, 1)
        canvas.shape(((x - 5, y), (x + 17, y - 18), (x + 39, y)), (136, 76, 60), 1)
    canvas.box((652, 250, 664, 330), (140, 84, 66), 0, 1)
    for box in ((362, 76, 382, 450), (698, 76, 718, 450), (362, 72, 718, 96)):
        canvas.box(box, (70, 52, 38))
    canvas.shape(((718, 84), (800, 60), (800, 500), (718, 450)), (96, 72, 50))
    for x in (382, 698):
        side = 1 if x == 382 else -1  # noqa: PLR2004 - the left jamb
        canvas.rod(((x, 330), (x + 22 * side, 330), (x + 22 * side, 312)), (64, 64, 66), 7)


def _draw_sacks(canvas: Canvas) -> None:
    for box in ((786, 330, 920, 450), (846, 262, 950, 372), (262, 356, 356, 450)):
        canvas.box(box, (190, 172, 134), 34)
        left, top, right, bottom = box
        for nth in range(3):
            y = top + (bottom - top) * (nth + 1) / 4
            canvas.line(((left + 12, y), (right - 12, y + 4)), (160, 142, 106), 2)


def _draw_bar(canvas: Canvas) -> None:
    """Draw the bar on the floor, straight along the left wall."""
    canvas.shape(((34, 672), (74, 692), (316, 476), (292, 462)), (70, 52, 34), 0)
    canvas.shape(((24, 652), (56, 668), (306, 464), (282, 452)), _OAK)
    canvas.shape(((56, 668), (64, 682), (312, 476), (306, 464)), (132, 96, 56))
    canvas.line(((60, 640), (278, 462)), (206, 166, 110), 3)


def _draw_bell(canvas: Canvas, rng: Random) -> None:
    canvas.box((330, 20, 940, 54), (84, 62, 44))
    canvas.box((530, 54, 550, 66), (60, 60, 62))
    dome = ((508, 118), (516, 84), (530, 66), (550, 66), (564, 84), (572, 118))
    canvas.shape(dome, (176, 142, 66))
    canvas.box((502, 114, 578, 124), (148, 114, 48), 4)
    canvas.rod(((540, 124), (541, 176)), _ROPE, 7)
    for _ in range(9):
        end = (541 + rng.uniform(-15, 15), 176 + rng.uniform(8, 24))
        canvas.line(((541, 172), end), _ROPE, 1.6)


def _draw_chair(canvas: Canvas) -> None:
    """Draw the chair on its side: seat upright, legs to the right, back to the left."""
    canvas.disc((500, 604), (150, 24), (104, 82, 58), 0)
    canvas.shape(((470, 486), (510, 478), (522, 598), (482, 608)), _CHAIR)
    for start, end in (((508, 490), (612, 512)), ((518, 590), (626, 604)),
                       ((496, 484), (588, 474)), ((486, 602), (586, 622))):  # fmt: skip
        canvas.rod((start, end), (112, 62, 34), 9)
    for start, end in (((474, 490), (352, 518)), ((484, 604), (360, 622))):
        canvas.rod((start, end), (128, 72, 40), 10)
    for share in (0.35, 0.62, 0.9):
        top = (474 - 122 * share, 490 + 28 * share)
        low = (484 - 124 * share, 604 + 18 * share)
        canvas.rod((top, low), (148, 84, 46), 8)


def _draw_table(canvas: Canvas) -> None:
    """Draw the small table, and the closed flask next to its leg."""
    for x in (724, 858):
        canvas.box((x, 512, x + 14, 654), (104, 70, 44))
    canvas.shape(((700, 500), (742, 470), (908, 470), (888, 500)), (150, 108, 70))
    canvas.box((700, 500, 888, 518), (124, 86, 54))
    canvas.disc((688, 660), (40, 9), (96, 76, 54), 0)
    canvas.box((664, 560, 710, 660), (52, 92, 120), 8)
    canvas.box((668, 536, 706, 564), (206, 206, 200), 6)
    canvas.arc((700, 542, 718, 562), (270, 90), (190, 190, 184), 4)
    canvas.box((670, 572, 678, 648), (96, 138, 164), 4, 0)


def _draw_sheet(canvas: Canvas) -> None:
    canvas.shape(((520, 640), (612, 628), (640, 676), (540, 690)), (240, 238, 226), 2)
    canvas.line(((566, 634), (590, 683)), (190, 188, 176), 2)
    for nth in range(4):
        canvas.line(((530 + nth * 4, 648 + nth * 9), (562 + nth * 4, 644 + nth * 9)),
                    (130, 110, 90), 1.4)  # fmt: skip
    canvas.line(((560, 640), (604, 672)), (206, 160, 40), 5)
    canvas.line(((604, 672), (610, 676)), _DARK, 4)
