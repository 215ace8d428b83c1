"""A tinted photograph of the wall in Shed Lane: four gas pipes of bamboo and their taps."""

from dataclasses import dataclass
from random import Random

from PIL import Image

from scripts_mm.drawing.primitives.canvas import Canvas, TextStyle, scale_size
from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.paper import (
    Colour,
    Size,
    add_vignette,
    make_noise,
    shade_image,
)
from scripts_mm.drawing.primitives.photo_print import PrintStyle, make_photo_print, photo_size

_PRINT = PrintStyle(
    colour=(234, 224, 204), hand="letter", text_size=28, ink=(74, 56, 40), border=26
)
_EDGE = (52, 42, 32)
_CLAY = (178, 160, 132)
_LATH = (148, 130, 100)
_CULM = (160, 142, 104)
_CULM_LIGHT = (196, 180, 140)
_NODE = (104, 90, 62)
_PEG = (96, 76, 54)
_PEG_LIGHT = (138, 114, 84)
_WAX = (190, 38, 32)
_TAG = (240, 234, 218)
_MAIN_Y = 604
_TAP_Y = 380
_FIRST_X, _PITCH = 150, 218


@dataclass(frozen=True, slots=True, kw_only=True)
class TapWallSpec:
    """The photograph: the numbers on the pipes, and which tap is open and has wax on it."""

    tags: tuple[str, ...]
    opened: int
    caption: str
    note: str
    size: Size = (1000, 800)


def draw_tap_wall(spec: TapWallSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the photograph."""
    size = photo_size(spec.size, _PRINT)
    large = Image.new("RGB", scale_size(size), _CLAY)
    pen = Canvas(large, fonts, _EDGE, 3)
    _draw_wall(pen, size, rng)
    _draw_main(pen, size)
    for nth, tag in enumerate(spec.tags):
        _draw_pipe(pen, _FIRST_X + nth * _PITCH, tag)
        _draw_tap(pen, _FIRST_X + nth * _PITCH, along=nth == spec.opened)
    _draw_wax(pen, _FIRST_X + spec.opened * _PITCH)
    note = TextStyle(size=25, hand="letter", fill=(60, 46, 34), ground=_TAG)
    pen.write((size[0] / 2, size[1] - 36), spec.note, note)
    small = large.resize(size, Image.Resampling.LANCZOS)
    small = shade_image(small, make_noise(size, 40, rng), 0.16)
    small = add_vignette(shade_image(small, make_noise(size, 2, rng), 0.07), 0.4)
    return make_photo_print(small, spec.size, spec.caption, fonts, rng, _PRINT)


def _draw_wall(pen: Canvas, size: Size, rng: Random) -> None:
    """Draw the clay, the laths where it has fallen off, and the stones of the lane."""
    for left, top, wide, tall in ((20, 60, 96, 130), (470, 250, 110, 96), (880, 90, 80, 180)):
        pen.box((left, top, left + wide, top + tall), (120, 106, 82), 14, line=0)
        for nth in range(tall // 18):
            y = top + 8 + nth * 18
            pen.line(((left + 4, y), (left + wide - 4, y + rng.uniform(-3, 3))), _LATH, 9)
    for _ in range(70):
        x, y = rng.uniform(0, size[0]), rng.uniform(0, 640)
        end = (x + rng.uniform(-22, 22), y + rng.uniform(-12, 12))
        pen.line(((x, y), end), (158, 140, 112), rng.choice((1, 2)))
    pen.box((0, 652, size[0], size[1]), (112, 102, 88), line=0)
    for nth in range(9):
        x = nth * 118 - 20
        pen.box((x, 662, x + 106, 726), (134, 124, 108), 16, line=2)


def _draw_main(pen: Canvas, size: Size) -> None:
    """Draw the main along the foot of the wall."""
    pen.box((-10, _MAIN_Y - 24, size[0] + 10, _MAIN_Y + 24), _CULM)
    pen.line(((0, _MAIN_Y - 11), (size[0], _MAIN_Y - 11)), _CULM_LIGHT, 8)
    for x in range(60, size[0], 150):
        pen.box((x, _MAIN_Y - 27, x + 9, _MAIN_Y + 27), _NODE, 3, line=1)


def _draw_pipe(pen: Canvas, x: float, tag: str) -> None:
    """Draw a pipe from the main up into the wall, with its paper number."""
    pen.disc((x, 160), (34, 26), (44, 36, 28), 0)
    pen.box((x - 18, 160, x + 18, _MAIN_Y - 20), _CULM)
    pen.line(((x - 7, 170), (x - 7, _MAIN_Y - 30)), _CULM_LIGHT, 6)
    for y in (236, 316, 470, 548):
        pen.box((x - 21, y, x + 21, y + 8), _NODE, 3, line=1)
    pen.box((x - 24, _MAIN_Y - 34, x + 24, _MAIN_Y - 16), _NODE, 4)
    pen.box((x - 29, 70, x + 29, 124), _TAG, 2, line=2)
    pen.write((x, 97), tag, TextStyle(size=36, hand="bold", fill=(40, 34, 28)))


def _draw_tap(pen: Canvas, x: float, *, along: bool) -> None:
    """Draw a tap: a peg through the pipe, its handle across it or along it."""
    shade: Colour = (120, 104, 76)
    pen.disc((x, _TAP_Y), 33, shade)
    box = (
        (x - 15, _TAP_Y - 84, x + 15, _TAP_Y + 84)
        if along
        else (x - 84, _TAP_Y - 15, x + 84, _TAP_Y + 15)
    )
    pen.box(box, _PEG, 9, line=4)
    light = (
        ((x - 6, _TAP_Y - 72), (x - 6, _TAP_Y + 72))
        if along
        else ((x - 72, _TAP_Y - 6), (x + 72, _TAP_Y - 6))
    )
    pen.line(light, _PEG_LIGHT, 5)
    pen.disc((x, _TAP_Y), 10, (64, 50, 36))


def _draw_wax(pen: Canvas, x: float) -> None:
    """Draw the wax on the end of the open tap, with the scratches of a fingernail."""
    y = _TAP_Y - 74
    lumps = ((0, 0, 17), (7, 9, 13), (-7, 7, 12), (4, 20, 9), (3, 30, 6), (-9, -6, 9))
    for dx, dy, reach in lumps:
        pen.disc((x + dx, y + dy), reach + 1.5, (116, 20, 18), 0)
    for dx, dy, reach in lumps:
        pen.disc((x + dx, y + dy), reach, _WAX, 0)
    pen.disc((x - 4, y - 6), (6, 3), (234, 120, 106), 0)
    for shift in (0, 6, 12):
        pen.line(((x - 10 + shift, y + 3), (x - 4 + shift, y + 14)), _PEG_LIGHT, 2)
