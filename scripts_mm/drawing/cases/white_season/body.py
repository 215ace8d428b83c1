"""The photograph of the leader at flag 7: his clothing is the evidence."""

import math
from dataclasses import dataclass
from random import Random

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from scripts_mm.drawing.cases.white_season.photo_style import PRINT, draw_marker
from scripts_mm.drawing.primitives.canvas import SCALE, Canvas, scale_size
from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.paper import (
    Colour,
    Point,
    Size,
    add_vignette,
    adjust_levels,
    make_noise,
    shade_image,
)
from scripts_mm.drawing.primitives.photo_print import make_photo_print, photo_size

_EDGE: Colour = (44, 40, 48)
_RED: Colour = (168, 46, 40)
_DARK: Colour = (52, 56, 70)
_RIME: Colour = (236, 242, 248)
_MITT: Colour = (48, 58, 96)


@dataclass(frozen=True, slots=True, kw_only=True)
class BodySpec:
    """The words of the photograph."""

    caption: str
    flag: str
    left_mitt: str
    """Sign on the mitt on the dead man's left hand."""
    right_mitt: str
    badge: str
    size: Size = (1000, 780)


def draw_body(spec: BodySpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the photograph: seen from above, face down, the head to the upper right."""
    width, height = photo_size(spec.size, PRINT)
    image = _draw_snow(scale_size((width, height)), rng)
    pen = Canvas(image, fonts, _EDGE)
    _draw_line_and_flag(pen, spec)
    figure = Image.new("RGB", image.size, (0, 0, 0))
    _draw_figure(Canvas(figure, fonts, _EDGE))
    mask = figure.convert("L").point([0] * 4 + [255] * 252)
    figure = _cover_with_rime(figure, mask, rng)
    shadow = ImageChops.offset(mask, 14 * SCALE, 16 * SCALE).filter(
        ImageFilter.GaussianBlur(10 * SCALE)
    )
    dark = Image.new("RGB", image.size, (70, 84, 112))
    image = Image.composite(dark, image, adjust_levels(shadow, 0.7))
    image.paste(figure, (0, 0), mask)
    _draw_details(Canvas(image, fonts, _EDGE), spec)
    image = _add_drift(image, rng)
    small = image.resize((width, height), Image.Resampling.LANCZOS)
    small = shade_image(_add_lamplight(small), make_noise(small.size, 3, rng), 0.08)
    return make_photo_print(add_vignette(small, 0.62), spec.size, spec.caption, fonts, rng, PRINT)


def _draw_snow(size: Size, rng: Random) -> Image.Image:
    wide = (round(size[0] * 1.3), round(size[1] * 1.5))
    long = (max(2, wide[0] // 300), max(2, wide[1] // 22))
    ridges = Image.frombytes("L", long, rng.randbytes(long[0] * long[1]))
    ridges = ridges.resize(wide, Image.Resampling.BICUBIC).rotate(-11, Image.Resampling.BICUBIC)
    left, top = (wide[0] - size[0]) // 2, (wide[1] - size[1]) // 2
    ridges = ridges.crop((left, top, left + size[0], top + size[1]))
    snow = Image.new("RGB", size, (198, 210, 228))
    return shade_image(shade_image(snow, ridges, 0.3), make_noise(size, 220, rng), 0.16)


def _draw_line_and_flag(pen: Canvas, spec: BodySpec) -> None:
    rope: Colour = (206, 150, 60)
    pen.line(((0, 96), (120, 104), (236, 92)), rope, 7)
    pen.line(((236, 92), (258, 122), (282, 116)), rope, 7)
    for x, y in ((282, 116), (286, 111), (287, 119)):
        pen.line(((278, 117), (x + 4, y)), (240, 214, 150), 2)
    pen.line(((236, 196), (236, 20)), (96, 72, 50), 7)
    pen.shape(((238, 22), (330, 34), (316, 62), (330, 92), (238, 80)), (224, 108, 34))
    pen.text((276, 57), spec.flag, 32, (30, 24, 20))


def _draw_figure(pen: Canvas) -> None:
    """Draw trousers, boots, parka, mitts and hood."""
    for near, far in (((452, 404), (262, 560)), ((520, 448), (366, 626))):
        pen.line((near, far), _EDGE, 76)
        pen.line((near, far), _DARK, 72)
    for x, y in ((226, 588), (330, 654)):
        pen.shape(
            (
                (x - 8, y - 34),
                (x + 58, y - 12),
                (x + 38, y + 36),
                (x - 50, y + 22),
                (x - 58, y - 8),
            ),
            (44, 40, 40),
        )
        pen.line(((x - 50, y + 20), (x + 36, y + 34)), (120, 104, 80), 6)
    torso = ((610, 176), (690, 232), (700, 290), (556, 480), (520, 490), (420, 418), (424, 382))
    pen.shape((*torso, (560, 190)), _RED)
    pen.line(((648, 212), (488, 452)), (128, 32, 30), 3)
    pen.line(((464, 356), (576, 442)), (128, 32, 30), 5)
    # arms along the body, the left one above, the right one below
    for points in (((566, 196), (470, 262), (398, 340)), ((700, 274), (664, 396), (590, 486))):
        pen.line(points, _EDGE, 60)
        pen.line(points, _RED, 56)
    _draw_mitten(pen, (382.0, 372.0), 40.0, 1)
    _draw_mitten(pen, (572.0, 522.0), 40.0, -1)
    # folds of the parka
    for fold in (
        ((500, 250), (566, 300), (600, 372)),
        ((640, 250), (622, 330), (560, 400)),
        ((470, 276), (442, 292)),
        ((654, 372), (628, 380)),
        ((520, 420), (548, 440)),
    ):
        pen.line(fold, (120, 30, 28), 4)  # fmt: skip
    # the hood from behind, its edge of fur in front of the forehead
    pen.oval((664, 106, 758, 194), (134, 108, 78), 3)
    pen.oval((618, 118, 738, 240), (150, 40, 36), 3)
    pen.line(((640, 226), (690, 176), (724, 140)), (112, 30, 28), 3)


def _cover_with_rime(figure: Image.Image, mask: Image.Image, rng: Random) -> Image.Image:
    """Round the figure and cover it with rime in soft patches, thicker here and thinner there."""
    size = figure.size
    round_ = adjust_levels(mask.filter(ImageFilter.GaussianBlur(14 * SCALE)), 0.75, 70)
    figure = ImageChops.multiply(figure, Image.merge("RGB", (round_,) * 3))
    patches = Image.blend(make_noise(size, 150, rng), make_noise(size, 44, rng), 0.42)
    grain = adjust_levels(make_noise(size, 3, rng), 0.55, 130)
    rime = ImageChops.multiply(adjust_levels(patches, 3.0, -270), grain)
    rime = rime.filter(ImageFilter.GaussianBlur(0.7 * SCALE))
    return Image.composite(Image.new("RGB", size, _RIME), figure, rime)


def _draw_details(pen: Canvas, spec: BodySpec) -> None:
    for (x, y), sign in (((378, 378), spec.left_mitt), ((568, 528), spec.right_mitt)):
        pen.oval((x - 25, y - 25, x + 25, y + 25), (32, 40, 74), 2)
        pen.text((x, y), sign, 36, (244, 246, 250))
    # the badge on the left sleeve, without a grain of rime
    pen.shape(((466, 222), (520, 194), (552, 250), (498, 280)), (250, 250, 252), 3)
    pen.shape(((470, 226), (520, 200), (526, 212), (477, 238)), (30, 96, 170))
    pen.text((514, 246), spec.badge, 25, (20, 22, 30))
    for sign, at in (("1", (430, 176)), ("2", (290, 350)), ("3", (650, 590)), ("4", (330, 156))):
        draw_marker(pen, (float(at[0]), float(at[1])), sign)


def _draw_mitten(pen: Canvas, centre: Point, turn: float, side: int) -> None:
    """Draw a mitten whose fingers point down, turned clockwise; `side` 1: thumb at the left."""
    angle = math.radians(turn)

    def shape(points: tuple[Point, ...], fill: Colour) -> None:
        pen.shape(
            tuple(
                (
                    centre[0] + x * math.cos(angle) - y * math.sin(angle),
                    centre[1] + x * math.sin(angle) + y * math.cos(angle),
                )
                for x, y in points
            ),
            fill,
            3,
        )

    def oval(middle: Point, wide: float, tall: float, fill: Colour) -> None:
        turns = [math.tau * nth / 28 for nth in range(28)]
        shape(
            tuple((middle[0] + wide * math.cos(t), middle[1] + tall * math.sin(t)) for t in turns),
            fill,
        )

    oval((-34.0 * side, 2.0), 17.0, 30.0, _MITT)
    oval((0.0, 8.0), 36.0, 52.0, _MITT)
    shape(((-30.0, -62.0), (30.0, -62.0), (27.0, -34.0), (-27.0, -34.0)), (58, 64, 86))


def _add_drift(image: Image.Image, rng: Random) -> Image.Image:
    """Add a little snow over boots and ground, not over hands and sleeve."""
    size = image.size
    grain = adjust_levels(make_noise(size, 5, rng), 2.4, -430)
    where = Image.new("L", size, 0)
    draw = ImageDraw.Draw(where)
    draw.ellipse((100 * SCALE, 520 * SCALE, 420 * SCALE, 720 * SCALE), fill=255)
    draw.ellipse((720 * SCALE, 90 * SCALE, 960 * SCALE, 420 * SCALE), fill=160)
    where = where.filter(ImageFilter.GaussianBlur(40 * SCALE))
    mask = ImageChops.multiply(grain, where)
    return Image.composite(Image.new("RGB", size, _RIME), image, mask)


def _add_lamplight(image: Image.Image) -> Image.Image:
    """Add the warm light of a headlamp in the middle, and darken the rest."""
    glow = Image.new("L", image.size, 70)
    ImageDraw.Draw(glow).ellipse((120, -20, 800, 700), fill=255)
    glow = glow.filter(ImageFilter.GaussianBlur(120))
    night = ImageChops.multiply(image, Image.new("RGB", image.size, (62, 76, 112)))
    return Image.composite(image, night, glow)
