"""The board of shifts: bamboo tags with nicknames on a wooden board, one struck out in chalk."""

from dataclasses import dataclass
from random import Random

from PIL import Image, ImageDraw

from scripts_mm.drawing.primitives.canvas import SCALE, Canvas, TextStyle, scale_size
from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.paper import (
    Point,
    Size,
    add_vignette,
    make_noise,
    make_wood,
    shade_image,
)

_WOOD = (88, 62, 42)
_RULE = (38, 26, 18)
_PAINT = (226, 210, 170)
_TAG = (204, 178, 114)
_TAG_EDGE = (98, 74, 38)
_LETTERS = (36, 26, 20)
_CHALK = (240, 240, 234)
_NAIL = (30, 26, 26)


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardCell:
    """A square of the board: the tags that hang in it."""

    at: Point
    """Middle of the first tag's upper edge."""
    tags: tuple[str, ...]
    struck: int = -1
    """The tag that is struck out in chalk."""
    chalk: str = ""
    """A word in chalk between the tags."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShiftBoardSpec:
    """The board. `heads` are the posts and shifts, each with its place."""

    title: str
    heads: tuple[tuple[str, float, float], ...]
    cells: tuple[BoardCell, ...]
    rules: tuple[tuple[float, float, float, float], ...]
    tag_size: tuple[float, float]
    """Width and height of a tag."""
    pitch: float
    """Distance between two tags of a square."""
    head_size: int = 30
    text_size: int = 27
    upright: bool = False
    size: Size = (1000, 780)


def draw_shift_board(spec: ShiftBoardSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the board."""
    large = make_wood(scale_size(spec.size), _WOOD, rng)
    pen = Canvas(large, fonts, _RULE, 3)
    _draw_planks(pen, spec, rng)
    for rule in spec.rules:
        pen.line(((rule[0], rule[1]), (rule[2], rule[3])), _RULE, 5)
    pen.write((spec.size[0] / 2, 62), spec.title, TextStyle(size=44, hand="bold", fill=_PAINT))
    for head, x, y in spec.heads:
        pen.write((x, y), head, TextStyle(size=spec.head_size, hand="bold", fill=_PAINT))
    for cell in spec.cells:
        _hang_tags(pen, cell, spec, rng)
    small = large.resize(spec.size, Image.Resampling.LANCZOS)
    _chalk_cells(small, spec, fonts, rng)
    small = shade_image(small, make_noise(spec.size, 24, rng), 0.22)
    return add_vignette(shade_image(small, make_noise(spec.size, 3, rng), 0.1), 0.3)


def _draw_planks(pen: Canvas, spec: ShiftBoardSpec, rng: Random) -> None:
    """Draw the joints of the planks, cobweb and the frame."""
    width, height = spec.size
    for y in (height * 0.34, height * 0.67):
        pen.line(((0, y), (width, y + rng.uniform(-3, 3))), (52, 36, 24), 3)
    pen.box((12, 12, width - 12, height - 12), None, 6, line=9)
    for nth in range(5):
        pen.line(((14, 40 + nth * 24), (40 + nth * 24, 14)), (128, 112, 92), 1)


def _hang_tags(pen: Canvas, cell: BoardCell, spec: ShiftBoardSpec, rng: Random) -> None:
    wide, tall = spec.tag_size
    for nth, tag in enumerate(cell.tags):
        x = cell.at[0] + (nth * spec.pitch if spec.upright else 0)
        y = cell.at[1] + (0 if spec.upright else nth * spec.pitch)
        x += rng.uniform(-2, 2)
        pen.box((x - wide / 2 + 4, y + 5, x + wide / 2 + 4, y + tall + 5), (40, 28, 18), 6, line=0)
        pen.box((x - wide / 2, y, x + wide / 2, y + tall), _TAG, 6, edge=_TAG_EDGE)
        pen.disc((x, y + 11), 5, _NAIL, 0)
        text = "\n".join(tag) if spec.upright else tag
        hand = "letter" if spec.upright else "print"
        words = TextStyle(size=spec.text_size, hand=hand, fill=_LETTERS, leading=1.12)
        pen.write((x, y + tall / 2 + 8), text, words)


def _chalk_cells(image: Image.Image, spec: ShiftBoardSpec, fonts: Fonts, rng: Random) -> None:
    """Draw what was done in chalk: the stroke, and the word next to it."""
    wide, tall = spec.tag_size
    chalk = Image.new("L", image.size, 0)
    draw = ImageDraw.Draw(chalk)
    for cell in (one for one in spec.cells if one.struck >= 0):
        shift = cell.struck * spec.pitch
        x = cell.at[0] + (shift if spec.upright else 0)
        y = cell.at[1] + (0 if spec.upright else shift)
        ends = (x - wide * 0.56, y + tall + 8, x + wide * 0.56, y - 6)
        draw.line(ends, fill=245, width=6)
        spot = (
            (x + spec.pitch / 2, y + tall / 2) if spec.upright else (x, y + (spec.pitch + tall) / 2)
        )
        draw.text(spot, cell.chalk, 255, fonts.get("note", 17 * SCALE), anchor="mm")
    dust = make_noise(image.size, 2, rng).point([110 if grey < 70 else 255 for grey in range(256)])  # noqa: PLR2004 - gaps in the chalk
    image.paste(_CHALK, (0, 0), Image.composite(chalk, Image.new("L", image.size, 0), dust))
