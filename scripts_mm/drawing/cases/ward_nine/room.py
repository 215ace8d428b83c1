"""Room 3 by flash light: a traction frame without its cord, an open window, crumbs on the sill."""

from dataclasses import dataclass
from random import Random

from PIL import Image

from scripts_mm.drawing.primitives.canvas import SCALE, Canvas
from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.paper import Point, Size, add_vignette, make_noise, shade_image
from scripts_mm.drawing.primitives.photo_print import PrintStyle, make_photo_print, photo_size

_SIZE: Size = (980, 760)
_PRINT = PrintStyle(colour=(240, 238, 230), foot=80, at=(28, 40), hand="type", text_size=27)
_VIEW: Size = photo_size(_SIZE, _PRINT)
_FLOOR = 440
_TUBE = (58, 66, 72)
_STEEL = (96, 104, 108)
_WHITE = (236, 238, 236)
_SNOW = (226, 234, 244)
_MARKER = (236, 200, 60)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomSpec:
    """The words of the photograph."""

    caption: str
    card: str
    """The letter on the card."""


def draw_room(spec: RoomSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the photograph."""
    image = Image.new("RGB", (_VIEW[0] * SCALE, _VIEW[1] * SCALE), (168, 184, 172))
    canvas = Canvas(image, fonts)
    _draw_walls(canvas)
    _draw_window(canvas, rng)
    _draw_thermograph(canvas)
    _draw_cabinet(canvas)
    _draw_bed(canvas, rng)
    _draw_floor_things(canvas, spec.card)
    small = image.resize(_VIEW, Image.Resampling.LANCZOS)
    small = shade_image(small, make_noise(_VIEW, 3, rng), 0.12)
    small = add_vignette(shade_image(small, make_noise(_VIEW, 150, rng), 0.10), 0.5)
    return make_photo_print(small, _SIZE, spec.caption, fonts, rng, _PRINT)


def _draw_walls(canvas: Canvas) -> None:
    canvas.box((0, 250, _VIEW[0], _FLOOR), (118, 148, 132), line=0)
    canvas.line(((0, 250), (_VIEW[0], 250)), (70, 90, 80), 4)
    canvas.box((0, _FLOOR, _VIEW[0], _VIEW[1]), (140, 128, 112), line=0)
    for nth in range(-9, 10):
        top: Point = (470 + nth * 70.0, float(_FLOOR))
        canvas.line((top, (470 + nth * 150.0, float(_VIEW[1]))), (116, 104, 90), 2)
    for y in (470, 520, 590):
        canvas.line(((0, y), (_VIEW[0], y)), (116, 104, 90), 2)


def _draw_window(canvas: Canvas, rng: Random) -> None:
    canvas.box((46, 36, 266, 252), (26, 32, 48), line=3)
    for _ in range(70):
        x, y = rng.uniform(52, 260), rng.uniform(40, 246)
        reach = rng.uniform(1.5, 4)
        canvas.oval((x, y, x + reach, y + reach), _SNOW, 0)
    # both wings turned into the room
    canvas.shape(((46, 36), (10, 20), (10, 276), (46, 252)), (214, 222, 218))
    canvas.shape(((40, 52), (16, 42), (16, 252), (40, 236)), (104, 124, 140))
    canvas.shape(((266, 36), (330, 14), (330, 284), (266, 252)), (214, 222, 218))
    canvas.shape(((274, 50), (320, 34), (320, 262), (274, 238)), (104, 124, 140))
    canvas.box((314, 140, 326, 172), (190, 160, 90), 3)
    canvas.shape(((30, 252), (282, 252), (300, 282), (12, 282)), (226, 226, 218))
    canvas.shape(((60, 252), (250, 252), (232, 261), (86, 262)), _SNOW)
    for x, y in ((196, 271), (208, 275), (214, 269), (224, 274), (235, 271), (203, 277)):
        canvas.shape(((x, y), (x + 6, y - 3), (x + 9, y + 2), (x + 3, y + 5)), (252, 252, 248))
    _draw_number(canvas, (262, 268), "2")


def _draw_thermograph(canvas: Canvas) -> None:
    canvas.box((400, 40, 540, 140), (110, 74, 46), 6, 3)
    canvas.box((412, 52, 528, 128), (222, 226, 220), 3, 2)
    canvas.box((424, 60, 496, 120), (248, 242, 226), 8, 2)
    canvas.line(((426, 78), (466, 78), (470, 96), (478, 108), (494, 114)), (40, 50, 130), 3)
    canvas.line(((522, 70), (496, 114)), (60, 60, 64), 3)
    _draw_number(canvas, (566, 90), "3")


def _draw_cabinet(canvas: Canvas) -> None:
    canvas.box((806, 300, 924, 470), (228, 230, 226), 4, 3)
    canvas.line(((806, 384), (924, 384)), _STEEL, 3)
    for y in (342, 426):
        canvas.oval((858, y - 6, 872, y + 6), _STEEL)
    # the dictating machine with its belt, and the notebook
    canvas.box((812, 246, 886, 302), (78, 88, 96), 6, 3)
    canvas.oval((822, 256, 846, 280), (170, 60, 50))
    canvas.oval((852, 256, 876, 280), (170, 60, 50))
    canvas.line(((834, 256), (864, 256)), (170, 60, 50), 4)
    canvas.line(((834, 280), (864, 280)), (170, 60, 50), 4)
    canvas.box((822, 286, 876, 296), (200, 204, 200), 2, 1)
    canvas.shape(((890, 290), (924, 286), (930, 300), (892, 303)), (60, 48, 44))


def _draw_bed(canvas: Canvas, rng: Random) -> None:
    for x in (356, 770):
        canvas.box((x, 236, x + 12, 540), _WHITE, line=2)
    canvas.box((356, 236, 368, 250), _WHITE)
    for y in (270, 310, 350):
        canvas.line(((768, y), (792, y)), _STEEL, 5)
    canvas.box((362, 400, 778, 470), (226, 228, 224), 10, 3)
    canvas.shape(((372, 396), (660, 376), (676, 470), (366, 476)), (104, 128, 150))
    canvas.box((660, 362, 768, 412), _WHITE, 16, 3)
    canvas.oval((688, 356, 736, 384), (214, 218, 216), 1)
    # snow on the blanket
    canvas.shape(((378, 400), (470, 392), (540, 396), (520, 416), (430, 424), (374, 420)), _SNOW)
    for _ in range(26):
        x, y = rng.uniform(380, 640), rng.uniform(396, 440)
        canvas.oval((x, y, x + 5, y + 3), _SNOW, 0)
    # the frame over the bed; the pulley at its foot is empty
    for x in (376, 752):
        canvas.line(((x, 240), (x, 190)), _TUBE, 9)
    canvas.line(((344, 190), (772, 190)), _TUBE, 9)
    canvas.line(((344, 190), (344, 306)), _TUBE, 9)
    for x, y in ((344, 318), (470, 208)):
        canvas.oval((x - 17, y - 17, x + 17, y + 17), (196, 176, 110), 3)
        canvas.oval((x - 5, y - 5, x + 5, y + 5), (40, 40, 40))
    # the lowered splint on the blanket
    canvas.line(((430, 386), (640, 372)), (70, 76, 80), 6)
    canvas.line(((430, 398), (640, 388)), (70, 76, 80), 6)
    canvas.box((470, 374, 600, 398), (206, 196, 168), 6, 2)
    _draw_number(canvas, (384, 300), "1")


def _draw_floor_things(canvas: Canvas, letter: str) -> None:
    canvas.oval((232, 560, 322, 602), (44, 46, 50), 3)
    canvas.oval((232, 546, 322, 588), (72, 76, 82), 3)
    canvas.oval((268, 560, 286, 572), (24, 24, 26))
    _draw_number(canvas, (350, 592), "4")
    canvas.shape(((520, 566), (584, 546), (618, 590), (552, 612)), (248, 246, 240))
    # a spade, and the letter of a knave
    canvas.shape(((570, 566), (590, 586), (582, 594), (562, 594), (556, 584)), (24, 24, 28))
    canvas.line(((572, 590), (576, 602)), (24, 24, 28), 4)
    canvas.text((545, 572), letter, 19, (24, 24, 28))
    for x in (400, 742):
        canvas.oval((x - 12, 536, x + 12, 560), (50, 50, 54))


def _draw_number(canvas: Canvas, at: Point, figure: str) -> None:
    x, y = at
    canvas.shape(((x - 17, y + 16), (x - 11, y - 18), (x + 11, y - 18), (x + 17, y + 16)), _MARKER)
    canvas.text((x, y), figure, 21)
