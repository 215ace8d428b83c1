"""What came up from the well, laid out on a bamboo mat: drill, rope and bamboo."""

from dataclasses import dataclass
from random import Random

from PIL import Image

from scripts_mm.drawing.primitives.canvas import Canvas, TextStyle, scale_size
from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.paper import (
    Point,
    Size,
    add_vignette,
    make_noise,
    shade_image,
)
from scripts_mm.drawing.primitives.photo_print import PrintStyle, make_photo_print, photo_size

_PRINT = PrintStyle(colour=(228, 226, 218), hand="letter", text_size=28, border=22)
_MAT = (196, 174, 116)
_MAT_DARK = (164, 140, 86)
_IRON = (78, 70, 66)
_IRON_LIGHT = (120, 108, 100)
_RUST = (132, 76, 44)
_SALT = (242, 242, 238)
_ROPE = (122, 90, 54)
_ROPE_DARK = (76, 54, 32)
_CUT = (220, 196, 150)
_CULM = (176, 160, 98)
_WAX = (96, 34, 30)
_BLOCK = 36
"""Side of a block of the weave."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CatchSpec:
    """The words of the photograph: letters, names and caption."""

    signs: tuple[str, str, str]
    names: tuple[str, str, str]
    caption: str
    size: Size = (1000, 780)


def draw_catch(spec: CatchSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the photograph."""
    size = photo_size(spec.size, _PRINT)
    large = Image.new("RGB", scale_size(size), _MAT)
    pen = Canvas(large, fonts, (44, 36, 28), 3)
    _draw_mat(pen, size)
    _draw_drill(pen, rng)
    _draw_rope(pen, rng)
    _draw_bamboo(pen)
    for nth, at in enumerate(((78, 96), (78, 306), (222, 520))):
        pen.marker(at, spec.signs[nth])
        words = TextStyle(size=27, hand="bold", fill=(40, 32, 26), anchor="lm", ground=_CUT)
        pen.write((at[0] + 34, at[1]), spec.names[nth], words)
    small = large.resize(size, Image.Resampling.LANCZOS)
    small = add_vignette(shade_image(small, make_noise(size, 2, rng), 0.08), 0.3)
    return make_photo_print(small, spec.size, spec.caption, fonts, rng, _PRINT)


def _draw_mat(pen: Canvas, size: Size) -> None:
    """Draw the weave: blocks of four splits of bamboo, in turn across and upright."""
    pen.box((0, 0, *size), _MAT_DARK, line=0)
    for row in range(size[1] // _BLOCK + 1):
        for column in range(size[0] // _BLOCK + 1):
            x, y = column * _BLOCK, row * _BLOCK
            shade = _MAT if (row + column) % 2 else (186, 164, 108)
            for nth in range(4):
                near, far = 1 + nth * _BLOCK / 4, (nth + 1) * _BLOCK / 4 - 1
                across = (x + 1, y + near, x + _BLOCK - 1, y + far)
                upright = (x + near, y + 1, x + far, y + _BLOCK - 1)
                pen.box(across if (row + column) % 2 else upright, shade, 2, line=0)


def _draw_drill(pen: Canvas, rng: Random) -> None:
    """Draw the drill: a long bar of iron with a blade as broad as a spade."""
    pen.box((300, 168, 900, 204), _IRON, 8, line=4)
    pen.line(((306, 177), (894, 177)), _IRON_LIGHT, 6)
    blade: tuple[Point, ...] = ((300, 166), (300, 206), (196, 238), (118, 232), (104, 186),
                                (118, 140), (196, 134))  # fmt: skip
    pen.shape(blade, _IRON, 4)
    pen.line(((122, 150), (122, 222)), _IRON_LIGHT, 5)
    pen.disc((918, 186), (30, 26), None, 9, _IRON)
    for _ in range(26):
        pen.disc((rng.uniform(130, 880), rng.uniform(160, 212)), rng.uniform(4, 9), _RUST, 0)
    for _ in range(190):
        x = rng.uniform(104, 900)
        y = rng.uniform(140, 236) if x < 280 else rng.uniform(164, 208)  # noqa: PLR2004 - blade
        pen.disc((x, y), rng.uniform(1.5, 5), _SALT, 0)


def _draw_rope(pen: Canvas, rng: Random) -> None:
    """Draw the rope with its end: two shallow cuts, and the one that went through."""
    top, low = 372, 448
    pen.box((60, top, 800, low), _ROPE, 12, line=4)
    for nth in range(24):
        x = 60 + nth * 30
        pen.line(((x, low - 3), (x + 40, top + 3)), _ROPE_DARK, 5)
    for x in (610, 700):
        pen.shape(((x, top - 4), (x + 30, top - 4), (x - 2, top + 34)), _CUT, 3)
        pen.line(((x + 26, top - 2), (x - 2, top + 34)), _ROPE_DARK, 4)
    pen.shape(((786, top - 4), (846, top - 4), (846, low + 4), (752, low + 4)), _MAT, 0)
    pen.shape(((786, top), (806, top + 6), (772, low - 2), (752, low)), _CUT, 4)
    for _ in range(26):
        y = rng.uniform(top + 4, low - 4)
        x = 790 - (y - top) * 0.45
        pen.line(((x, y), (x + rng.uniform(14, 44), y + rng.uniform(-9, 9))), _ROPE_DARK, 2)


def _draw_bamboo(pen: Canvas) -> None:
    """Draw the joint of bamboo: its seal is open, a ring of iron weighs it down."""
    pen.box((300, 560, 650, 630), _CULM, 16, line=4)
    pen.line(((312, 576), (640, 576)), (208, 196, 140), 9)
    pen.box((462, 554, 480, 636), (128, 112, 62), 4, line=2)
    pen.box((560, 550, 598, 640), _RUST, 6, line=4)
    pen.line(((568, 556), (568, 634)), (176, 112, 70), 5)
    pen.disc((302, 595), (20, 36), _WAX, 4)
    pen.disc((302, 595), (11, 24), (30, 22, 18), 0)
    for at in ((246, 622), (262, 642), (230, 640)):
        pen.disc(at, (11, 6), _WAX, 2)
