"""The painted board at the halt: the town, its ways and their minutes."""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from PIL import Image

from scripts_mm.drawing.primitives.canvas import Canvas, TextStyle, scale_size
from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.paper import (
    Colour,
    Point,
    Size,
)
from scripts_mm.drawing.primitives.photo_print import finish_photo

_VIEW: Size = (1040, 900)
_GREEN: Colour = (34, 66, 52)
_CREAM: Colour = (236, 228, 200)
_WATER: Colour = (98, 140, 158)
_HILL: Colour = (46, 82, 62)
_RING: Colour = (228, 184, 60)
_BRICK: Colour = (168, 84, 62)
_SHADE: Colour = (18, 38, 30)
_HOME: Point = (470, 430)
_PLACES: Mapping[str, tuple[Point, Point, Point]] = {
    "row": ((170, 190), (0, -46), (292, 286)),
    "ridge": ((760, 786), (0, 46), (652, 652)),
    "tower": ((904, 566), (0, 62), (812, 540)),
    "school": ((930, 356), (-16, 48), (802, 374)),
    "halt": ((860, 190), (0, -52), (690, 296)),
    "box": ((300, 500), (-96, 6), (372, 474)),
    "shop": ((600, 300), (4, -52), (536, 362)),
}
"""Place, offset of its name, and place of its minutes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardSpec:
    """The words of the board, and the minutes of each way."""

    words: Mapping[str, str]
    signs: Mapping[str, str]


def draw_board(spec: BoardSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the board."""
    image = Image.new("RGB", scale_size(_VIEW), (120, 116, 108))
    canvas = Canvas(image, fonts, _SHADE)
    canvas.box((14, 14, 1026, 886), _GREEN, 10, 4)
    canvas.box((30, 30, 1010, 870), None, 6, 3, _CREAM)
    _draw_ground(canvas)
    _draw_ways(canvas)
    _draw_houses(canvas)
    _write_words(canvas, spec)
    for at in ((44, 44), (996, 44), (44, 856), (996, 856)):
        canvas.disc(at, 9, (150, 150, 146))
        canvas.line(((at[0] - 6, at[1] - 3), (at[0] + 6, at[1] + 3)), _SHADE, 2)
    return finish_photo(image, _VIEW, rng, (5, 0.10), (170, 0.16), 0.2)


def _draw_ground(canvas: Canvas) -> None:
    """Draw the hills, the river and the railway."""
    for at, reach in (((150, 170), (120, 74)), ((770, 800), (190, 62)), ((910, 580), (96, 60))):
        canvas.disc(at, reach, _HILL, 0)
    north = ((33, 560), (220, 520), (400, 520), (560, 500), (740, 480), (1007, 470))
    south = ((1007, 508), (740, 520), (560, 542), (400, 560), (220, 562), (33, 604))
    canvas.shape((*north, *south), _WATER, 0)
    canvas.dashes(((560, 96), (860, 150), (1004, 172)), _CREAM, 7, 16, 0.5)
    canvas.line(((560, 96), (860, 150), (1004, 172)), _CREAM, 1.5)


def _draw_ways(canvas: Canvas) -> None:
    for at, _, minutes in _PLACES.values():
        canvas.line((at, minutes, _HOME), _CREAM, 4)
    for nth in range(5):
        x, y = 226 + nth * 52, 206 + nth * 44
        canvas.box((x - 3, y + 4, x + 3, y + 20), (92, 66, 46), 0, 0)
        canvas.disc((x, y - 6), (17, 20), (112, 146, 74), 2)


def _draw_houses(canvas: Canvas) -> None:
    """Draw every place with its own shape."""
    x, y = _HOME
    canvas.box((x - 34, y - 46, x + 34, y + 22), _BRICK)
    canvas.shape(((x - 40, y - 46), (x, y - 78), (x + 40, y - 46)), (112, 52, 42))
    canvas.box((x - 9, y - 42, x + 9, y - 20), _SHADE)
    for key in ("row", "ridge", "school", "halt", "shop"):
        at = _PLACES[key][0]
        canvas.box((at[0] - 20, at[1] - 10, at[0] + 20, at[1] + 16), _CREAM)
        roof = ((at[0] - 26, at[1] - 10), (at[0], at[1] - 30), (at[0] + 26, at[1] - 10))
        canvas.shape(roof, _BRICK)
    tower = _PLACES["tower"][0]
    for side in (-14, 14):
        canvas.line(((tower[0] + side, tower[1] + 26), (tower[0] + side / 2, tower[1] - 20)),
                    _CREAM, 4)  # fmt: skip
    canvas.box((tower[0] - 24, tower[1] - 50, tower[0] + 24, tower[1] - 16), _CREAM, 6)
    box = _PLACES["box"][0]
    canvas.box((box[0] - 10, box[1] - 22, box[0] + 10, box[1] + 10), (176, 44, 40), 2)
    canvas.box((box[0] - 6, box[1] - 16, box[0] + 6, box[1] - 2), (220, 230, 232), 0, 1)
    for shift in (0, 26):
        canvas.arc((236 + shift, 510, 266 + shift, 566), (180, 360), _CREAM, 4)
    canvas.line(((230, 512), (298, 512)), _CREAM, 5)
    canvas.box((470, 600, 580, 676), _BRICK)
    for nth in range(4):
        canvas.box((482 + nth * 25, 616, 496 + nth * 25, 640), _SHADE)
    canvas.shape(((690, 546), (694, 410), (716, 410), (720, 546)), _BRICK)


def _write_words(canvas: Canvas, spec: BoardSpec) -> None:
    words = spec.words
    canvas.write((240, 72), words["title"], TextStyle(size=46, hand="bold", fill=_CREAM))
    small = TextStyle(size=21, hand="sans-bold", fill=_CREAM, ground=_GREEN)
    canvas.write((330, 842), words["legend"], small)
    for key, (at, shift, minutes) in _PLACES.items():
        canvas.write((at[0] + shift[0], at[1] + shift[1]), words[key], small)
        canvas.disc(minutes, 21, _RING)
        canvas.text(minutes, spec.signs[key], 24)
    canvas.write((_HOME[0] - 150, _HOME[1] - 40), words["woolstore"], small)
    canvas.write((525, 700), words["mill"], small)
    canvas.write((770, 440), words["chimney"], small)
    canvas.write((358, 238), words["limes"], small)
    canvas.write((110, 570), words["river"], TextStyle(size=24, hand="letter", fill=_SHADE))
