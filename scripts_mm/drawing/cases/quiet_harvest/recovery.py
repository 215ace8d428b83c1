"""The description sheet of a drowned man, with a drawn person in the middle."""

from dataclasses import dataclass
from random import Random

from PIL import Image, ImageDraw

from scripts_mm.drawing.primitives.canvas import SCALE
from scripts_mm.drawing.primitives.figure import DrawnPerson, draw_figure
from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.ink import (
    Handwriting,
    apply_ink,
    blank_mask,
    draw_handwriting,
    wrap_text,
)
from scripts_mm.drawing.primitives.paper import (
    Point,
    Size,
    add_creases,
    add_vignette,
    age_edges,
    make_paper,
    make_wood,
    place_on_table,
)

_PRINT = (44, 48, 56)
_INK = (36, 42, 96)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecoveryRemark:
    """A handwritten remark with a line to its target (shares of the sheet)."""

    text: str
    at: Point
    to: Point
    wide: int = 210
    """Pixels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecoverySpec:
    """A form with printed fields, the drawing, remarks and a signature."""

    office: str
    title: str
    fields: tuple[tuple[str, str], ...]
    figure: DrawnPerson
    remarks: tuple[RecoveryRemark, ...]
    signed: tuple[str, str]
    text_size: int = 25
    size: Size = (860, 1100)
    angle: float = 0.8


def draw_recovery(spec: RecoverySpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the sheet."""
    size = (spec.size[0] - 50, spec.size[1] - 50)
    sheet = age_edges(make_paper(size, (232, 226, 206), rng, 0.1), (120, 100, 66), 0.5, rng)
    large = Image.new("RGBA", (size[0] * SCALE, size[1] * SCALE), (0, 0, 0, 0))
    feet = (size[0] * 0.5 * SCALE, size[1] * 0.86 * SCALE)
    draw_figure(ImageDraw.Draw(large), feet, size[1] * 0.5 * SCALE, spec.figure)
    small = large.resize(size, Image.Resampling.LANCZOS)
    sheet.paste(small, (0, 0), small)
    mask = blank_mask(size)
    _print_form(sheet, mask, spec, fonts, rng)
    for remark in spec.remarks:
        _write_remark(mask, remark, spec, fonts, rng)
    sheet = add_creases(apply_ink(sheet, mask, _INK, rng, wear=0.3), across=(0.33, 0.66), down=())
    return add_vignette(
        place_on_table(sheet, spec.size, spec.angle, make_wood(spec.size, (66, 60, 58), rng)), 0.22
    )


def _print_form(
    sheet: Image.Image, mask: Image.Image, spec: RecoverySpec, fonts: Fonts, rng: Random
) -> None:
    draw = ImageDraw.Draw(sheet)
    width, height = sheet.size
    draw.rectangle((24, 24, width - 25, height - 25), outline=_PRINT, width=2)
    draw.text((width / 2, 58), spec.office, _PRINT, fonts.get("print", 20), anchor="mm")
    draw.text((width / 2, 100), spec.title, _PRINT, fonts.get("bold", 32), anchor="mm")
    label, pen = fonts.get("print", 19), Handwriting(sway=1.2, turn=0.8)
    entry = fonts.get("letter", spec.text_size + 2)
    y = 128.0
    for name, text in spec.fields:
        y += 38
        draw.text((54, y), name, _PRINT, label, anchor="ls")
        draw.line((220, y + 6, width - 54, y + 6), fill=(160, 156, 146), width=1)
        draw_handwriting(mask, (226, y), text, entry, pen, rng)
    draw.line((54, height - 66, 330, height - 66), fill=_PRINT, width=1)
    draw.text((54, height - 48), spec.signed[0], _PRINT, fonts.get("print", 17), anchor="lm")
    draw_handwriting(mask, (66, height - 74), spec.signed[1], fonts.get("letter", 34), pen, rng)


def _write_remark(
    mask: Image.Image, remark: RecoveryRemark, spec: RecoverySpec, fonts: Fonts, rng: Random
) -> None:
    width, height = mask.size
    font = fonts.get("letter", spec.text_size)
    x, y = remark.at[0] * width, remark.at[1] * height
    lines = wrap_text(remark.text, font, remark.wide)
    for nth, line in enumerate(lines):
        draw_handwriting(mask, (x, y + nth * spec.text_size * 1.25), line, font, Handwriting(), rng)
    on_left = remark.at[0] < remark.to[0]
    longest = max(font.getlength(line) for line in lines)
    low = y + (len(lines) - 1.6) * spec.text_size * 0.62
    start = (x + longest + 8 if on_left else x - 8, low)
    to = (remark.to[0] * width, remark.to[1] * height)
    draw = ImageDraw.Draw(mask)
    draw.line((*start, *to), fill=170, width=2)
    draw.ellipse((to[0] - 4, to[1] - 4, to[0] + 4, to[1] + 4), fill=200)
