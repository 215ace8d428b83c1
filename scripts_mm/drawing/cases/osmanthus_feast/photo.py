"""The constable's photograph of the round table, sepia on old paper."""

import math
from dataclasses import dataclass
from random import Random

from PIL import Image, ImageFilter

from scripts_mm.drawing.primitives.canvas import Canvas, scale_size
from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.paper import Point, Size, add_vignette, make_noise, shade_image
from scripts_mm.drawing.primitives.photo_print import PrintStyle, make_photo_print, photo_size

_PRINT = PrintStyle(
    colour=(236, 226, 204),
    border=22,
    foot=68,
    at=(32, 36),
    ink=(60, 46, 34),
    grain=50,
    depth=0.08,
    hand="letter",
    text_size=34,
)
_MIDDLE = (478.0, 408.0)
_REACH = (336.0, 196.0)
_DARK = (38, 28, 22)
_CLOTH = (222, 212, 194)
_CHINA = (240, 234, 222)
_WINE = (128, 96, 62)


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePhotoSpec:
    """The objects on the table by place; the first place is the farthest, then clockwise."""

    caption: str
    full: tuple[int, ...]
    """Places whose cup is full to the brim."""
    broken: int
    """The place whose cup is in pieces on the floor and whose stool is overturned."""
    unused: int
    """The unoccupied place: bowl and chopsticks untouched, incense and a card in front.

    The layout is that of the watercolour, which is seen from the other side.
    """
    bottle: int
    """The place with a separate bottle and glass."""
    bean_curd: int
    """The place with a covered bowl instead of a crab."""
    clock: tuple[int, int]
    size: Size = (1000, 800)


