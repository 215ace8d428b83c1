"""A green screen in a control room."""

from dataclasses import dataclass
from random import Random

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.paper import (
    Colour,
    Size,
    add_vignette,
    make_noise,
    shade_image,
)

_SIZE: Size = (900, 800)
_SCREEN = (70, 60, 830, 700)
_GLOW: Colour = (96, 236, 120)
_TUBE: Colour = (10, 30, 16)
_CASE: Colour = (196, 186, 164)
_COLUMNS = (120, 300, 470, 640)


@dataclass(frozen=True, slots=True, kw_only=True)
class ControlSpec:
    """A list of calls as the screen shows it."""

    title: str
    day: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    foot: str


def draw_control(spec: ControlSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the monitor with its list."""
    image = Image.new("RGB", _SIZE, (58, 60, 66))
    draw = ImageDraw.Draw(image)
    draw.rounded_rectangle((14, 14, 886, 770), 30, _CASE, (120, 112, 96), 4)
    draw.rounded_rectangle((46, 40, 854, 722), 46, (48, 46, 42))
    image = shade_image(image, make_noise(_SIZE, 4, rng), 0.12)
    ImageDraw.Draw(image).rounded_rectangle(_SCREEN, 36, _TUBE)
    letters = Image.new("RGB", _SIZE)
    _write_list(ImageDraw.Draw(letters), spec, fonts)
    glow = letters.filter(ImageFilter.GaussianBlur(5))
    image = ImageChops.add(ImageChops.add(image, glow), letters)
    _draw_scan_lines(image)
    knobs = ImageDraw.Draw(image)
    for x in (700, 750, 800):
        knobs.ellipse((x - 13, 735, x + 13, 761), fill=(90, 86, 78), outline=(50, 48, 44))
    knobs.rectangle((110, 740, 150, 752), fill=(200, 60, 44))
    return add_vignette(image, 0.3)


def _write_list(draw: ImageDraw.ImageDraw, spec: ControlSpec, fonts: Fonts) -> None:
    font = fonts.get("mono", 27)
    draw.text((_COLUMNS[0], 104), spec.title, _GLOW, font, anchor="lm")
    draw.text((_COLUMNS[0], 144), spec.day, _GLOW, font, anchor="lm")
    draw.line((_COLUMNS[0], 168, 780, 168), fill=(60, 160, 80), width=2)
    for nth, row in enumerate((spec.head, *spec.rows)):
        for x, cell in zip(_COLUMNS, row, strict=True):
            draw.text((x, 192 + nth * 37), cell, _GLOW, font, anchor="lm")
    draw.text((_COLUMNS[0], 192 + 37 * (len(spec.rows) + 1) + 16), spec.foot, (60, 190, 86),
              fonts.get("mono", 24), anchor="lm")  # fmt: skip


def _draw_scan_lines(image: Image.Image) -> None:
    lines = Image.new("L", image.size, 255)
    draw = ImageDraw.Draw(lines)
    for y in range(_SCREEN[1], _SCREEN[3], 4):
        draw.line((_SCREEN[0], y, _SCREEN[2], y), fill=212)
    image.paste(ImageChops.multiply(image, Image.merge("RGB", (lines,) * 3)))
