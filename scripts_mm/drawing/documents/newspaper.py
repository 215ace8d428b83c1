"""A cutting from a newspaper: headline, columns of print, a boxed notice, a torn edge."""

from dataclasses import dataclass
from random import Random

from PIL import Image, ImageDraw, ImageFilter

from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.ink import apply_ink, blank_mask, wrap_text
from scripts_mm.drawing.primitives.paper import (
    Size,
    add_creases,
    add_vignette,
    adjust_levels,
    age_edges,
    make_paper,
    make_wood,
)
from scripts_mm.drawing.primitives.vertical_text import ColumnBlock, break_columns, print_column

_INK = (34, 32, 30)
_MARGIN = 46


@dataclass(frozen=True, slots=True, kw_only=True)
class NewspaperSpec:
    """A cutting. `upright`: set from top to bottom and from right to left, in tiers."""

    name: str
    dateline: str
    headline: tuple[str, ...]
    """Lines of the headline, or columns if the cutting is upright."""
    paragraphs: tuple[str, ...]
    notice: tuple[str, ...]
    """Lines of the boxed notice; the first is its title. Empty: no notice."""
    upright: bool = False
    columns: int = 3
    """Columns of print, or tiers if the cutting is upright."""
    text_size: int = 20
    size: Size = (960, 900)
    angle: float = 1.6


