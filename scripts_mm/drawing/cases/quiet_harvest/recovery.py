"""The sheet on which a drowned man was described, with a drawn person in the middle."""

from dataclasses import dataclass
from random import Random

from PIL import Image, ImageDraw

from scripts_mm.drawing.canvas import SCALE
from scripts_mm.drawing.figure import Figure, draw_figure
from scripts_mm.drawing.fonts import Fonts
from scripts_mm.drawing.ink import Pen, blank, inked, wrapped, written
from scripts_mm.drawing.paper import Point, Size, aged, folded, laid, paper, vignette, wood

_PRINT = (44, 48, 56)
_INK = (36, 42, 96)


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """A handwritten remark with a line to what it speaks of (shares of the sheet)."""

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
    figure: Figure
    remarks: tuple[Remark, ...]
    signed: tuple[str, str]
    text_size: int = 25
    size: Size = (860, 1100)
    angle: float = 0.8


def recovery(spec: RecoverySpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the sheet."""
    size = (spec.size[0] - 50, spec.size[1] - 50)
    sheet = aged(paper(size, (232, 226, 206), rng, 0.1), (120, 100, 66), 0.5, rng)
    large = Image.new("RGBA", (size[0] * SCALE, size[1] * SCALE), (0, 0, 0, 0))
    feet = (size[0] * 0.5 * SCALE, size[1] * 0.86 * SCALE)
    draw_figure(ImageDraw.Draw(large), feet, size[1] * 0.5 * SCALE, spec.figure)
    small = large.resize(size, Image.Resampling.LANCZOS)
    sheet.paste(small, (0, 0), small)
    mask = blank(size)
    _form(sheet, mask, spec, fonts, rng)
    for remark in spec.remarks:
        _remark(mask, remark, spec, fonts, rng)
    sheet = folded(inked(sheet, mask, _INK, rng, wear=0.3), across=(0.33, 0.66), down=())
    return vignette(laid(sheet, spec.size, spec.angle, wood(spec.size, (66, 60, 58), rng)), 0.22)


def _form(
    sheet: Image.Image, mask: Image.Image, spec: RecoverySpec, fonts: Fonts, rng: Random
) -> None:
    draw = ImageDraw.Draw(sheet)
    width, height = sheet.size
    draw.rectangle((24, 24, width - 25, height - 25), outline=_PRINT, width=2)
    draw.text((width / 2, 58), spec.office, _PRINT, fonts.get("print", 20), anchor="mm")
    draw.text((width / 2, 100), spec.title, _PRINT, fonts.get("bold", 32), anchor="mm")
    label, pen = fonts.get("print", 19), Pen(sway=1.2, turn=0.8)
    entry = fonts.get("letter", spec.text_size + 2)
    y = 128.0
    for name, text in spec.fields:
        y += 38
        draw.text((54, y), name, _PRINT, label, anchor="ls")
        draw.line((220, y + 6, width - 54, y + 6), fill=(160, 156, 146), width=1)
        written(mask, (226, y), text, entry, pen, rng)
    draw.line((54, height - 66, 330, height - 66), fill=_PRINT, width=1)
    draw.text((54, height - 48), spec.signed[0], _PRINT, fonts.get("print", 17), anchor="lm")
    written(mask, (66, height - 74), spec.signed[1], fonts.get("letter", 34), pen, rng)


def _remark(
    mask: Image.Image, remark: Remark, spec: RecoverySpec, fonts: Fonts, rng: Random
) -> None:
    width, height = mask.size
    font = fonts.get("letter", spec.text_size)
    x, y = remark.at[0] * width, remark.at[1] * height
    lines = wrapped(remark.text, font, remark.wide)
    for nth, line in enumerate(lines):
        written(mask, (x, y + nth * spec.text_size * 1.25), line, font, Pen(), rng)
    on_left = remark.at[0] < remark.to[0]
    longest = max(font.getlength(line) for line in lines)
    low = y + (len(lines) - 1.6) * spec.text_size * 0.62
    start = (x + longest + 8 if on_left else x - 8, low)
    to = (remark.to[0] * width, remark.to[1] * height)
    draw = ImageDraw.Draw(mask)
    draw.line((*start, *to), fill=170, width=2)
    draw.ellipse((to[0] - 4, to[1] - 4, to[0] + 4, to[1] + 4), fill=200)
