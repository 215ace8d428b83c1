"""The police photograph of the dressing room: the positions of objects are the evidence."""

import math
from dataclasses import dataclass
from random import Random

from PIL import Image, ImageDraw, ImageFilter

from scripts_mm.drawing.primitives.canvas import Canvas, scale_size
from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.paper import Colour, Size, add_vignette, make_noise, shade_image
from scripts_mm.drawing.primitives.photo_print import PrintStyle, make_photo_print, photo_size

_PRINT = PrintStyle(colour=(244, 242, 236), hand="type", text_size=24)


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneSpec:
    """The words of the scene and the objects on the shelf."""

    caption: str
    binders: tuple[str, ...]
    """Numbers on the spines, from left to right; empty: a gap."""
    weight: str
    """Number on the weight below the couch."""
    clock: tuple[int, int]
    """Hours and minutes on the wall clock."""
    size: Size = (1000, 800)


def draw_scene(spec: SceneSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the dressing room."""
    width, height = photo_size(spec.size, _PRINT)
    image = Image.new("RGB", scale_size((width, height)), (0, 0, 0))
    pen = Canvas(image, fonts)
    _draw_room(pen, width, height)
    _draw_wall_things(pen, spec)
    _draw_table(pen)
    _draw_couch(pen, spec)
    _draw_floor_things(pen)
    _draw_markers(pen)
    small = image.resize((width, height), Image.Resampling.LANCZOS)
    small = _add_lamplight(small)
    small = shade_image(small, make_noise(small.size, 3, rng), 0.10)
    small = add_vignette(shade_image(small, make_noise(small.size, 140, rng), 0.10), 0.42)
    return make_photo_print(small, spec.size, spec.caption, fonts, rng, _PRINT)


def _draw_room(pen: Canvas, width: int, height: int) -> None:
    floor = 470
    pen.box((0, 0, width, floor), (128, 146, 120), line=0)
    for x in range(0, width, 46):
        pen.line(((x, 0), (x, floor)), (118, 136, 110), 9)
    pen.box((0, floor, width, height), (134, 96, 66), line=0)
    for nth in range(-14, 15):
        start = (width / 2 + nth * 60.0, float(floor))
        pen.line((start, (width / 2 + nth * 150.0, float(height))), (108, 76, 52), 1.5)
    for y in (500, 545, 610, 690):
        pen.line(((0, y), (width, y)), (116, 82, 56), 1)
    pen.box((0, floor - 20, width, floor), (94, 74, 60))


def _draw_wall_things(pen: Canvas, spec: SceneSpec) -> None:
    pen.oval((96, 44, 196, 144), (238, 234, 220), 5)
    for hour in range(12):
        turn = math.radians(hour * 30)
        near, far = 40, 45
        start = (146 + near * math.sin(turn), 94 - near * math.cos(turn))
        pen.line((start, (146 + far * math.sin(turn), 94 - far * math.cos(turn))), width=2)
    hours, minutes = spec.clock
    for turn, reach, width in ((hours * 30 + minutes / 2, 23, 4), (minutes * 6, 36, 3)):
        angle = math.radians(turn)
        pen.line(
            ((146, 94), (146 + reach * math.sin(angle), 94 - reach * math.cos(angle))), width=width
        )
    _draw_shelf(pen, spec.binders)
    _draw_mirror(pen)
    for nth, x in enumerate((716, 774)):
        pen.line(((x, 190), (x, 206), (x + 8, 212), (x + 12, 204)), (210, 206, 200), 4)
        pen.oval((x - 7, 180, x + 7, 194), (190, 186, 180))
        if nth == 0:
            pen.shape(((694, 208), (740, 208), (746, 344), (716, 356), (690, 344)), (232, 226, 214))
            pen.line(((702, 214), (700, 340)), (200, 192, 180), 2)
            pen.line(((728, 214), (732, 342)), (200, 192, 180), 2)
    _draw_costumes(pen)


def _draw_shelf(pen: Canvas, binders: tuple[str, ...]) -> None:
    colours: tuple[Colour, ...] = (
        (150, 52, 48), (52, 88, 130), (196, 150, 60), (70, 110, 76), (98, 70, 120)
    )  # fmt: skip
    for nth, number in enumerate(binders):
        left = 372 + nth * 50
        if not number:
            continue
        pen.box((left, 22, left + 44, 116), colours[nth % len(colours)], 3)
        pen.box((left + 7, 36, left + 37, 72), (244, 240, 228), 2)
        pen.text((left + 22, 54), number, 22)
        pen.oval((left + 15, 88, left + 29, 102), (220, 220, 220))
    pen.box((352, 116, 650, 128), (112, 80, 56))
    pen.line(((380, 128), (380, 148), (366, 128)), width=3)
    pen.line(((622, 128), (622, 148), (636, 128)), width=3)


def _draw_mirror(pen: Canvas) -> None:
    pen.box((336, 150, 660, 396), (92, 70, 56), 6, 3)
    pen.box((360, 174, 636, 384), (178, 192, 192), 2)
    pen.shape(((420, 176), (492, 176), (380, 382), (362, 382), (362, 300)), (194, 208, 208))
    for nth in range(6):
        pen.oval((356 + nth * 54, 152, 376 + nth * 54, 172), (255, 240, 190))
    for nth in range(4):
        for x in (338, 638):
            pen.oval((x, 188 + nth * 52, x + 20, 208 + nth * 52), (255, 240, 190))
    pen.shape(((372, 214), (442, 206), (448, 292), (378, 300)), (232, 212, 170))
    for nth in range(5):
        pen.line(((384, 226 + nth * 13), (434, 220 + nth * 13)), (110, 72, 40), 1.5)


def _draw_costumes(pen: Canvas) -> None:
    pen.line(((836, 120), (836, 470)), (80, 80, 84), 6)
    pen.line(((836, 126), (960, 126)), (80, 80, 84), 6)
    pen.shape(((852, 142), (896, 132), (940, 150), (950, 440), (846, 440)), (60, 72, 86))
    pen.line(((896, 134), (892, 438)), (44, 54, 66), 3)
    pen.line(((870, 160), (866, 430)), (44, 54, 66), 2)
    pen.oval((850, 92, 944, 118), (104, 84, 56))
    pen.box((874, 70, 920, 106), (104, 84, 56), 10)


def _draw_table(pen: Canvas) -> None:
    pen.shape(((290, 408), (708, 408), (738, 452), (262, 452)), (150, 108, 74))
    pen.box((262, 452, 738, 476), (128, 90, 62))
    for x in (276, 706):
        pen.box((x, 476, x + 20, 566), (112, 78, 54))
    # jewel case at the left, open, with the green stone
    pen.shape(((300, 388), (372, 388), (366, 348), (310, 348)), (112, 32, 46))
    pen.box((296, 388, 376, 430), (136, 42, 56), 3)
    pen.box((304, 394, 368, 422), (236, 226, 206), 2)
    pen.line(((320, 400), (336, 408), (352, 400)), (206, 170, 70), 2.5)
    pen.shape(((336, 404), (346, 412), (336, 422), (326, 412)), (40, 160, 90))
    # manuscript and powder in the middle
    pen.shape(((428, 424), (524, 418), (536, 446), (424, 448)), (244, 240, 228))
    for nth in range(3):
        pen.line(((440, 428 + nth * 6), (514, 424 + nth * 6)), (130, 130, 130), 1.2)
    pen.oval((546, 402, 590, 430), (236, 206, 200))
    pen.oval((556, 390, 582, 414), (250, 232, 226))
    # telephone and cup at the right
    pen.shape(((632, 420), (662, 416), (676, 444), (644, 448)), (26, 26, 32))
    pen.shape(((637, 423), (660, 420), (670, 440), (647, 443)), (84, 150, 190))
    pen.box((676, 392, 708, 424), (230, 230, 236), 5)
    pen.oval((676, 386, 708, 400), (120, 74, 40))
    pen.oval((704, 398, 720, 416), (230, 230, 236))


def _draw_couch(pen: Canvas, spec: SceneSpec) -> None:
    pen.box((10, 300, 250, 470), (128, 58, 62), 22)
    for x in (70, 130, 190):
        pen.oval((x - 4, 360, x + 4, 368), (90, 36, 42))
    pen.box((4, 420, 258, 506), (146, 70, 72), 14)
    pen.box((0, 372, 36, 520), (120, 52, 58), 14)
    pen.box((228, 372, 266, 520), (120, 52, 58), 14)
    for x in (14, 240):
        pen.box((x, 518, x + 14, 566), (70, 48, 36))
    pen.box((30, 510, 238, 562), (40, 30, 26), line=0)
    # the weight with its ring, half in a towel
    pen.shape(((60, 530), (120, 518), (150, 560), (130, 580), (64, 576)), (226, 218, 206))
    pen.shape(((76, 548), (100, 544), (104, 562), (82, 568)), (150, 40, 40))
    pen.box((112, 522, 206, 576), (66, 68, 74), 8, 3)
    pen.box((134, 522, 150, 576), (250, 208, 40), line=2)
    pen.text((178, 549), spec.weight, 30, (246, 246, 240))
    pen.line(((206, 538), (222, 538), (222, 560), (206, 560)), (66, 68, 74), 6)


def _draw_floor_things(pen: Canvas) -> None:
    # the outline of the body
    tape = (242, 240, 230)
    outline = (
        (516, 586), (548, 572), (578, 580), (584, 602), (566, 616), (640, 626), (700, 604),
        (712, 620), (656, 648), (760, 652), (846, 640), (852, 658), (764, 672), (850, 690),
        (844, 706), (740, 690), (640, 682), (590, 690), (560, 704), (548, 690), (580, 664),
        (556, 634), (528, 624), (516, 586),
    )  # fmt: skip
    pen.line(outline, tape, 5)
    # the overturned chair
    wood = (172, 124, 76)
    pen.line(((396, 660), (312, 640)), wood, 10)
    pen.line(((380, 600), (296, 590)), wood, 10)
    pen.shape(((380, 592), (404, 590), (424, 676), (396, 680)), (150, 60, 60))
    pen.line(((404, 592), (498, 620)), wood, 10)
    pen.line(((422, 676), (506, 690)), wood, 10)
    pen.line(((498, 616), (508, 694)), wood, 8)
    pen.line(((456, 606), (466, 684)), wood, 7)


def _draw_markers(pen: Canvas) -> None:
    places = {"A": (610, 436), "B": (394, 424), "C": (226, 596), "D": (544, 96), "E": (340, 690),
              "F": (466, 274)}  # fmt: skip
    for letter, at in places.items():
        pen.marker(at, letter)


def _add_lamplight(image: Image.Image) -> Image.Image:
    glow = Image.new("L", image.size, 0)
    ImageDraw.Draw(glow).ellipse((180, -60, 800, 560), fill=80)
    glow = glow.filter(ImageFilter.GaussianBlur(110))
    return Image.composite(Image.new("RGB", image.size, (255, 232, 176)), image, glow)
