"""The group photograph: nine people on the slip, with what each wears around the neck."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from PIL import Image, ImageDraw

from scripts_mm.drawing.primitives.canvas import SCALE
from scripts_mm.drawing.primitives.figure import DrawnPerson, draw_figure
from scripts_mm.drawing.primitives.figure.figure_canvas import FigureCanvas
from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.ink import Handwriting, apply_ink, blank_mask, draw_handwriting
from scripts_mm.drawing.primitives.paper import (
    Colour,
    Point,
    Size,
    add_vignette,
    age_edges,
    make_noise,
    make_paper,
    shade_image,
)

_SIZE: Size = (1000, 900)
_PRINT: Size = (940, 700)
_FRONT_ROW = 0.965
"""Ground of the front row, as a share of the height."""
_GOLD = (214, 172, 60)
_STEEL = (222, 226, 232)
_YELLOW = (222, 186, 52)
_WHITE = (238, 236, 230)
_GREY_HAIR = (176, 174, 170)

Extra = Callable[[FigureCanvas], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class NinePeopleSpec:
    """The words below the photograph."""

    caption: str
    names: tuple[str, ...]
    """Names by number, one line per row."""


def draw_group(spec: NinePeopleSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the photograph with its caption."""
    large = Image.new("RGB", (_PRINT[0] * SCALE, _PRINT[1] * SCALE), (188, 202, 212))
    draw = ImageDraw.Draw(large)
    _draw_shore(draw, large.size, rng)
    for members, ground, tall in ((_BACK, 0.80, 0.66), (_FRONT, _FRONT_ROW, 0.66)):
        for number, x, person, extra in members:
            feet = (x * large.size[0], ground * large.size[1])
            height = tall * large.size[1]
            draw_figure(draw, feet, height, person)
            sits = person.posture == "sitting"
            brush = FigureCanvas(draw, feet, height * person.size / 8).shift_up(
                -1.75 if sits else 0
            )
            extra(brush)
            low = 0.45 * height if ground < _FRONT_ROW else 26
            _draw_number(draw, (feet[0], feet[1] - low), number, fonts)
    small = large.resize(_PRINT, Image.Resampling.LANCZOS)
    small = Image.blend(small, Image.new("RGB", _PRINT, (244, 232, 206)), 0.12)
    small = add_vignette(shade_image(small, make_noise(_PRINT, 3, rng), 0.06), 0.24)
    card = make_paper(_SIZE, (244, 240, 228), rng, 0.05)
    card.paste(small, (30, 30))
    mask = blank_mask(_SIZE)
    pen = Handwriting(sway=1.2, turn=0.7)
    draw_handwriting(mask, (40, 776), spec.caption, fonts.get("letter", 33), pen, rng)
    for nth, line in enumerate(spec.names):
        draw_handwriting(mask, (40, 820 + nth * 40), line, fonts.get("letter", 28), pen, rng)
    return age_edges(apply_ink(card, mask, (40, 44, 92), rng, wear=0.3), (130, 104, 66), 0.4, rng)


def _draw_number(draw: ImageDraw.ImageDraw, at: Point, number: str, fonts: Fonts) -> None:
    x, y = at
    draw.ellipse(
        (x - 25, y - 25, x + 25, y + 25), fill=(250, 248, 240), outline=(40, 36, 36), width=3
    )
    draw.text((x, y), number, (20, 20, 24), fonts.get("sans-bold", 34), anchor="mm")


def _draw_shore(draw: ImageDraw.ImageDraw, size: Size, rng: Random) -> None:
    width, height = size
    draw.rectangle((0, height * 0.34, width, height * 0.5), fill=(122, 152, 168))
    for _ in range(70):
        x, y = rng.uniform(0, width), rng.uniform(height * 0.35, height * 0.49)
        draw.line((x, y, x + rng.uniform(20, 90), y), fill=(158, 184, 196), width=3)
    rock = [(0, height * 0.40), (width * 0.08, height * 0.33), (width * 0.2, height * 0.34),
            (width * 0.28, height * 0.41)]  # fmt: skip
    draw.polygon(rock, fill=(104, 108, 96))
    draw.polygon([(width * 0.12, height * 0.335), (width * 0.13, height * 0.10),
                  (width * 0.155, height * 0.10), (width * 0.165, height * 0.335)],
                 fill=(232, 228, 220))  # fmt: skip
    draw.rectangle((width * 0.127, height * 0.055, width * 0.158, height * 0.10), fill=(92, 60, 54))
    draw.rectangle((0, height * 0.47, width, height), fill=(146, 138, 124))
    for nth in range(9):
        y = height * (0.5 + nth * 0.058)
        draw.line((0, y, width, y + 14), fill=(128, 120, 108), width=4)
    for x in (0.86, 0.93):
        left = width * x
        draw.polygon([(left - 150, height * 0.36), (left + 150, height * 0.34),
                      (left + 110, height * 0.50), (left - 110, height * 0.50)],
                     fill=(62, 96, 120), outline=(40, 50, 60))  # fmt: skip


