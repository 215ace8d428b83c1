"""A leaf of a bookmaker's pad, torn off and covered in copying pencil."""

from dataclasses import dataclass
from random import Random

from PIL import Image, ImageDraw

from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.ink import (
    Handwriting,
    apply_ink,
    blank_mask,
    draw_handwriting,
    smear_ink,
)
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

_SHEET: Size = (640, 720)
_SIZE: Size = (760, 820)
_PAPER: Colour = (236, 216, 128)
_PENCIL: Colour = (74, 40, 112)
_STEP = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class RunnerSpec:
    """The heading, and lines of a time and a few words; an empty line is a gap."""

    head: str
    lines: tuple[tuple[str, str], ...]


def draw_runner(spec: RunnerSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the leaf on a linoleum floor."""
    sheet = make_paper(_SHEET, _PAPER, rng, 0.12)
    draw = ImageDraw.Draw(sheet)
    for y in range(126, _SHEET[1] - 20, _STEP):
        draw.line((0, y, _SHEET[0], y), fill=(206, 182, 100), width=1)
    mask = blank_mask(_SHEET)
    pen = Handwriting(sway=2.2, turn=1.6, slant=0.14)
    draw_handwriting(mask, (40, 96), spec.head, fonts.get("note", 35), pen, rng)
    font = fonts.get("note", 31)
    for nth, (time, words) in enumerate(spec.lines):
        y = 172 + nth * _STEP
        draw_handwriting(mask, (40, y), time, font, pen, rng)
        draw_handwriting(mask, (170, y), words, font, pen, rng)
    sheet = apply_ink(sheet, smear_ink(mask, 9, 0.35, rng), _PENCIL, rng, wear=0.45)
    sheet = add_creases(age_edges(sheet, (140, 110, 40), 0.35, rng), across=(0.52,), down=())
    floor = make_ground(_SIZE, (122, 70, 58), rng, 6, 0.3)
    found = place_on_table(sheet, _SIZE, 1.6, floor)
    _tear_top(found, rng)
    return add_vignette(found, 0.25)


def _tear_top(image: Image.Image, rng: Random) -> None:
    """Cover the upper edge of the leaf with the floor in an uneven line."""
    points = [(0.0, 0.0)]
    points += [(x, 54 - x * 0.026 + rng.uniform(-7, 9)) for x in range(0, _SIZE[0] + 1, 14)]
    points.append((float(_SIZE[0]), 0.0))
    ImageDraw.Draw(image).polygon(points, fill=(112, 64, 53))
