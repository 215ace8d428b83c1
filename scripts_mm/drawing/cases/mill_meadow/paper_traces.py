"""Traces on paper: the watermark, the pad, the cut register, the almanac."""

import math
from dataclasses import dataclass
from random import Random

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from scripts_mm.drawing.documents.typescript import TypescriptSpec, type_sheet
from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.ink import (
    Handwriting,
    apply_ink,
    blank_mask,
    draw_handwriting,
    wrap_text,
)
from scripts_mm.drawing.primitives.paper import (
    Size,
    add_vignette,
    adjust_levels,
    make_ground,
    make_noise,
    make_paper,
    make_wood,
    place_on_table,
    shade_image,
)

_YEAR = "1938"


@dataclass(frozen=True, slots=True, kw_only=True)
class WatermarkSpec:
    """The mark in the deed's paper and the caption of the photograph."""

    mark: str
    """Text below the wheel; the year follows."""
    caption: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PadSpec:
    """The lines of the torn-off sheet."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AlmanacSpec:
    """The printed page."""

    title: str
    entries: tuple[str, ...]
    marked: int
    """Number of the marked entry, from 0."""


def draw_watermark(
    spec: WatermarkSpec, deed: TypescriptSpec, fonts: Fonts, rng: Random
) -> Image.Image:
    """Draw the deed lit from below: the typing is pale, the watermark bright."""
    size: Size = (780, 860)
    sheet = make_ground(size, (250, 238, 196), rng, 9, 0.08)
    sheet = shade_image(sheet, make_noise(size, 40, rng), 0.12)
    typing = blank_mask((740, 820))
    type_sheet(typing, deed, fonts, rng)
    pale = blank_mask(size)
    pale.paste(adjust_levels(typing.filter(ImageFilter.GaussianBlur(1.6)), 0.55), (20, 20))
    sheet = Image.composite(Image.new("RGB", size, (120, 104, 84)), sheet, pale)
    mark = blank_mask(size)
    draw = ImageDraw.Draw(mark)
    _draw_wheel(draw, (390, 360), 150)
    draw.text((390, 590), spec.mark, 255, fonts.get("bold", 58), anchor="mm")
    draw.text((390, 670), _YEAR, 255, fonts.get("bold", 58), anchor="mm")
    mark = adjust_levels(mark.filter(ImageFilter.GaussianBlur(1.6)), 0.75)
    sheet = Image.composite(Image.new("RGB", size, (176, 150, 98)), sheet, mark)
    lamp = Image.new("RGB", (900, 1000), (30, 34, 40))
    glow = Image.new("L", lamp.size, 0)
    ImageDraw.Draw(glow).rectangle((30, 30, 870, 900), fill=255)
    glow = glow.filter(ImageFilter.GaussianBlur(14))
    lamp = Image.composite(Image.new("RGB", lamp.size, (255, 252, 236)), lamp, glow)
    turned = sheet.rotate(1.6, Image.Resampling.BICUBIC, expand=True, fillcolor=(255, 252, 236))
    lamp.paste(turned, (52, 34))
    draw = ImageDraw.Draw(lamp)
    draw.text((40, 955), spec.caption, (216, 220, 224), fonts.get("note", 28), anchor="lm")
    return add_vignette(lamp, 0.25)


def _draw_wheel(draw: ImageDraw.ImageDraw, at: tuple[int, int], reach: int) -> None:
    x, y = at
    for radius in (reach, reach * 0.82, reach * 0.16):
        box = (x - radius, y - radius, x + radius, y + radius)
        draw.ellipse(box, outline=255, width=6)
    for nth in range(12):
        turn = math.pi * nth / 6
        end = (x + reach * math.cos(turn), y + reach * math.sin(turn))
        draw.line((x, y, *end), fill=255, width=4)
        over = (x + reach * 1.16 * math.cos(turn + 0.1), y + reach * 1.16 * math.sin(turn + 0.1))
        draw.line((*end, *over), fill=255, width=9)


def draw_pad(spec: PadSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the next sheet of the pad, rubbed with pencil: impressions are white."""
    size: Size = (640, 720)
    sheet = make_paper(size, (250, 248, 240), rng, 0.05)
    rubbed = blank_mask(size)
    draw = ImageDraw.Draw(rubbed)
    for _ in range(2600):
        x, y = rng.uniform(10, size[0] - 90), rng.uniform(60, size[1] - 80)
        draw.line(
            (x, y, x + rng.uniform(50, 110), y - rng.uniform(16, 40)),
            fill=rng.randint(120, 190),
            width=6,
        )
    rubbed = rubbed.filter(ImageFilter.GaussianBlur(2.4))
    pressed = blank_mask(size)
    pen = Handwriting(sway=1.8, turn=1.2, slant=0.16)
    for nth, line in enumerate(spec.lines):
        draw_handwriting(pressed, (56, 170 + 88 * nth), line, fonts.get("pencil", 44), pen, rng)
    pressed = pressed.filter(ImageFilter.MaxFilter(3)).filter(ImageFilter.GaussianBlur(0.8))
    grey = ImageChops.subtract(rubbed, adjust_levels(pressed, 0.95))
    sheet = apply_ink(sheet, grey, (84, 84, 90), rng, wear=0.3)
    ImageDraw.Draw(sheet).rectangle((0, 0, size[0], 34), fill=(176, 44, 40))
    for x in range(14, size[0], 24):
        ImageDraw.Draw(sheet).ellipse((x, 42, x + 8, 50), fill=(60, 50, 44))
    return add_vignette(
        place_on_table(sheet, (760, 840), 3.2, make_wood((760, 840), (92, 70, 50), rng)), 0.3
    )


def draw_almanac(spec: AlmanacSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the printed page with a pencil mark next to one entry."""
    size: Size = (620, 760)
    sheet = make_paper(size, (234, 224, 198), rng, 0.10)
    print_, pencil = blank_mask(size), blank_mask(size)
    draw = ImageDraw.Draw(print_)
    title = wrap_text(spec.title, fonts.get("bold", 30), 500)
    for nth, line in enumerate(title):
        draw.text((60, 70 + 42 * nth), line, 255, fonts.get("bold", 30), anchor="lm")
    y = 90.0 + 42 * len(title)
    draw.line((60, y - 26, 560, y - 26), fill=255, width=2)
    for nth, entry in enumerate(spec.entries):
        lines = wrap_text(entry, fonts.get("print", 27), 480)
        for at, line in enumerate(lines):
            draw.text((70, y + 12 + at * 40), line, 255, fonts.get("print", 27), anchor="lm")
        if nth == spec.marked:
            mark = ImageDraw.Draw(pencil)
            for shift in (0, 6):
                mark.line((44 + shift, y - 6, 42 + shift, y + 40 * len(lines) - 10), 210, 3)
        y += 40 * len(lines) + 22
    low = (0, 0, size[0], round(y + 30))
    sheet, print_, pencil = sheet.crop(low), print_.crop(low), pencil.crop(low)
    sheet = apply_ink(sheet, print_, (40, 34, 30), rng, wear=0.35)
    sheet = apply_ink(sheet, pencil, (70, 74, 84), rng, wear=0.6)
    table = (740, sheet.size[1] + 120)
    return add_vignette(
        place_on_table(sheet, table, -3.5, make_wood(table, (52, 64, 66), rng)), 0.3
    )
