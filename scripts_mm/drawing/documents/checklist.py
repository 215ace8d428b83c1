"""A list on squared paper under a clip, filled in by hand with ticks."""

from dataclasses import dataclass
from random import Random

from PIL import Image, ImageDraw

from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.ink import (
    Handwriting,
    apply_ink,
    blank_mask,
    draw_handwriting,
    draw_tick,
    smear_ink,
    wrap_text,
)
from scripts_mm.drawing.primitives.paper import (
    Size,
    add_vignette,
    age_edges,
    make_paper,
    make_wood,
    place_on_table,
)

_INK = (28, 44, 96)
_RED = (176, 34, 34)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChecklistEntry:
    """One line of the list."""

    time: str
    text: str
    done: bool = True
    """Whether it is ticked; otherwise its remark is in red."""
    remark: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChecklistSpec:
    """A list of things to do, with times."""

    title: str
    owner: str
    entries: tuple[ChecklistEntry, ...]
    text_size: int = 29
    smear: float = 0.35
    """Strength, from 0 to 1, of the drag to the right that a left hand leaves in wet ink."""
    size: Size = (760, 900)
    angle: float = -1.6


def draw_checklist(spec: ChecklistSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the list."""
    size = (spec.size[0] - 90, spec.size[1] - 80)
    sheet = make_paper(size, (247, 245, 236), rng, 0.06)
    _draw_squares(sheet)
    ink, red = blank_mask(size), blank_mask(size)
    _write_entries(spec, fonts, rng, ink, red)
    sheet = apply_ink(sheet, smear_ink(ink, 18, spec.smear, rng), _INK, rng)
    sheet = apply_ink(sheet, red, _RED, rng)
    sheet = age_edges(sheet, (110, 104, 92), 0.35, rng)
    board = make_wood(spec.size, (128, 96, 62), rng)
    picture = place_on_table(sheet, spec.size, spec.angle, board)
    _draw_clip(picture)
    return add_vignette(picture, 0.2)


def _draw_squares(sheet: Image.Image) -> None:
    draw = ImageDraw.Draw(sheet)
    width, height = sheet.size
    for x in range(0, width, 22):
        draw.line((x, 0, x, height), fill=(214, 222, 232), width=1)
    for y in range(0, height, 22):
        draw.line((0, y, width, y), fill=(214, 222, 232), width=1)


def _write_entries(
    spec: ChecklistSpec, fonts: Fonts, rng: Random, ink: Image.Image, red: Image.Image
) -> None:
    pen = Handwriting(sway=1.4, turn=1.0, slant=-0.1)
    width = ink.size[0]
    end = draw_handwriting(ink, (46, 118), spec.title, fonts.get("note", 38), pen, rng)
    ImageDraw.Draw(ink).line((44, 132, end, 129), fill=220, width=3)
    draw_handwriting(ink, (46, 170), spec.owner, fonts.get("note", 27), pen, rng)
    font = fonts.get("note", spec.text_size)
    step = spec.text_size * 1.38
    y = 206.0
    for entry in spec.entries:
        y += step * 1.12
        draw_handwriting(ink, (46, y), entry.time, font, pen, rng)
        if entry.done:
            draw_tick(ink, (width - 62, y), 30, rng)
        lines = wrap_text(entry.text, font, width - 250)
        for line in lines:
            draw_handwriting(ink, (142, y), line, font, pen, rng)
            y += step
        if entry.remark:
            draw_handwriting(red, (142, y), entry.remark, font, pen, rng)
            y += step
        y -= step * 0.7


def _draw_clip(picture: Image.Image) -> None:
    draw = ImageDraw.Draw(picture)
    middle = picture.size[0] // 2
    draw.rounded_rectangle((middle - 110, 8, middle + 110, 62), 12, fill=(92, 96, 102))
    draw.rounded_rectangle((middle - 110, 8, middle + 110, 30), 12, fill=(136, 140, 146))
    draw.ellipse((middle - 14, 18, middle + 14, 46), fill=(52, 54, 58))
