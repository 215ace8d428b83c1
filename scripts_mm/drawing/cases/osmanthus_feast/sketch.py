"""The constable's watercolour of the empty place: cup, plate, card, burner, a drop."""

import math
from dataclasses import dataclass
from random import Random

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from scripts_mm.drawing.primitives.canvas import SCALE, Canvas, scale_box, scale_size
from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.ink import blank_mask
from scripts_mm.drawing.primitives.paper import (
    Colour,
    Point,
    Size,
    add_vignette,
    adjust_levels,
    age_edges,
    make_noise,
    make_paper,
    shade_image,
)
from scripts_mm.drawing.primitives.vertical_text import print_column

_LINE = (74, 66, 70)
_GREEN = (24, 130, 84)
_CHINA = (250, 250, 252)
_BLUE = (70, 96, 160)


@dataclass(frozen=True, slots=True, kw_only=True)
class SketchSpec:
    """The words of the sheet; the card's ink has the green of the drop."""

    card: tuple[str, ...]
    caption: str
    notes: tuple[str, str]
    """Pencil notes next to the cup and next to the burner."""
    upright: bool = False
    size: Size = (1000, 820)


def draw_sketch(spec: SketchSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the sheet."""
    canvas = Image.new("RGB", scale_size(spec.size), (255, 255, 255))
    pen = _Wash(canvas, fonts)
    _draw_cloth(pen, rng)
    _draw_drop(pen, (532, 374))
    _draw_lotus(pen, (636, 312))
    _draw_burner(pen, (206, 300), rng)
    _draw_cup(pen, (404, 398))
    _draw_bowl(pen, (562, 596))
    pen.shape(((360, 84), (560, 84), (576, 228), (344, 228)), (252, 248, 236))
    drawn = canvas.resize(spec.size, Image.Resampling.LANCZOS)
    _draw_card(drawn, spec, fonts)
    drawn = shade_image(drawn, make_noise(spec.size, 40, rng), 0.05)
    sheet = ImageChops.multiply(make_paper(spec.size, (246, 240, 224), rng, 0.06), drawn)
    sheet = age_edges(sheet, (150, 128, 90), 0.4, rng)
    _write_notes(sheet, spec, fonts)
    return add_vignette(sheet, 0.10)


class _Wash(Canvas):
    """A canvas for washes of watercolour."""

    def __init__(self, image: Image.Image, fonts: Fonts) -> None:
        super().__init__(image, fonts, _LINE, 3)
        self._image = image

    def draw_wash(self, at: Point, reach: Point, fill: Colour, strength: int) -> None:
        """Draw a soft spot of colour."""
        mask = Image.new("L", self._image.size, 0)
        box = (at[0] - reach[0], at[1] - reach[1], at[0] + reach[0], at[1] + reach[1])
        ImageDraw.Draw(mask).ellipse(scale_box(box), fill=strength)
        self._image.paste(fill, (0, 0), mask.filter(ImageFilter.GaussianBlur(9 * SCALE)))


def _draw_cloth(pen: _Wash, rng: Random) -> None:
    for nth in range(12):
        x = 40 + nth * 84
        pen.line(((x, 40), (x + rng.uniform(-6, 6), 740)), (238, 238, 242), 2)
    for nth in range(9):
        y = 60 + nth * 82
        pen.line(((40, y), (960, y + rng.uniform(-5, 5))), (238, 238, 242), 2)
    pen.draw_wash((300, 640), (240, 60), (226, 224, 232), 90)
    pen.draw_wash((760, 520), (150, 70), (226, 224, 232), 90)
    pen.line(((26, 752), (974, 744)), (170, 164, 168), 3)


def _draw_drop(pen: _Wash, at: Point) -> None:
    """Draw the drop; the plate is drawn over its right half afterwards."""
    x, y = at
    pen.disc((x, y), (17, 15), (150, 206, 176), 0)
    pen.disc((x, y), (13, 11), _GREEN, 0)
    pen.disc((x - 3, y - 3), (5, 4), (44, 158, 108), 0)


def _draw_lotus(pen: _Wash, at: Point) -> None:
    x, y = at
    pen.draw_wash((x + 14, y + 34), (132, 84), (190, 186, 200), 150)
    pen.disc(at, (130, 88), _CHINA, 4)
    pen.disc(at, (112, 73), None, 2)
    for nth in range(28):
        turn = math.radians(nth * 360 / 28)
        spot = (x + 121 * math.cos(turn), y + 80 * math.sin(turn))
        pen.disc(spot, (4, 3), _BLUE, 0)
    for dx, dy in ((-54, 4), (-18, -14), (20, -18), (56, 0), (-30, 30), (8, 24), (42, 30)):
        _draw_slice(pen, (x + dx, y + dy))


def _draw_slice(pen: _Wash, at: Point) -> None:
    x, y = at
    pen.disc((x, y + 4), (29, 20), (170, 98, 60), 2)
    pen.disc(at, (29, 20), (216, 150, 98), 2)
    for nth in range(7):
        turn = math.radians(nth * 360 / 7)
        spot = (x + 16 * math.cos(turn), y + 11 * math.sin(turn))
        pen.disc(spot, (4.5, 3), (250, 240, 220), 1)


def _draw_cup(pen: _Wash, at: Point) -> None:
    """Draw the cup upright on its saucer, the wine level with its rim."""
    x, y = at
    pen.draw_wash((x + 12, y + 40), (84, 40), (180, 178, 194), 150)
    pen.disc((x, y + 30), (84, 44), _CHINA, 4)
    pen.disc((x, y + 28), (62, 31), None, 2)
    pen.shape(
        ((x - 56, y - 30), (x + 56, y - 30), (x + 44, y + 20), (x + 30, y + 38), (x - 30, y + 38),
         (x - 44, y + 20)), _CHINA,
    )  # fmt: skip
    pen.disc((x, y - 30), (56, 27), _CHINA, 4)
    pen.disc((x, y - 30), (52, 24.5), (226, 164, 58), 2)
    pen.disc((x - 16, y - 37), (16, 5), (246, 212, 134), 0)
    for dx, dy in ((14, -26), (22, -33), (4, -22)):
        pen.disc((x + dx, y + dy), (3.4, 2.2), (250, 226, 120), 1)
    pen.line(((x - 46, y + 2), (x + 46, y + 2)), _BLUE, 2)


def _draw_bowl(pen: _Wash, at: Point) -> None:
    """Draw the clean bowl, its spoon, and the chopsticks side by side on their rest."""
    x, y = at
    pen.draw_wash((x + 8, y + 44), (110, 40), (190, 186, 200), 140)
    pen.disc(at, (104, 62), _CHINA, 4)
    pen.disc((x, y + 2), (84, 47), (240, 242, 248), 2)
    pen.disc((x, y), (96, 56), None, 2)
    pen.line(((x - 20, y + 10), (x + 44, y - 22)), (232, 234, 244), 12)
    pen.disc((x - 22, y + 12), (20, 14), (232, 234, 244), 2)
    for shift in (0, 13):
        pen.line(((x + 156 + shift, y - 120), (x + 168 + shift, y + 110)), (92, 54, 40), 6)
    pen.shape(((x + 140, y - 76), (x + 188, y - 80), (x + 190, y - 64), (x + 142, y - 60)),
              (214, 222, 236))  # fmt: skip


def _draw_burner(pen: _Wash, at: Point, rng: Random) -> None:
    """Draw the burner: pale ash, dark and caked on the right, with a burnt stick."""
    x, y = at
    pen.draw_wash((x + 16, y + 66), (104, 36), (180, 176, 188), 150)
    pen.shape(
        ((x - 92, y), (x + 92, y), (x + 70, y + 62), (x + 40, y + 80), (x - 40, y + 80),
         (x - 70, y + 62)), (168, 126, 66),
    )  # fmt: skip
    pen.disc(at, (92, 46), (186, 144, 80), 4)
    pen.disc((x, y + 2), (80, 38), (220, 216, 208), 2)
    pen.shape(
        ((x + 8, y - 26), (x + 46, y - 24), (x + 72, y - 2), (x + 56, y + 24), (x + 20, y + 30),
         (x + 30, y + 6)), (112, 98, 88),
    )  # fmt: skip
    for _ in range(34):
        spot = (x + rng.uniform(16, 60), y + rng.uniform(-18, 20))
        pen.disc(spot, (rng.uniform(2, 5), rng.uniform(1.5, 3)), (86, 74, 66), 0)
    pen.line(((x - 26, y), (x - 22, y - 34)), (150, 60, 50), 4)
    pen.line(((x - 22, y - 34), (x - 21, y - 42)), (60, 54, 52), 4)


def _draw_card(sheet: Image.Image, spec: SketchSpec, fonts: Fonts) -> None:
    mask = blank_mask(sheet.size)
    if spec.upright:
        x = 460 + 34 * (len(spec.card) - 1) / 2
        for line in spec.card:
            size = min(34, 124 // len(line))
            print_column(mask, (x, 92), line, fonts.get("letter", size), size * 1.08)
            x -= 40
    else:
        draw = ImageDraw.Draw(mask)
        for nth, line in enumerate(spec.card):
            size = 34 if nth == 1 else 27
            draw.text((460, 112 + nth * 42), line, 255, fonts.get("letter", size), anchor="mm")
    sheet.paste(_GREEN, (0, 0), adjust_levels(mask, 0.95))


def _write_notes(sheet: Image.Image, spec: SketchSpec, fonts: Fonts) -> None:
    draw, grey = ImageDraw.Draw(sheet), (96, 94, 98)
    font = fonts.get("pencil", 25)
    draw.text((238, 520), spec.notes[0], grey, font, anchor="mm")
    draw.line((300, 500, 350, 452), fill=grey, width=2)
    draw.text((170, 190), spec.notes[1], grey, font, anchor="mm")
    draw.line((180, 208, 194, 244), fill=grey, width=2)
    draw.text((44, sheet.size[1] - 40), spec.caption, grey, fonts.get("pencil", 27), anchor="lm")
