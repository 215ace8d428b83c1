"""The paper of a roll of silver dollars, smoothed out: the coins have left their rounds in it."""

from dataclasses import dataclass
from random import Random

from PIL import Image, ImageDraw, ImageFilter

from scripts_mm.drawing.cases.six_bowls.torn_paper import lay_torn, tear_mask
from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.ink import (
    Handwriting,
    Stamp,
    apply_ink,
    apply_stamp,
    blank_mask,
    draw_handwriting,
)
from scripts_mm.drawing.primitives.paper import (
    Size,
    add_vignette,
    adjust_levels,
    make_paper,
    make_wood,
)
from scripts_mm.drawing.primitives.vertical_text import ColumnBlock, handwrite_columns, print_column

_PAPER = (232, 222, 196)
_RED = (178, 44, 38)
_INK = (30, 28, 30)
_COIN = 39
"""Diameter of a dollar in millimetres, and in twos of pixels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WrapperSpec:
    """The wrapper: what is printed and what is filled in; `upright`: in columns."""

    shop: str
    kind: str
    count: str
    sealed: str
    teller: str
    rule: str
    stamp: tuple[str, ...]
    upright: bool = False
    size: Size = (900, 760)


def draw_wrapper(spec: WrapperSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the wrapper on an altar of red wood."""
    size = (spec.size[0] - 60, spec.size[1] - 60)
    sheet = _crumple(make_paper(size, _PAPER, rng, 0.1), rng)
    sheet = _press_coins(sheet)
    print_, fill = blank_mask(size), blank_mask(size)
    _print_frame(print_)
    if spec.upright:
        _fill_columns(spec, fonts, rng, (print_, fill))
    else:
        _fill_lines(spec, fonts, rng, (print_, fill))
    sheet = apply_ink(sheet, print_, _RED, rng, wear=0.45)
    sheet = apply_ink(sheet, fill, _INK, rng, wear=0.25)
    stamp = Stamp(lines=spec.stamp, colour=(150, 24, 60), angle=9.0, round=True)
    sheet = apply_stamp(
        sheet,
        (size[0] - 26, size[1] * 0.62),
        stamp,
        fonts.get("bold", 40 if spec.upright else 28),
        rng,
    )
    mask = tear_mask(size, ("right", "bottom"), rng, 10)
    altar = make_wood(spec.size, (104, 36, 26), rng)
    return add_vignette(lay_torn(altar, sheet, mask, (244, 238, 220), 1.6), 0.3)


def _crumple(sheet: Image.Image, rng: Random) -> Image.Image:
    """Return the sheet with the creases of a paper that was crushed in a hand."""
    width, height = sheet.size
    light, dark = Image.new("L", sheet.size, 0), Image.new("L", sheet.size, 0)
    for _ in range(34):
        x, y = rng.uniform(0, width), rng.uniform(0, height)
        end = (x + rng.uniform(-190, 190), y + rng.uniform(-150, 150))
        ImageDraw.Draw(light).line((x, y, *end), fill=rng.randrange(80, 190), width=3)
        ImageDraw.Draw(dark).line((x + 4, y + 4, end[0] + 4, end[1] + 4), fill=70, width=9)
    dark, light = (
        dark.filter(ImageFilter.GaussianBlur(4)),
        light.filter(ImageFilter.GaussianBlur(1)),
    )
    sheet = Image.composite(Image.new("RGB", sheet.size, (118, 104, 80)), sheet, dark)
    return Image.composite(Image.new("RGB", sheet.size, (252, 248, 236)), sheet, light)


def _press_coins(sheet: Image.Image) -> Image.Image:
    """Return the sheet with the rounds of coins along its upper and lower edge."""
    width, height = sheet.size
    mask = Image.new("L", sheet.size, 0)
    draw = ImageDraw.Draw(mask)
    for nth in range(width // (_COIN * 2) + 1):
        x = 30 + nth * _COIN * 2.1
        for y in (26, height - 26):
            box = (x - _COIN, y - _COIN, x + _COIN, y + _COIN)
            draw.ellipse(box, outline=190, width=4)
            draw.ellipse((x - 30, y - 30, x + 30, y + 30), outline=90, width=2)
    mask = adjust_levels(mask.filter(ImageFilter.GaussianBlur(1.4)), 0.55)
    return Image.composite(Image.new("RGB", sheet.size, (120, 106, 82)), sheet, mask)


def _print_frame(mask: Image.Image) -> None:
    draw = ImageDraw.Draw(mask)
    width, height = mask.size
    draw.rounded_rectangle((60, 74, width - 90, height - 75), 26, outline=255, width=8)
    draw.rounded_rectangle((74, 88, width - 104, height - 89), 18, outline=255, width=2)
    for x, y in ((96, 112), (width - 126, 112), (96, height - 112), (width - 126, height - 112)):
        draw.ellipse((x - 13, y - 13, x + 13, y + 13), outline=255, width=3)
        draw.rectangle((x - 4, y - 4, x + 4, y + 4), outline=255, width=2)


def _fill_columns(
    spec: WrapperSpec, fonts: Fonts, rng: Random, masks: tuple[Image.Image, Image.Image]
) -> None:
    print_, fill = masks
    right, pen = print_.size[0] - 170, Handwriting(sway=1.4, turn=1.6)
    print_column(print_, (right, 128), spec.shop, fonts.get("bold", 78), 98)
    print_column(print_, (right - 118, 128), spec.kind, fonts.get("bold", 46), 58)
    print_column(print_, (112, 150), spec.rule, fonts.get("print", 26), 34)
    large, small = fonts.get("note", 62), fonts.get("note", 34)
    for x, text, font, step in (
        (right - 228, spec.count, large, 78.0),
        (right - 346, spec.sealed, small, 36.0),
        (right - 436, spec.teller, small, 44.0),
    ):
        block = ColumnBlock(right=x, top=128, step=step, gap=0, rows=99)
        handwrite_columns(fill, block, text, font, pen, rng)


def _fill_lines(
    spec: WrapperSpec, fonts: Fonts, rng: Random, masks: tuple[Image.Image, Image.Image]
) -> None:
    print_, fill = masks
    draw, pen = ImageDraw.Draw(print_), Handwriting(sway=1.4, turn=1.2)
    middle = (print_.size[0] - 30) / 2
    draw.text((middle, 156), spec.shop, 255, fonts.get("bold", 43), anchor="mm")
    draw.text((middle, 236), spec.kind, 255, fonts.get("bold", 36), anchor="mm")
    draw.text((middle, 580), spec.rule, 255, fonts.get("print", 25), anchor="mm")
    for y, text, size in ((346, spec.count, 74), (444, spec.sealed, 42), (514, spec.teller, 38)):
        draw_handwriting(fill, (140, y), text, fonts.get("letter", size), pen, rng)