def draw_newspaper(spec: NewspaperSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the cutting on a dark table."""
    size = (spec.size[0] - 56, spec.size[1] - 56)
    sheet = make_paper(size, (224, 214, 186), rng, 0.018)
    mask = blank_mask(size)
    if spec.upright:
        _print_upright(mask, spec, fonts)
    else:
        _print_level(mask, spec, fonts)
    sheet = apply_ink(sheet, mask, _INK, rng, wear=0.45)
    sheet = add_creases(age_edges(sheet, (146, 112, 62), 0.6, rng), across=(0.52,), down=(0.48,))
    return add_vignette(_tear_edges(sheet, spec, rng), 0.24)


def _print_level(mask: Image.Image, spec: NewspaperSpec, fonts: Fonts) -> None:
    draw = ImageDraw.Draw(mask)
    width, height = mask.size
    draw.text((_MARGIN, 40), spec.name, 255, fonts.get("bold", 22), anchor="lm")
    draw.text((width - _MARGIN, 40), spec.dateline, 255, fonts.get("print", 18), anchor="rm")
    draw.line((_MARGIN, 62, width - _MARGIN, 62), fill=255, width=3)
    draw.line((_MARGIN, 68, width - _MARGIN, 68), fill=255, width=1)
    y = 76.0
    for nth, line in enumerate(spec.headline):
        size = 42 if nth == 0 else 25
        draw.text((width / 2, y + size * 0.7), line, 255, fonts.get("bold", size), anchor="mm")
        y += size * 1.4
    draw.line((width * 0.36, y + 8, width * 0.64, y + 8), fill=255, width=1)
    _print_columns(draw, spec, fonts, (y + 24, height - 34.0), width)


def _print_columns(
    draw: ImageDraw.ImageDraw,
    spec: NewspaperSpec,
    fonts: Fonts,
    band: tuple[float, float],
    width: int,
) -> None:
    """Set the paragraphs in columns and the notice at the foot of the last one."""
    gutter = 26
    wide = (width - 2 * _MARGIN - gutter * (spec.columns - 1)) / spec.columns
    font = fonts.get("print", spec.text_size)
    step = spec.text_size * 1.36
    foot = band[1] - (_notice_height(spec, fonts, wide) if spec.notice else 0)
    column, y = 0, band[0]
    for paragraph in spec.paragraphs:
        for nth, line in enumerate(wrap_text("\u2003" + paragraph, font, wide)):
            if y + step > (foot if column == spec.columns - 1 else band[1]):
                column, y = column + 1, band[0]
            x = _MARGIN + column * (wide + gutter)
            indent = spec.text_size if nth == 0 else 0
            draw.text((x + indent, y), line.lstrip("\u2003"), 255, font, anchor="lt")
            y += step
    for nth in range(1, spec.columns):
        x = _MARGIN + nth * (wide + gutter) - gutter / 2
        draw.line((x, band[0], x, band[1]), fill=150, width=1)
    if spec.notice:
        left = _MARGIN + (spec.columns - 1) * (wide + gutter)
        _print_notice(draw, spec, fonts, (left, foot + 12, left + wide, band[1]))


def _notice_height(spec: NewspaperSpec, fonts: Fonts, wide: float) -> float:
    font = fonts.get("print", spec.text_size - 2)
    lines = sum(len(wrap_text(line, font, wide - 32)) for line in spec.notice[1:])
    return lines * spec.text_size * 1.3 + 84


def _print_notice(
    draw: ImageDraw.ImageDraw,
    spec: NewspaperSpec,
    fonts: Fonts,
    box: tuple[float, float, float, float],
) -> None:
    draw.rectangle(box, outline=255, width=4)
    draw.rectangle((box[0] + 7, box[1] + 7, box[2] - 7, box[3] - 7), outline=255, width=1)
    middle = (box[0] + box[2]) / 2
    title = fonts.get("bold", spec.text_size + 4)
    draw.text((middle, box[1] + 34), spec.notice[0], 255, title, anchor="mm")
    font = fonts.get("print", spec.text_size - 2)
    y = box[1] + 66
    for line in spec.notice[1:]:
        for part in wrap_text(line, font, box[2] - box[0] - 32):
            draw.text((middle, y), part, 255, font, anchor="mm")
            y += spec.text_size * 1.3


def _print_upright(mask: Image.Image, spec: NewspaperSpec, fonts: Fonts) -> None:
    draw = ImageDraw.Draw(mask)
    width, height = mask.size
    top, bottom = 44.0, height - 40.0
    x = width - 72.0
    draw.rectangle((x - 34, top - 8, x + 34, bottom), outline=255, width=3)
    end = print_column(mask, (x, top + 8), spec.name, fonts.get("bold", 44), 54)
    print_column(mask, (x, end + 20), spec.dateline, fonts.get("print", 18), 21)
    x -= 78
    for nth, line in enumerate(spec.headline):
        size = 46 if nth == 0 else 27
        print_column(mask, (x - size * 0.2, top), line, fonts.get("bold", size), size * 1.12)
        x -= size * 1.3
    draw.line((x, top, x, bottom), fill=255, width=1)
    _print_tiers(mask, spec, fonts, (top, bottom), x - 30)


def _print_tiers(
    mask: Image.Image, spec: NewspaperSpec, fonts: Fonts, band: tuple[float, float], right: float
) -> None:
    """Set the paragraphs in tiers, from the top; the notice is at the left end of the last."""
    draw = ImageDraw.Draw(mask)
    step, gap = spec.text_size * 1.08, spec.text_size * 1.62
    tall = (band[1] - band[0]) / spec.columns
    font = fonts.get("print", spec.text_size)
    block = ColumnBlock(
        right=right, top=band[0], step=step, gap=gap, rows=int((tall - 22) / step) - 1
    )
    across = int((right - _MARGIN) / gap)
    text = [part for one in spec.paragraphs for part in break_columns("\u3000" + one, block.rows)]
    for nth, column in enumerate(text):
        tier, place = divmod(nth, across)
        at = (right - place * gap, band[0] + tier * tall)
        print_column(mask, at, column, font, step)
    for tier in range(1, spec.columns):
        y = band[0] + tier * tall - 12
        draw.line((_MARGIN - 8, y, right + gap / 2, y), fill=150, width=1)
    if spec.notice:
        y = band[0] + (spec.columns - 1) * tall
        _print_upright_notice(mask, spec, fonts, (_MARGIN - 6, y, tall - 6))


def _print_upright_notice(
    mask: Image.Image, spec: NewspaperSpec, fonts: Fonts, place: tuple[float, float, float]
) -> None:
    """Set the upright notice in its frame; `place`: left, top and height."""
    left, top, tall = place
    gap = spec.text_size * 1.7
    right = left + gap * len(spec.notice) + 26
    draw = ImageDraw.Draw(mask)
    draw.rectangle((left, top, right, top + tall), outline=255, width=4)
    draw.rectangle((left + 7, top + 7, right - 7, top + tall - 7), outline=255, width=1)
    x = right - 30
    for nth, line in enumerate(spec.notice):
        size = spec.text_size + (4 if nth == 0 else -2)
        font = fonts.get("bold" if nth == 0 else "print", size)
        print_column(mask, (x, top + 16), line, font, size * 1.1)
        x -= gap


def _tear_edges(sheet: Image.Image, spec: NewspaperSpec, rng: Random) -> Image.Image:
    """Place the cutting on a table, with torn lower and left edges."""
    mask = Image.new("L", sheet.size, 0)
    width, height = sheet.size
    left = [(rng.uniform(0, 9), y) for y in range(height, 0, -14)]
    foot = [(x, height - rng.uniform(0, 10)) for x in range(width, 0, -14)]
    ImageDraw.Draw(mask).polygon([*left, (0, 0), (width, 0), (width, height), *foot], fill=255)
    mask = mask.rotate(spec.angle, Image.Resampling.BICUBIC, expand=True)
    turned = sheet.rotate(spec.angle, Image.Resampling.BICUBIC, expand=True)
    at = ((spec.size[0] - turned.size[0]) // 2, (spec.size[1] - turned.size[1]) // 2)
    table = make_wood(spec.size, (70, 46, 34), rng)
    shadow = Image.new("L", spec.size, 0)
    shadow.paste(adjust_levels(mask, 2 / 3), (at[0] + 6, at[1] + 8))
    shadow = shadow.filter(ImageFilter.GaussianBlur(6))
    below = Image.composite(Image.new("RGB", spec.size, (15, 12, 10)), table, shadow)
    below.paste(turned, at, mask)
    return below