def _draw_chain(brush: FigureCanvas, colour: Colour, low: float) -> None:
    brush.line(((-0.34, 6.5), (0, low), (0.34, 6.5)), colour, 0.05)


def _draw_key(brush: FigureCanvas) -> None:
    _draw_chain(brush, _STEEL, 5.75)
    brush.oval((0, 5.56), 0.19, 0.19, _STEEL)
    brush.oval((0, 5.56), 0.08, 0.08, (66, 92, 88))
    brush.line(((0, 5.38), (0, 4.84)), _STEEL, 0.11)
    for y in (5.02, 4.86):
        brush.line(((0, y), (0.2, y)), _STEEL, 0.09)


def _draw_cross(brush: FigureCanvas) -> None:
    _draw_chain(brush, _GOLD, 5.8)
    brush.line(((0, 5.78), (0, 5.1)), _GOLD, 0.12)
    brush.line(((-0.22, 5.56), (0.22, 5.56)), _GOLD, 0.12)
    brush.shape(((-0.62, 4.9), (0.62, 4.9), (0.7, 3.2), (-0.7, 3.2)), _WHITE)


def _draw_pearls(brush: FigureCanvas) -> None:
    for nth in range(9):
        x = -0.36 + nth * 0.09
        brush.oval((x, 6.1 + (x / 0.36) ** 2 * 0.36), 0.075, 0.075, (250, 246, 236))


def _draw_glass(brush: FigureCanvas) -> None:
    _draw_chain(brush, (60, 50, 46), 5.5)
    brush.oval((0, 5.26), 0.26, 0.26, (60, 50, 46))
    brush.oval((0, 5.26), 0.19, 0.19, (206, 226, 234))


def _draw_beard(brush: FigureCanvas) -> None:
    edge = ((-0.5, 7.34), (-0.44, 6.9), (-0.2, 6.5), (0.2, 6.5), (0.44, 6.9), (0.5, 7.34))
    inner = ((0.34, 7.12), (0.16, 7.16), (0, 7.1), (-0.16, 7.16), (-0.34, 7.12))
    brush.shape((*edge, *inner), _GREY_HAIR)
    brush.line(((-0.13, 6.98), (0.13, 6.98)), (150, 84, 76), 0.06)


def _draw_whistle(brush: FigureCanvas) -> None:
    _draw_beard(brush)
    _draw_chain(brush, (70, 60, 50), 5.7)
    brush.line(((-0.05, 5.62), (0.22, 5.5)), _GOLD, 0.16)


def _draw_knit_hat(brush: FigureCanvas) -> None:
    """Draw the striped hat with its bobble."""
    for nth, colour in enumerate(((190, 44, 40), _WHITE, (190, 44, 40), _WHITE)):
        low = 7.55 + nth * 0.17
        wide = 0.58 - nth * 0.09
        brush.shape(((-wide, low), (wide, low), (wide - 0.08, low + 0.18),
                     (-wide + 0.08, low + 0.18)), colour)  # fmt: skip
    brush.oval((0, 8.36), 0.18, 0.18, (190, 44, 40))


def _draw_bands(brush: FigureCanvas) -> None:
    for y in (5.5, 4.7):
        brush.line(((-0.8, y), (0.8, y)), (226, 230, 226), 0.16)


_BACK: tuple[tuple[str, float, DrawnPerson, Extra], ...] = (
    ("1", 0.20, DrawnPerson(coat=(44, 56, 84), hat="flat", hat_colour=(52, 50, 52),
                       hair_colour=_GREY_HAIR), _draw_whistle),
    ("2", 0.40, DrawnPerson(coat=(86, 106, 92), hair="none", coat_length=0.3), _draw_knit_hat),
    ("3", 0.60, DrawnPerson(coat=(92, 62, 44), hair_colour=(226, 224, 220), buttons=4,
                       coat_length=0.45), _draw_beard),
    ("4", 0.80, DrawnPerson(coat=_YELLOW, hair_colour=(150, 96, 52), coat_length=0.5,
                       size=1.04), _draw_bands),
)  # fmt: skip
_FRONT: tuple[tuple[str, float, DrawnPerson, Extra], ...] = (
    ("5", 0.10, DrawnPerson(coat=(104, 44, 60), posture="sitting", hair="bun",
                       hair_colour=(112, 104, 100)), _draw_glass),
    ("6", 0.30, DrawnPerson(coat=(74, 70, 116), posture="sitting", hair="braid",
                       hair_colour=(170, 110, 60)), _draw_pearls),
    ("7", 0.50, DrawnPerson(coat=_YELLOW, posture="sitting", hair_colour=_GREY_HAIR), _draw_bands),
    ("8", 0.70, DrawnPerson(coat=(122, 74, 64), posture="sitting", hat="scarf",
                       hat_colour=(64, 104, 150)), _draw_cross),
    ("9", 0.90, DrawnPerson(coat=(66, 92, 88), posture="sitting", hair_colour=(34, 30, 32)),
        _draw_key),
)  # fmt: skip
