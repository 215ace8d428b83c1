"""The flat bottle of narcotic, with a pencil mark above its liquid."""

from dataclasses import dataclass
from random import Random

from PIL import Image

from scripts_mm.drawing.primitives.canvas import Canvas, TextStyle, scale_size
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
    colour=(236, 238, 240), border=18, foot=62, at=(26, 32), hand="pencil", text_size=26
)
_SIZE: Size = (720, 880)
_TILE: Colour = (206, 214, 206)
_GLASS: Colour = (186, 206, 204)
_MILK: Colour = (240, 242, 236)
_EDGE: Colour = (70, 84, 84)
_MARK = 330
_LEVEL = 392


@dataclass(frozen=True, slots=True, kw_only=True)
class VialSpec:
    """The label, the remark at the pencil mark, and the caption."""

    label: tuple[str, str, str]
    mark: str
    caption: str


def draw_vial(spec: VialSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the photograph."""
    view = photo_size(_SIZE, _PRINT)
    image = Image.new("RGB", scale_size(view), _TILE)
    canvas = Canvas(image, fonts, _EDGE)
    _draw_wall(canvas, rng)
    _draw_glass(canvas)
    _draw_label(canvas, spec)
    small = finish_photo(image, view, rng, (4, 0.10), (150, 0.14), 0.35)
    return make_photo_print(small, _SIZE, spec.caption, fonts, rng, _PRINT)


def _draw_wall(canvas: Canvas, rng: Random) -> None:
    for row in range(7):
        for column in range(7):
            tone = round(rng.uniform(-7, 7))
            fill = (_TILE[0] + tone, _TILE[1] + tone, _TILE[2] + tone)
            box = (column * 104 - 10, row * 104 - 10, column * 104 + 92, row * 104 + 92)
            canvas.box(box, fill, 3, 1, (168, 176, 170))
    canvas.box((-10, 640, 720, 820), (128, 96, 66), 0, 0)
    canvas.line(((-10, 640), (720, 640)), (84, 62, 44), 4)
    for nth in range(5):
        canvas.line(((0, 668 + nth * 26), (700, 664 + nth * 28)), (112, 84, 58), 2)


def _draw_glass(canvas: Canvas) -> None:
    """Draw the bottle, its liquid, and the cork next to it."""
    canvas.disc((350, 706), (190, 22), (86, 62, 44), 0)
    canvas.box((300, 92, 380, 214), _GLASS, 12, 3)
    canvas.box((288, 84, 392, 116), _GLASS, 8, 3)
    canvas.box((206, 190, 474, 708), _GLASS, 46, 3)
    canvas.box((214, _LEVEL, 466, 700), _MILK, 38, 0)
    canvas.box((214, _LEVEL, 466, _LEVEL + 60), _MILK, 0, 0)
    canvas.disc((340, _LEVEL), (126, 8), (252, 252, 248), 2, (196, 204, 200))
    canvas.box((222, 236, 234, 640), (226, 236, 234), 6, 0)
    canvas.box((306, 126, 314, 200), (226, 236, 234), 4, 0)
    canvas.shape(((540, 662), (600, 654), (610, 700), (546, 708)), (190, 150, 96))
    canvas.disc((605, 677), (9, 23), (206, 170, 118))


def _draw_label(canvas: Canvas, spec: VialSpec) -> None:
    canvas.box((224, 470, 456, 650), (246, 238, 208), 4, 2, (120, 60, 50))
    canvas.box((224, 470, 456, 484), (168, 40, 38), 2, 0)
    canvas.write((340, 530), spec.label[0], TextStyle(size=42, hand="bold", fill=(40, 30, 30)))
    canvas.write((340, 580), spec.label[1], TextStyle(size=20, hand="print", fill=(60, 40, 40)))
    canvas.write((340, 616), spec.label[2], TextStyle(size=17, hand="print", fill=(60, 40, 40)))
    canvas.box((352, _MARK - 24, 664, _MARK + 22), (238, 230, 196), 2, 1, (180, 168, 130))
    canvas.line(((206, _MARK), (366, _MARK)), (46, 46, 52), 3)
    canvas.write((516, _MARK), spec.mark, TextStyle(size=27, hand="pencil", fill=(46, 46, 52)))
