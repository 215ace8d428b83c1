"""The pay office by flash light: the pale patch, the iron, the trouser clip."""

from random import Random

from PIL import Image

from scripts_mm.drawing.primitives.canvas import Canvas, scale_size
from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.paper import Point, Size, add_vignette, make_noise, shade_image
from scripts_mm.drawing.primitives.photo_print import PrintStyle, make_photo_print, photo_size

_SIZE: Size = (1000, 760)
_PRINT = PrintStyle(colour=(240, 238, 230), foot=60, at=(28, 30))
_VIEW = photo_size(_SIZE, _PRINT)
_FLOOR = 400


def draw_scene(caption: str, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the room on a print with its caption."""
    image = Image.new("RGB", scale_size(_VIEW), (96, 108, 104))
    canvas = Canvas(image, fonts)
    _draw_room(canvas)
    _draw_stove(canvas)
    _draw_desk(canvas)
    _draw_outline(canvas)
    _draw_small_things(canvas)
    small = image.resize(_VIEW, Image.Resampling.LANCZOS)
    small = shade_image(small, make_noise(_VIEW, 3, rng), 0.14)
    small = add_vignette(shade_image(small, make_noise(_VIEW, 150, rng), 0.12), 0.62)
    return make_photo_print(small, _SIZE, caption, fonts, rng, _PRINT)


def _draw_room(canvas: Canvas) -> None:
    canvas.box((0, 0, _VIEW[0], _FLOOR), (118, 128, 116), line=0)
    canvas.box((0, 250, _VIEW[0], _FLOOR), (92, 84, 66), line=0)
    canvas.line(((0, 250), (_VIEW[0], 250)), (60, 52, 42), 6)
    canvas.box((0, _FLOOR, _VIEW[0], _VIEW[1]), (126, 98, 70), line=0)
    for nth in range(-12, 13):
        start: Point = (480 + nth * 62.0, float(_FLOOR))
        canvas.line((start, (480 + nth * 150.0, float(_VIEW[1]))), (96, 72, 50), 2)
    # the recorder's former place: paler than the wall, with its two hooks
    canvas.box((356, 60, 476, 246), (146, 156, 144), line=0)
    for x in (384, 448):
        canvas.line(((x, 66), (x, 78), (x + 8, 84)), (70, 66, 60), 4)
    canvas.box((640, 40, 880, 220), (176, 180, 178), 2, 5)
    for x in (720, 800):
        canvas.line(((x, 42), (x, 218)), (80, 76, 70), 5)
    canvas.line(((642, 130), (878, 130)), (80, 76, 70), 5)


def _draw_stove(canvas: Canvas) -> None:
    canvas.box((60, 0, 104, 210), (54, 52, 54), line=2)
    canvas.box((24, 200, 148, 420), (58, 56, 58), 14, 3)
    canvas.box((46, 262, 126, 322), (40, 38, 40), 6, 3)
    canvas.box((58, 286, 114, 310), (214, 112, 44), 3, 2)
    canvas.box((10, 420, 166, 436), (44, 42, 44), line=2)
    # a mark in the dust from a long leaning object
    canvas.line(((182, 244), (196, 418)), (158, 150, 134), 9)
    canvas.oval((186, 410, 208, 424), (148, 134, 108), 0)


def _draw_desk(canvas: Canvas) -> None:
    canvas.shape(((620, 330), (930, 330), (956, 392), (600, 392)), (134, 92, 58))
    canvas.box((600, 392, 956, 420), (112, 76, 48))
    for x in (616, 924):
        canvas.box((x, 420, x + 20, 560), (100, 68, 42))
    canvas.shape(((668, 344), (752, 340), (756, 380), (660, 382)), (238, 232, 214))
    canvas.shape(((752, 340), (836, 344), (846, 382), (756, 380)), (232, 226, 206))
    for nth in range(4):
        y = 350 + nth * 8
        canvas.line(((674, y), (742, y - 2)), (120, 120, 130), 1.5)
        canvas.line(((764, y - 2), (830, y)), (120, 120, 130), 1.5)
    canvas.box((872, 340, 904, 376), (224, 224, 230), 5)
    canvas.oval((872, 334, 904, 348), (96, 62, 34))
    # a ring of keys on the wall, one hook without any
    for nth, x in enumerate((520, 552, 584)):
        canvas.line(((x, 140), (x, 152)), (60, 56, 50), 5)
        if nth != 1:
            canvas.oval((x - 9, 152, x + 9, 170), (118, 128, 116), 3)
            canvas.line(((x, 170), (x, 200)), (170, 150, 90), 5)
            canvas.line(((x, 196), (x + 9, 196)), (170, 150, 90), 4)


def _draw_outline(canvas: Canvas) -> None:
    tape = (242, 240, 230)
    points = (
        (330, 470), (356, 450), (388, 452), (402, 474), (388, 492), (470, 488), (560, 470),
        (572, 486), (480, 516), (590, 532), (680, 520), (688, 540), (596, 560), (676, 592),
        (664, 610), (560, 580), (452, 556), (392, 560), (330, 604), (312, 588), (368, 536),
        (364, 506), (336, 494), (330, 470),
    )  # fmt: skip
    canvas.line(points, tape, 5)


def _draw_small_things(canvas: Canvas) -> None:
    # the point iron
    canvas.line(((196, 560), (330, 640)), (64, 66, 72), 14)
    canvas.line(((196, 560), (176, 572)), (64, 66, 72), 12)
    # the trouser clip: a sprung ring of steel, open at one side
    ring: tuple[Point, ...] = (
        (786, 562), (777, 553), (781, 542), (793, 538), (805, 543), (808, 554),
    )  # fmt: skip
    canvas.line(ring, (224, 228, 232), 4)
    canvas.line(((781, 542), (793, 538), (803, 542)), (255, 255, 255), 2)
    markers = (((300, 600), "1"), ((838, 552), "2"), ((500, 232), "3"), ((226, 410), "4"))
    for at, sign in markers:
        canvas.marker(at, sign)
