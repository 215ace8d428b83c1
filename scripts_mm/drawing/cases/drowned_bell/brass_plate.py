"""An engraved brass plate with a table, held by five screws."""

import math
from dataclasses import dataclass
from random import Random

from PIL import Image, ImageDraw

from scripts_mm.drawing.primitives.fonts import Fonts, Hand
from scripts_mm.drawing.primitives.ink import blank_mask
from scripts_mm.drawing.primitives.paper import (
    Colour,
    Size,
    add_vignette,
    make_ground,
    make_wood,
    place_on_table,
)

_BRASS: Colour = (198, 164, 88)
_CUT: Colour = (70, 48, 20)
_GLINT: Colour = (242, 218, 154)
_ROW = 54


@dataclass(frozen=True, slots=True, kw_only=True)
class BrassPlateSpec:
    """The plate: heading, a table with its columns, foot."""

    heading: tuple[str, ...]
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    columns: tuple[int, ...]
    """Middles of the columns, in pixels."""
    foot: str
    head_size: int = 22
    size: Size = (860, 640)


def draw_brass_plate(spec: BrassPlateSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the plate on painted planks."""
    size = (spec.size[0] - 80, spec.size[1] - 80)
    plate = make_ground(size, _BRASS, rng, 120, 0.3)
    plate = _polish(plate, rng)
    mask = blank_mask(size)
    _engrave(ImageDraw.Draw(mask), spec, fonts, size)
    plate = _fill(plate, mask)
    _draw_screws(ImageDraw.Draw(plate), size, rng)
    planks = make_wood(spec.size, (92, 104, 96), rng)
    return add_vignette(place_on_table(plate, spec.size, 0.0, planks), 0.3)


def _polish(plate: Image.Image, rng: Random) -> Image.Image:
    """Return the plate with fine scratches from left to right."""
    draw = ImageDraw.Draw(plate)
    for _ in range(260):
        x, y = rng.uniform(0, plate.size[0]), rng.uniform(0, plate.size[1])
        tone = rng.choice(((214, 182, 108), (182, 148, 76)))
        draw.line((x, y, x + rng.uniform(20, 90), y + rng.uniform(-1, 1)), fill=tone, width=1)
    return plate


def _engrave(draw: ImageDraw.ImageDraw, spec: BrassPlateSpec, fonts: Fonts, size: Size) -> None:
    width, height = size

    def cut(x: float, y: float, text: str, letters: int, hand: Hand = "bold") -> None:
        draw.text((x, y), text, 255, fonts.get(hand, letters), anchor="mm")

    draw.rectangle((16, 16, width - 17, height - 17), outline=255, width=3)
    for nth, line in enumerate(spec.heading):
        cut(width / 2, 66 + 36 * nth, line, 29)
    top = 66 + 36 * len(spec.heading) + 24
    for x, word in zip(spec.columns, spec.head, strict=True):
        cut(x, top, word, spec.head_size)
    draw.line((50, top + 28, width - 50, top + 28), fill=255, width=3)
    for nth, row in enumerate(spec.rows):
        y = top + 64 + _ROW * nth
        for x, cell in zip(spec.columns, row, strict=True):
            cut(x, y, cell, 31)
        draw.line((50, y + 29, width - 50, y + 29), fill=150, width=1)
    for left, right in ((0, 1), (len(spec.columns) - 2, len(spec.columns) - 1)):
        x = (spec.columns[left] + spec.columns[right]) / 2
        draw.line((x, top - 22, x, top + 34 + _ROW * len(spec.rows)), fill=255, width=2)
    cut(width / 2, height - 52, spec.foot, 24)


def _fill(plate: Image.Image, mask: Image.Image) -> Image.Image:
    """Return the plate with the cuts dark, and a glint on their lower edges."""
    shifted = blank_mask(mask.size)
    shifted.paste(mask, (1, 2))
    plate = Image.composite(Image.new("RGB", plate.size, _GLINT), plate, shifted)
    return Image.composite(Image.new("RGB", plate.size, _CUT), plate, mask)


def _draw_screws(draw: ImageDraw.ImageDraw, size: Size, rng: Random) -> None:
    width, height = size
    inset = 36
    corners = [(x, y) for x in (inset, width - inset) for y in (inset, height - inset)]
    for x, y in (*corners, (width - inset, height // 2)):
        draw.ellipse((x - 12, y - 12, x + 12, y + 12), fill=(166, 132, 62), outline=_CUT, width=2)
        turn = rng.uniform(0, math.pi)
        slot = (9 * math.cos(turn), 9 * math.sin(turn))
        draw.line((x - slot[0], y - slot[1], x + slot[0], y + slot[1]), fill=_CUT, width=3)
