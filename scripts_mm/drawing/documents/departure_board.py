"""An enamel board at a stop: a table in two colours under a title, rust at the chips."""

from dataclasses import dataclass
from random import Random

from PIL import Image, ImageDraw, ImageFilter

from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.paper import (
    Colour,
    Size,
    add_vignette,
    adjust_levels,
    make_ground,
    make_noise,
    make_paper,
    shade_image,
)

_RUST = (112, 62, 34)


@dataclass(frozen=True, slots=True, kw_only=True)
class DepartureBoardSpec:
    """A table of departures."""

    title: str
    subtitle: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    columns: tuple[int, ...]
    """Left edges in pixels."""
    note: str = ""
    """Framed note below the table."""
    enamel: Colour = (236, 236, 226)
    ink: Colour = (20, 46, 110)
    chips: int = 9
    """Number of places without enamel."""
    size: Size = (820, 720)
    angle: float = 0.8


def draw_departure_board(spec: DepartureBoardSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the board."""
    size = (spec.size[0] - 90, spec.size[1] - 90)
    sheet = Image.new("RGB", size, spec.enamel)
    draw = ImageDraw.Draw(sheet)
    draw.rounded_rectangle((6, 6, size[0] - 7, size[1] - 7), 22, outline=spec.ink, width=5)
    draw.rectangle((6, 30, size[0] - 7, 104), fill=spec.ink)
    draw.text((34, 67), spec.title, spec.enamel, fonts.get("sans-bold", 40), anchor="lm")
    draw.text((size[0] - 34, 67), spec.subtitle, spec.enamel, fonts.get("sans", 27), anchor="rm")
    step = 62
    for nth, row in enumerate((spec.head, *spec.rows)):
        y = 148 + step * nth
        if nth:
            draw.line((30, y - 31, size[0] - 30, y - 31), fill=(150, 160, 186), width=1)
        hand = "sans-bold" if nth == 0 else "sans"
        for x, cell in zip(spec.columns, row, strict=True):
            draw.text((x, y), cell, spec.ink, fonts.get(hand, 30 if nth else 26), anchor="lm")
    if spec.note:
        y = 148 + step * (len(spec.rows) + 1)
        draw.rectangle((30, y - 30, size[0] - 30, y + 30), outline=(160, 28, 30), width=3)
        draw.text((48, y), spec.note, (160, 28, 30), fonts.get("sans", 25), anchor="lm")
    return _hang_on_wall(_wear_enamel(sheet, spec, rng), spec, rng)


def _wear_enamel(sheet: Image.Image, spec: DepartureBoardSpec, rng: Random) -> Image.Image:
    """Chip the enamel along its edges, and add rust below the holes and gloss."""
    mask = Image.new("L", sheet.size, 0)
    draw = ImageDraw.Draw(mask)
    width, height = sheet.size
    for _ in range(spec.chips):
        x = rng.choice((rng.uniform(0, 24), rng.uniform(width - 24, width)))
        y, reach = rng.uniform(0, height), rng.uniform(5, 15)
        draw.ellipse((x - reach, y - reach * 0.8, x + reach, y + reach), fill=255)
    for x in (22, width - 22):
        for y in (20, height - 20):
            draw.ellipse((x - 7, y - 7, x + 7, y + 7), fill=255)
            draw.line((x, y, x + rng.uniform(-4, 4), min(height, y + 90)), fill=90, width=6)
    mask = mask.filter(ImageFilter.GaussianBlur(1.2))
    rusty = make_ground(sheet.size, _RUST, rng, 6, 0.4)
    sheet = Image.composite(rusty, sheet, mask)
    gloss = adjust_levels(make_noise(sheet.size, 260, rng), 0.35, -20)
    return Image.composite(Image.new("RGB", sheet.size, (255, 255, 255)), sheet, gloss)


def _hang_on_wall(sheet: Image.Image, spec: DepartureBoardSpec, rng: Random) -> Image.Image:
    wall = make_paper(spec.size, (128, 84, 66), rng, 0.20)
    draw = ImageDraw.Draw(wall)
    for row, y in enumerate(range(0, spec.size[1], 46)):
        draw.line((0, y, spec.size[0], y), fill=(158, 140, 124), width=5)
        for x in range(-60 + 60 * (row % 2), spec.size[0], 120):
            draw.line((x, y, x, y + 46), fill=(158, 140, 124), width=5)
    wall = shade_image(wall, make_noise(spec.size, 5, rng), 0.15)
    mask = Image.new("L", sheet.size, 255).rotate(spec.angle, expand=True)
    turned = sheet.rotate(spec.angle, Image.Resampling.BICUBIC, expand=True)
    at = ((spec.size[0] - turned.size[0]) // 2, (spec.size[1] - turned.size[1]) // 2)
    shadow = Image.new("L", spec.size, 0)
    shadow.paste(adjust_levels(mask, 0.6), (at[0] + 10, at[1] + 12))
    shadow = shadow.filter(ImageFilter.GaussianBlur(8))
    wall = Image.composite(Image.new("RGB", spec.size, (20, 14, 12)), wall, shadow)
    wall.paste(turned, at, mask)
    return add_vignette(wall, 0.35)
