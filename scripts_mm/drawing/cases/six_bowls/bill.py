"""The reward bill of 1918: a woodcut frame, a large heading, a book-keeper's small script."""

from dataclasses import dataclass
from random import Random

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from scripts_mm.drawing.cases.six_bowls.torn_paper import lay_torn, make_plaster, tear_mask
from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.ink import (
    Handwriting,
    Stamp,
    apply_ink,
    apply_stamp,
    blank_mask,
    draw_handwriting,
    wrap_text,
)
from scripts_mm.drawing.primitives.paper import (
    Size,
    add_vignette,
    adjust_levels,
    age_edges,
    make_noise,
    make_paper,
)
from scripts_mm.drawing.primitives.vertical_text import ColumnBlock, handwrite_columns

_INK = (30, 26, 26)
_PAPER = (222, 204, 160)
_FIBRE = (236, 224, 190)
_MUD = (130, 112, 84)
_HEAD = 190
"""Height of the heading in its frame."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BillSpec:
    """The words of the bill; `upright`: the text runs down in columns."""

    heading: str
    body: str
    signed: tuple[str, ...]
    """Who posts it, and the date; each is a line or a column."""
    seal: tuple[str, ...]
    upright: bool = False
    text_size: int = 34
    size: Size = (760, 1040)


def draw_bill(spec: BillSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the bill on the wall it was peeled from."""
    size = (spec.size[0] - 70, spec.size[1] - 70)
    sheet = make_paper(size, _PAPER, rng, 0.14)
    sheet = apply_ink(sheet, _cut_frame(size, spec, fonts), _INK, rng, wear=0.55)
    write = _write_down if spec.upright else _write_across
    sheet = apply_ink(sheet, write(size, spec, fonts, rng), _INK, rng, wear=0.3)
    stamp = Stamp(lines=spec.seal, colour=(176, 40, 34), angle=-3.0)
    spot = (150, size[1] - 150) if spec.upright else (size[0] - 206, size[1] - 128)
    sheet = apply_stamp(sheet, spot, stamp, fonts.get("bold", 30 if spec.upright else 24), rng)
    sheet = _soak(age_edges(sheet, (128, 96, 54), 0.7, rng), rng)
    mask = _tear_corners(tear_mask(size, ("left", "top", "right", "bottom"), rng, 12), rng)
    laid = lay_torn(make_plaster(spec.size, rng), sheet, mask, _FIBRE, -1.2)
    return add_vignette(laid, 0.24)


def _cut_frame(size: Size, spec: BillSpec, fonts: Fonts) -> Image.Image:
    """Return the woodcut: a border of keys, and the heading."""
    mask = blank_mask(size)
    draw = ImageDraw.Draw(mask)
    width, height = size
    draw.rectangle((30, 30, width - 31, height - 31), outline=255, width=9)
    draw.rectangle((58, 58, width - 59, height - 59), outline=255, width=3)
    for x in range(44, width - 44, 26):
        for y in (44, height - 45):
            draw.rectangle((x - 6, y - 5, x + 6, y + 5), outline=255, width=3)
    for y in range(70, height - 60, 26):
        for x in (44, width - 45):
            draw.rectangle((x - 5, y - 6, x + 5, y + 6), outline=255, width=3)
    draw.rectangle((58, 58 + _HEAD, width - 59, 62 + _HEAD), fill=255)
    large = 132 if spec.upright else 106
    font = fonts.get("bold", large)
    if not spec.upright:
        draw.text((width / 2, 58 + _HEAD / 2), spec.heading, 255, font, anchor="mm")
        return mask
    gap = 200
    for nth, sign in enumerate(spec.heading):
        x = width / 2 + (nth - (len(spec.heading) - 1) / 2) * -gap
        draw.text((x, 52 + _HEAD / 2), sign, 255, font, anchor="mm")
    return mask


def _write_down(size: Size, spec: BillSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Return the text in columns, and the date in the last of them."""
    mask = blank_mask(size)
    font, pen = fonts.get("letter", spec.text_size), Handwriting(sway=0.7, turn=0.6)
    step, gap = spec.text_size * 1.12, spec.text_size * 1.56
    top = 58 + _HEAD + 34
    rows = int((size[1] - top - 80) / step)
    block = ColumnBlock(right=size[0] - 104, top=top, step=step, gap=gap, rows=rows)
    x = handwrite_columns(mask, block, spec.body, font, pen, rng)
    for line in spec.signed:
        last = ColumnBlock(right=x, top=top + 90, step=step, gap=gap, rows=99)
        x = handwrite_columns(mask, last, line, font, pen, rng)
    return mask


def _write_across(size: Size, spec: BillSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Return the text in lines."""
    mask = blank_mask(size)
    font, pen = fonts.get("letter", spec.text_size), Handwriting(sway=0.7, turn=0.6)
    y, gap = 58 + _HEAD + 62, spec.text_size * 1.42
    for line in wrap_text(spec.body, font, size[0] - 190):
        draw_handwriting(mask, (96, y), line, font, pen, rng)
        y += gap
    for line in spec.signed:
        y += gap * 0.25
        draw_handwriting(mask, (96, y), line, font, pen, rng)
        y += gap
    return mask


def _soak(sheet: Image.Image, rng: Random) -> Image.Image:
    """Return the sheet with the stain of the plaster that covered it."""
    width, height = sheet.size
    mask = Image.new("L", sheet.size, 0)
    draw = ImageDraw.Draw(mask)
    y = height * 0.56
    for x in range(0, width, 8):
        y += rng.uniform(-5, 5.4)
        draw.ellipse((x - 26, y - 34, x + 26, y + 34), fill=92)
    mask = ImageChops.multiply(
        mask.filter(ImageFilter.GaussianBlur(10)), adjust_levels(make_noise(sheet.size, 30, rng), 1)
    )
    return Image.composite(Image.new("RGB", sheet.size, _MUD), sheet, mask)


def _tear_corners(mask: Image.Image, rng: Random) -> Image.Image:
    """Return the shape of the sheet without its corners."""
    draw = ImageDraw.Draw(mask)
    width, height = mask.size
    for x, y in ((0, 0), (width, 0), (0, height), (width, height)):
        wide, tall = rng.uniform(34, 78), rng.uniform(30, 70)
        towards = (1 if x == 0 else -1, 1 if y == 0 else -1)
        middle = (x + towards[0] * wide * 0.4, y + towards[1] * tall * 0.5)
        corner = ((x, y), (x + towards[0] * wide, y), middle, (x, y + towards[1] * tall))
        draw.polygon(corner, fill=0)
    return mask
