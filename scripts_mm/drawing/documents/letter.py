"""A handwritten letter on old paper, photographed on a table."""

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
    wrap_text,
)
from scripts_mm.drawing.primitives.paper import (
    Size,
    add_creases,
    add_cup_ring,
    add_vignette,
    age_edges,
    make_paper,
    make_wood,
    place_on_table,
)

_INK = (78, 44, 20)
_PENCIL = (96, 96, 100)


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterSpec:
    """A letter in ink; by default the hand slants backward and smears what is wet."""

    greeting: str
    body: tuple[str, ...]
    """Paragraphs."""
    signature: str
    mark: str
    """A note in pencil in the upper corner."""
    text_size: int
    """Pixels."""
    leading: float
    """Distance between two lines, in pixels."""
    slant: float = -0.58
    smear: float = 0.7
    """Strength, from 0 to 1, of the drag to the right that a left hand leaves in wet ink."""
    size: Size = (760, 940)
    angle: float = 1.4


def draw_letter(spec: LetterSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the letter."""
    size = (spec.size[0] - 70, spec.size[1] - 70)
    sheet = make_paper(size, (236, 217, 176), rng, 0.16)
    sheet = add_cup_ring(sheet, (size[0] * 0.80, size[1] * 0.84), 74, (150, 112, 66))
    sheet = age_edges(sheet, (120, 84, 44), 0.75, rng)
    mask = _write_letter(spec, fonts, rng, size)
    sheet = apply_ink(sheet, smear_ink(mask, 30, spec.smear, rng), _INK, rng, wear=0.35)
    sheet = _write_mark(sheet, spec, fonts, rng)
    sheet = add_creases(sheet, across=(0.34, 0.67), down=())
    table = make_wood(spec.size, (74, 50, 38), rng)
    return add_vignette(place_on_table(sheet, spec.size, spec.angle, table), 0.28)


def _write_letter(spec: LetterSpec, fonts: Fonts, rng: Random, size: Size) -> Image.Image:
    font = fonts.get("letter", spec.text_size)
    pen = Handwriting(sway=2.2, turn=1.6, slant=spec.slant)
    mask = blank_mask(size)
    left, width = 70.0, size[0] - 150.0
    y = 140.0
    draw_handwriting(mask, (left, y), spec.greeting, font, pen, rng)
    for paragraph in spec.body:
        y += spec.leading * 0.35
        for line in wrap_text(paragraph, font, width):
            y += spec.leading
            draw_handwriting(mask, (left + rng.uniform(-4, 6), y), line, font, pen, rng)
    y += spec.leading * 1.5
    big = fonts.get("letter", round(spec.text_size * 1.7))
    end = draw_handwriting(mask, (width * 0.62, y), spec.signature, big, pen, rng)
    flourish = [(width * 0.60, y + 20), (end * 0.9, y + 14), (end + 60, y + 26)]
    ImageDraw.Draw(mask).line(flourish, fill=230, width=3, joint="curve")
    return mask


def _write_mark(sheet: Image.Image, spec: LetterSpec, fonts: Fonts, rng: Random) -> Image.Image:
    font = fonts.get("pencil", 34)
    mask = blank_mask(sheet.size)
    x = sheet.size[0] - font.getlength(spec.mark) - 60
    end = draw_handwriting(mask, (x, 72), spec.mark, font, Handwriting(), rng)
    ImageDraw.Draw(mask).ellipse((x - 22, 28, end + 18, 92), outline=170, width=2)
    return apply_ink(sheet, mask, _PENCIL, rng, wear=0.5)