def draw_photo(spec: TablePhotoSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the photograph."""
    width, height = photo_size(spec.size, _PRINT)
    image = Image.new("RGB", scale_size((width, height)), (112, 96, 78))
    pen = Canvas(image, fonts, _DARK, 3)
    _draw_room(pen, spec, width, height)
    for place in range(8):
        if place in (7, 0, 1):
            _draw_stool(pen, place, fallen=place == spec.broken)
    _draw_cloth(pen)
    _draw_dishes(pen)
    for place in (0, 7, 1, 6, 2, 5, 3, 4):
        _draw_place(pen, spec, place)
    for place in range(2, 7):
        _draw_stool(pen, place, fallen=place == spec.broken)
    _draw_shards(pen)
    small = image.resize((width, height), Image.Resampling.LANCZOS)
    grey = small.filter(ImageFilter.GaussianBlur(0.7)).convert("L")
    small = Image.merge("RGB", [grey.point(_tint_curve(top)) for top in (255, 232, 196)])
    small = shade_image(small, make_noise(small.size, 90, rng), 0.14)
    return make_photo_print(add_vignette(small, 0.5), spec.size, spec.caption, fonts, rng, _PRINT)


def _tint_curve(top: int) -> list[int]:
    return [round(18 + grey * (top - 18) / 255) for grey in range(256)]


def _table_point(place: float, share: float) -> Point:
    turn = math.radians(place * 45)
    return (
        _MIDDLE[0] + _REACH[0] * share * math.sin(turn),
        _MIDDLE[1] - _REACH[1] * share * math.cos(turn),
    )


def _draw_room(pen: Canvas, spec: TablePhotoSpec, width: int, height: int) -> None:
    pen.box((0, 0, width, 236), (148, 132, 110))
    pen.box((0, 236, width, height), (96, 80, 64))
    for x in range(-200, width + 200, 74):
        pen.line(((480 + (x - 480) * 0.6, 236), (x, height)), (78, 64, 50), 1.5)
    pen.box((330, 22, 626, 196), (60, 54, 50))
    for x in range(330, 627, 37):
        pen.line(((x, 22), (x, 196)), (176, 160, 136), 4)
    for y in range(22, 197, 29):
        pen.line(((330, y), (626, y)), (176, 160, 136), 4)
    for x in (96, 780):
        pen.box((x, 26, x + 84, 202), (214, 204, 184))
        branch = ((x + 60, 196), (x + 44, 150), (x + 52, 104), (x + 26, 60))
        pen.line(branch, width=5)
        for dx, dy in ((20, 76), (62, 92), (30, 118), (66, 136), (26, 160), (18, 50)):
            pen.disc((x + dx, dy), (11, 6), (96, 88, 72), 2)
            pen.disc((x + dx + 7, dy - 7), (3, 3), (238, 226, 190), 0)
    pen.disc((254, 84), (42, 42), (226, 218, 200), 8)
    hours, minutes = spec.clock
    for turn, reach, wide in ((hours * 30 + minutes / 2, 20, 4), (minutes * 6, 31, 3)):
        end = (
            254 + reach * math.sin(math.radians(turn)),
            84 - reach * math.cos(math.radians(turn)),
        )
        pen.line(((254, 84), end), width=wide)


def _draw_stool(pen: Canvas, place: int, *, fallen: bool) -> None:
    x, y = _table_point(place, 1.27)
    if fallen:
        _draw_fallen_stool(pen, x + 44, y + 46)
        return
    for shift in (-26, 26):
        pen.line(((x + shift, y + 6), (x + shift * 1.1, y + 66)), (66, 46, 32), 7)
    pen.disc((x, y), (40, 21), (134, 98, 66), 4)


def _draw_fallen_stool(pen: Canvas, x: float, y: float) -> None:
    """Draw a stool that lies on its side: the seat on edge, its four legs away from the table."""
    pen.disc((x + 40, y + 44), (74, 12), (58, 46, 36), 0)
    for foot_y, tone in ((-40, (120, 90, 62)), (-6, (120, 90, 62)), (18, (166, 126, 88))):
        pen.line(((x + 10, y + foot_y * 0.5), (x + 96, y + foot_y)), (30, 22, 16), 13)
        pen.line(((x + 10, y + foot_y * 0.5), (x + 94, y + foot_y)), tone, 8)
    pen.line(((x + 10, y + 20), (x + 92, y + 40)), (30, 22, 16), 13)
    pen.line(((x + 10, y + 20), (x + 90, y + 40)), (166, 126, 88), 8)
    pen.line(((x + 66, y - 30), (x + 62, y + 32)), (30, 22, 16), 6)
    pen.disc((x + 6, y), (24, 46), (104, 74, 50), 4)
    pen.disc((x - 6, y), (22, 45), (186, 146, 104), 4)
    pen.disc((x - 6, y), (14, 34), (198, 158, 116), 2)


def _draw_cloth(pen: Canvas) -> None:
    x, y = _MIDDLE
    wide, high = _REACH
    pen.shape(
        ((x - wide, y), (x - wide * 0.96, y + 150), (x - 150, y + high + 128), (x, y + high + 106),
         (x + 150, y + high + 128), (x + wide * 0.96, y + 150), (x + wide, y)),
        (188, 176, 156),
    )  # fmt: skip
    for fold in range(-5, 6):
        start = (x + fold * 58, y + math.sqrt(max(0.0, 1 - (fold * 58 / wide) ** 2)) * high)
        pen.line((start, (start[0] + fold * 4, start[1] + 104)), (152, 138, 116), 3)
    pen.disc(_MIDDLE, _REACH, _CLOTH, 4)


def _draw_dishes(pen: Canvas) -> None:
    pen.disc(_MIDDLE, (86, 50), _CHINA, 4)
    pen.disc(_MIDDLE, (68, 38), (206, 190, 160), 2)
    for x, y in ((450, 400), (490, 392), (512, 418), (464, 424)):
        pen.disc((x, y), (23, 14), (152, 104, 66))
        for side in (-1, 1):
            pen.line(((x + side * 20, y - 2), (x + side * 33, y - 13)), (110, 72, 46), 4)
    for nth in range(8):
        at = _table_point(nth, 0.46)
        pen.disc(at, (35, 20), _CHINA, 3)
        if nth == 0:
            for shift in (-15, 0, 15):
                pen.disc((at[0] + shift, at[1] - 3), (9, 6), (176, 140, 104), 2)
                pen.disc((at[0] + shift, at[1] - 3), (2.5, 1.6), (88, 64, 44), 0)
            continue
        pen.disc((at[0], at[1] + 1), (26, 13), (176 - nth * 9, 152 - nth * 8, 118 - nth * 5), 0)
    pot = (_table_point(2.5, 0.60)[0] + 2, _table_point(2.5, 0.60)[1] - 30)
    pen.disc((pot[0], pot[1] + 12), (30, 26), (150, 150, 150), 4)
    pen.line(((pot[0] - 26, pot[1] + 8), (pot[0] - 52, pot[1] - 12)), (120, 120, 120), 7)
    pen.line(((pot[0] + 26, pot[1] - 2), (pot[0] + 44, pot[1] + 8), (pot[0] + 26, pot[1] + 26)),
             (120, 120, 120), 6)  # fmt: skip
    pen.disc((pot[0], pot[1] - 12), (9, 6), (90, 90, 90))


def _draw_place(pen: Canvas, spec: TablePhotoSpec, place: int) -> None:
    bowl = _table_point(place, 0.80)
    pen.disc(bowl, (30, 17), _CHINA, 3)
    if place == spec.unused:
        _draw_shrine(pen, bowl)
    elif place == spec.bean_curd:
        pen.disc((bowl[0], bowl[1] - 4), (20, 12), (196, 186, 160))
        pen.line(((bowl[0] + 4, bowl[1] - 4), (bowl[0] + 34, bowl[1] - 22)), (220, 216, 206), 5)
    else:
        _draw_shells(pen, bowl, place)
    if place != spec.broken:
        at = _table_point(place + 0.30, 0.78)
        _draw_cup(pen, at, full=place in spec.full)
    if place == spec.bottle:
        x, y = _table_point(place - 0.30, 0.74)
        pen.box((x - 11, y - 56, x + 11, y + 6), (92, 98, 88))
        pen.box((x - 5, y - 84, x + 5, y - 56), (92, 98, 88))
        pen.box((x - 8, y - 38, x + 8, y - 12), (220, 212, 194))


def _draw_shrine(pen: Canvas, bowl: Point) -> None:
    """Draw the objects of the unused place; the card faces the chair, so its back is visible."""
    x, y = bowl
    pen.line(((x - 6, y + 3), (x + 14, y - 7)), (232, 226, 212), 4)
    pen.box((x - 56, y + 2, x - 36, y + 7), (200, 194, 182))
    for shift in (-4, 3):
        pen.line(((x - 46 + shift, y + 20), (x - 44 + shift, y - 14)), (60, 40, 28), 3)
    pen.shape(((x + 8, y + 20), (x + 40, y + 20), (x + 44, y + 44), (x + 4, y + 44)),
              (246, 240, 228))  # fmt: skip
    x, y = x + 116, y + 36
    pen.disc((x, y), (24, 15), (116, 104, 88), 4)
    pen.disc((x, y - 3), (19, 10), (206, 198, 184), 2)
    pen.line(((x, y - 4), (x + 2, y - 20)), width=2)


def _draw_shells(pen: Canvas, bowl: Point, place: int) -> None:
    for nth, (x, y) in enumerate(((-12, -2), (8, -6), (2, 5))):
        shade = 128 + (nth * 17 + place * 11) % 44
        pen.disc((bowl[0] + x, bowl[1] + y), (12, 7), (shade, shade - 34, shade - 62), 2)
    for side in (-1, 1):
        x = bowl[0] + side * 20
        pen.line(((x, bowl[1]), (x + side * 9, bowl[1] - 9), (x + side * 3, bowl[1] - 14)), width=2)


def _draw_cup(pen: Canvas, at: Point, *, full: bool) -> None:
    x, y = at
    pen.disc((x, y + 9), (21, 10), _CHINA, 2)
    pen.shape(((x - 14, y - 14), (x + 14, y - 14), (x + 9, y + 9), (x - 9, y + 9)), _CHINA)
    pen.disc((x, y - 14), (14, 7), _WINE if full else (250, 247, 240), 3)
    if full:
        pen.disc((x - 4, y - 15), (4, 2), (206, 190, 160), 0)


def _draw_shards(pen: Canvas) -> None:
    x, y = 850.0, 350.0
    for dx, dy, turn in ((0, 0, 4), (26, 10, -6), (10, 22, 8), (42, -6, 5)):
        pen.shape(((x + dx, y + dy), (x + dx + 16, y + dy + turn), (x + dx + 7, y + dy + 12)),
                  (238, 232, 220))  # fmt: skip
    pen.disc((x + 24, y + 24), (34, 9), (78, 64, 50), 0)
