"""A handwritten letter on old paper, photographed on a table."""

from dataclasses import dataclass
from random import Random
from typing import Literal

from PIL import Image, ImageDraw

from scripts_mm.drawing.primitives.fonts import Fonts, Hand
from scripts_mm.drawing.primitives.ink import (
    Handwriting,
    apply_ink,
    blank_mask,
    draw_handwriting,
    smear_ink,
    wrap_text,
)
from scripts_mm.drawing.primitives.paper import (
    Colour,
    Size,
    TableKind,
    add_creases,
    add_cup_ring,
    add_vignette,
    age_edges,
    make_paper,
    make_table,
    place_on_table,
    rule_lines,
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
    paper: Colour = (236, 217, 176)
    ink: Colour = _INK
    hand: Hand = "letter"
    ring: bool = True
    """Whether a wet cup stood on it."""
    mark_frame: Literal["oval", "line", "none"] = "oval"
    """What is drawn round or below the note."""
    folds: tuple[float, ...] = (0.34, 0.67)
    """Creases across it, in shares of its height."""
    upright_folds: tuple[float, ...] = ()
    """Creases down it, in shares of its width."""
    ruled: Colour | None = None
    """The colour of printed lines below the writing."""
    aged: float = 0.75
    """Brown of its edges, 0 to 1."""
    smear: float = 0.7
    """Smearing of the wet ink, 0 to 1."""
    table: Colour = (74, 50, 38)
    table_kind: TableKind = "wood"
    size: Size = (760, 940)
    angle: float = 1.4


def draw_letter(spec: LetterSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the letter."""
    size = (spec.size[0] - 70, spec.size[1] - 70)
    sheet = make_paper(size, spec.paper, rng, 0.16)
    if spec.ruled is not None:
        rule_lines(sheet, spec.ruled, round(spec.leading))
    if spec.ring:
        sheet = add_cup_ring(sheet, (size[0] * 0.80, size[1] * 0.84), 74, (150, 112, 66))
    sheet = age_edges(sheet, (120, 84, 44), spec.aged, rng)
    mask = _write_letter(spec, fonts, rng, size)
    sheet = apply_ink(sheet, smear_ink(mask, 30, spec.smear, rng), spec.ink, rng, wear=0.35)
    sheet = _write_mark(sheet, spec, fonts, rng)
    sheet = add_creases(sheet, across=spec.folds, down=spec.upright_folds)
    table = make_table(spec.size, spec.table, rng, spec.table_kind)
    return add_vignette(place_on_table(sheet, spec.size, spec.angle, table), 0.28)


def _write_letter(spec: LetterSpec, fonts: Fonts, rng: Random, size: Size) -> Image.Image:
    font = fonts.get(spec.hand, spec.text_size)
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
    big = fonts.get(spec.hand, round(spec.text_size * 1.7))
    end = draw_handwriting(mask, (width * 0.62, y), spec.signature, big, pen, rng)
    flourish = [(width * 0.60, y + 20), (end * 0.9, y + 14), (end + 60, y + 26)]
    ImageDraw.Draw(mask).line(flourish, fill=230, width=3, joint="curve")
    return mask


def _write_mark(sheet: Image.Image, spec: LetterSpec, fonts: Fonts, rng: Random) -> Image.Image:
    font = fonts.get("pencil", 34)
    mask = blank_mask(sheet.size)
    x = sheet.size[0] - font.getlength(spec.mark) - 60
    end = draw_handwriting(mask, (x, 72), spec.mark, font, Handwriting(), rng)
    if spec.mark_frame == "oval":
        ImageDraw.Draw(mask).ellipse((x - 22, 28, end + 18, 92), outline=170, width=2)
    if spec.mark_frame == "line":
        ImageDraw.Draw(mask).line((x - 8, 86, end + 8, 83), fill=170, width=2)
    return apply_ink(sheet, mask, _PENCIL, rng, wear=0.5)
