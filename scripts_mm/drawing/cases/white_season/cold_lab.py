"""The cold lab from inside, its door shut: frost shows a body's outline and a missing tube."""

from dataclasses import dataclass
from random import Random

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from scripts_mm.drawing.cases.white_season.photo_style import PRINT, draw_marker
from scripts_mm.drawing.primitives.canvas import SCALE, Canvas, scale_size
from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.paper import (
    Colour,
    Size,
    add_vignette,
    adjust_levels,
    make_noise,
    shade_image,
)
from scripts_mm.drawing.primitives.photo_print import make_photo_print, photo_size

_EDGE: Colour = (38, 50, 60)
_FROST: Colour = (240, 246, 252)
_ROW = 4
"""Tubes per shelf."""
_STEEL: Colour = (150, 160, 168)


@dataclass(frozen=True, slots=True, kw_only=True)
class ColdLabSpec:
    """The words of the photograph and the tubes on the shelf."""

    caption: str
    tubes: tuple[str, ...]
    """Numbers on the ends of the core tubes, from left to right; empty: a gap."""
    push: str
    """Text on the plate of the inside release."""
    monitor: str
    """Text on the empty bracket."""
    size: Size = (1000, 800)


def draw_cold_lab(spec: ColdLabSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the photograph."""
    width, height = photo_size(spec.size, PRINT)
    size = scale_size((width, height))
    image = Image.new("RGB", size, (206, 216, 222))
    pen = Canvas(image, fonts, _EDGE)
    _draw_room(pen, width, height)
    _draw_shelf(pen, spec)
    _draw_door(pen, spec)
    _draw_right_wall(pen, spec)
    image = _add_frost(image, rng)
    pen = Canvas(image, fonts, _EDGE)
    for sign, at in (("1", (566, 372)), ("2", (270, 196)), ("3", (832, 372)), ("4", (904, 166)),
                     ("5", (352, 520)), ("6", (740, 346))):  # fmt: skip
        draw_marker(pen, (float(at[0]), float(at[1])), sign)
    small = image.resize((width, height), Image.Resampling.LANCZOS)
    small = shade_image(small, make_noise(small.size, 3, rng), 0.07)
    small = add_vignette(shade_image(small, make_noise(small.size, 150, rng), 0.12), 0.4)
    return make_photo_print(small, spec.size, spec.caption, fonts, rng, PRINT)


def _draw_room(pen: Canvas, width: int, height: int) -> None:
    floor = 440
    for x in range(0, width, 120):
        pen.line(((x, 0), (x, floor)), (182, 194, 202), 3)
    pen.shape(((0, floor), (width, floor), (width, height), (0, height)), (92, 104, 112), 0)
    for nth in range(-9, 10):
        start = (width / 2 + nth * 70.0, float(floor))
        pen.line((start, (width / 2 + nth * 150.0, float(height))), (78, 88, 96), 2)
    pen.box((0, floor - 10, width, floor), (120, 132, 140))


def _draw_shelf(pen: Canvas, spec: ColdLabSpec) -> None:
    for y in (166, 316):
        pen.box((14, y, 300, y + 12), _STEEL)
    for nth, number in enumerate(spec.tubes):
        x, y = 60 + nth % _ROW * 66, 128 + nth // _ROW * 150
        if not number:
            continue
        pen.oval((x - 32, y - 32, x + 32, y + 36), (214, 206, 188), 3)
        pen.oval((x - 24, y - 25, x + 24, y + 28), (176, 208, 232), 2)
        pen.text((x, y + 1), number, 19, (20, 34, 60))


def _draw_door(pen: Canvas, spec: ColdLabSpec) -> None:
    pen.box((392, 50, 652, 440), (110, 122, 130), 4, 4)
    pen.box((406, 64, 638, 440), (230, 234, 236), 4, 3)
    for y in (90, 380):
        pen.box((626, y, 656, y + 34), _STEEL, 3)
    # the plate of the release: a bare bolt in place of the knob
    pen.box((412, 196, 534, 316), _STEEL, 6, 3)
    pen.text((473, 215), spec.push, 15, (24, 90, 50))
    pen.oval((448, 232, 498, 282), (96, 104, 110), 3)
    pen.oval((462, 246, 484, 268), (30, 32, 34), 2)
    for x in (424, 522):
        for y in (206, 306):
            pen.oval((x - 4, y - 4, x + 4, y + 4), (80, 86, 90), 1)
    # a strip of skin on the plate, scratches in the foam below it
    pen.shape(((494, 288), (528, 276), (531, 296), (500, 308)), (170, 96, 80), 0)
    pen.shape(((500, 292), (522, 284), (524, 292), (504, 300)), (202, 140, 120), 0)
    for nth in range(5):
        x = 552 + nth * 13
        pen.line(((x, 226), (x - 5, 300 - nth * 4)), (168, 150, 110), 3)
    pen.shape(((548, 300), (612, 288), (604, 318), (560, 322)), (206, 190, 140), 0)


def _draw_right_wall(pen: Canvas, spec: ColdLabSpec) -> None:
    # nitrogen outlet, thick with ice, its pipe from the plant room
    pen.line(((960, 96), (782, 96), (782, 146)), (110, 118, 124), 16)
    pen.shape(((756, 146), (808, 146), (820, 184), (744, 184)), (134, 142, 148))
    for x, drop in ((751, 22), (766, 38), (782, 30), (798, 40), (813, 20)):
        pen.shape(((x - 8, 184), (x + 8, 184), (x, 184 + drop)), (236, 244, 252), 0)
    # the empty bracket of the oxygen monitor, and the tag on it
    pen.text((886, 198), spec.monitor, 18, (30, 40, 60))
    pen.box((842, 214, 930, 300), (150, 160, 168), 4, 3)
    pen.box((860, 232, 912, 282), (60, 66, 70), 2, 2)
    pen.line(((886, 300), (890, 326)), (190, 50, 50), 3)
    pen.shape(((866, 326), (912, 322), (916, 398), (870, 402)), (226, 202, 150))
    pen.shape(((867, 326), (912, 322), (913, 338), (868, 342)), (186, 40, 36))
    # the recorder with its strip
    pen.box((690, 236, 790, 314), (60, 84, 76), 5, 3)
    pen.box((700, 248, 780, 298), (247, 243, 230), 2, 2)
    pen.line(((702, 256), (734, 256), (738, 292), (756, 268), (764, 254), (778, 257)),
             (34, 42, 128), 2)  # fmt: skip


def _add_frost(image: Image.Image, rng: Random) -> Image.Image:
    """Whiten the floor except for the shape of a man on his back; add rime on walls and objects."""
    size = image.size
    floor = Image.new("L", size, 0)
    draw = ImageDraw.Draw(floor)
    draw.rectangle((0, 442 * SCALE, size[0], size[1]), fill=232)
    _draw_man(draw)
    floor = floor.filter(ImageFilter.GaussianBlur(2.5 * SCALE))
    floor = ImageChops.multiply(floor, adjust_levels(make_noise(size, 9, rng), 0.35, 170))
    walls = Image.new("L", size, 120)
    ImageDraw.Draw(walls).rectangle((0, 60 * SCALE, size[0], 442 * SCALE), fill=56)
    walls = walls.filter(ImageFilter.GaussianBlur(50 * SCALE))
    walls = ImageChops.multiply(walls, adjust_levels(make_noise(size, 12, rng), 1.2, -20))
    ImageDraw.Draw(walls).rectangle((0, 442 * SCALE, size[0], size[1]), fill=0)
    white = Image.new("RGB", size, _FROST)
    return Image.composite(white, image, ImageChops.lighter(floor, walls))


def _draw_man(draw: ImageDraw.ImageDraw) -> None:
    """Draw the frost-free shape of a man, the head to the left, one arm towards the door."""

    def limb(points: tuple[tuple[int, int], ...], width: int) -> None:
        large = [(x * SCALE, y * SCALE) for x, y in points]
        draw.line(large, fill=14, width=width * SCALE, joint="curve")
        for x, y in large:
            reach = width * SCALE / 2
            draw.ellipse((x - reach, y - reach * 0.8, x + reach, y + reach * 0.8), fill=14)

    limb(((284, 588), (296, 588)), 54)
    limb(((362, 592), (520, 600)), 82)
    limb(((372, 566), (430, 508), (476, 484)), 26)
    limb(((376, 620), (440, 664), (512, 668)), 28)
    limb(((520, 584), (640, 570), (748, 566)), 36)
    limb(((520, 614), (640, 628), (742, 646)), 36)
    limb(((762, 560), (766, 544)), 24)
    limb(((758, 652), (766, 668)), 24)
