"""A pencilled card: the marks of a sounding line, drawn on a rope next to their numbers."""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from types import MappingProxyType
from typing import Literal

from PIL import Image, ImageChops

from scripts_mm.drawing.primitives.canvas import Canvas, scale_size
from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.ink import Handwriting, apply_ink, blank_mask, draw_handwriting
from scripts_mm.drawing.primitives.paper import (
    Colour,
    Size,
    add_creases,
    add_vignette,
    age_edges,
    make_ground,
    make_paper,
    place_on_table,
)

_ROPE = 118
"""Position of the rope, in pixels from the left."""
_STEP = 67
_LEATHER: Colour = (112, 70, 42)
_RAGS: Mapping[str, Colour] = MappingProxyType(
    {"white": (250, 250, 246), "red": (196, 52, 44), "blue": (60, 92, 168)}
)

LineMark = Literal["tail", "tails", "white", "ring", "red", "holed", "blue", "knots"]


@dataclass(frozen=True, slots=True, kw_only=True)
class MarksCardSpec:
    """The card: heading, marks from the top of the rope down to the lead, foot."""

    heading: tuple[str, ...]
    marks: tuple[tuple[str, LineMark, str], ...]
    """Number, what is drawn, what is written."""
    foot: tuple[str, ...]
    text_size: int = 32
    size: Size = (640, 860)


def draw_marks_card(spec: MarksCardSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the card on a tarpaulin."""
    size = (spec.size[0] - 70, spec.size[1] - 70)
    drawn = Image.new("RGB", scale_size(size), (255, 255, 255))
    _draw_rope(Canvas(drawn, fonts, (60, 56, 54)), spec)
    sheet = make_paper(size, (214, 196, 158), rng, 0.12)
    sheet = ImageChops.multiply(sheet, drawn.resize(size, Image.Resampling.LANCZOS))
    mask = blank_mask(size)
    _write(mask, spec, fonts, rng)
    sheet = apply_ink(sheet, mask, (52, 50, 56), rng, wear=0.35)
    sheet = age_edges(add_creases(sheet, across=(0.52,), down=()), (104, 84, 58), 0.6, rng)
    table = make_ground(spec.size, (70, 86, 74), rng, 5, 0.4)
    return add_vignette(place_on_table(sheet, spec.size, 1.6, table), 0.25)


def _height(nth: int) -> float:
    return 150 + _STEP * nth


def _draw_rope(canvas: Canvas, spec: MarksCardSpec) -> None:
    end = _height(len(spec.marks)) - 20
    canvas.line(((_ROPE, 96), (_ROPE, end)), (120, 104, 84), 7)
    for y in range(100, round(end), 12):
        canvas.line(((_ROPE - 4, y + 5), (_ROPE + 4, y)), (80, 70, 58), 1.5)
    canvas.shape(
        ((_ROPE - 12, end), (_ROPE + 12, end), (_ROPE + 18, end + 46), (_ROPE - 18, end + 46)),
        (120, 122, 126),
    )
    for nth, (_, mark, _) in enumerate(spec.marks):
        _draw_mark(canvas, mark, _height(nth))


def _draw_mark(canvas: Canvas, mark: LineMark, y: float) -> None:
    x = _ROPE
    match mark:
        case "tail":
            canvas.shape(((x, y - 6), (x + 50, y - 3), (x + 50, y + 8), (x, y + 6)), _LEATHER)
        case "tails":
            _draw_tails(canvas, x, y)
        case "holed":
            canvas.box((x, y - 16, x + 52, y + 16), _LEATHER, 5)
            canvas.disc((x + 28, y), 8, (255, 255, 255))
        case "ring":
            canvas.disc((x + 14, y), 17, (206, 168, 84))
            canvas.disc((x + 14, y), 9, (255, 255, 255))
        case "knots":
            canvas.disc((x, y - 13), 10, (120, 104, 84))
            canvas.disc((x, y + 13), 10, (120, 104, 84))
        case "white" | "red" | "blue":
            rag = ((x, y - 8), (x + 30, y - 14), (x + 58, y - 4), (x + 52, y + 14), (x, y + 10))
            canvas.shape(rag, _RAGS[mark])


def _draw_tails(canvas: Canvas, x: float, y: float) -> None:
    for shift in (-10, 8):
        ends = ((x + 50, y + shift - 5), (x + 50, y + shift + 5))
        canvas.shape(((x, y - 2), *ends, (x, y + 4)), _LEATHER)


def _write(mask: Image.Image, spec: MarksCardSpec, fonts: Fonts, rng: Random) -> None:
    font, pen = fonts.get("pencil", spec.text_size), Handwriting(sway=1.6, turn=1.0, slant=0.05)
    for nth, line in enumerate(spec.heading):
        draw_handwriting(mask, (44, 62 + 40 * nth), line, font, pen, rng)
    for nth, (number, _, words) in enumerate(spec.marks):
        y = _height(nth) + 11
        draw_handwriting(mask, (44, y), number, font, pen, rng)
        draw_handwriting(mask, (216, y), words, font, pen, rng)
    for nth, line in enumerate(spec.foot):
        y = _height(len(spec.marks)) + 10 + 40 * nth
        draw_handwriting(mask, (216, y), line, font, pen, rng)
