"""An anonymous letter: clumsy capitals on grey drawing paper."""

from dataclasses import dataclass
from random import Random

from PIL import Image, ImageDraw

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
    add_creases,
    add_vignette,
    make_ground,
    make_paper,
    place_on_table,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CapitalsSpec:
    """Lines in a disguised hand."""

    lines: tuple[str, ...]
    text_size: int = 44
    leading: float = 74
    size: Size = (820, 700)
    angle: float = -2.4


def draw_capitals(spec: CapitalsSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the letter."""
    size = (spec.size[0] - 90, spec.size[1] - 90)
    sheet = make_paper(size, (182, 182, 176), rng, 0.12)
    mask = blank_mask(size)
    font = fonts.get("pencil", spec.text_size)
    pen = Handwriting(sway=5, turn=4.5, slant=-0.16, spacing=1.04)
    y = 60.0
    for text in spec.lines:
        for line in wrap_text(text, font, size[0] - 120):
            y += spec.leading
            draw_handwriting(mask, (56 + rng.uniform(-8, 14), y), line, font, pen, rng)
    thick = blank_mask(size)
    for shift in ((0, 0), (1, 0), (0, 1), (1, 1)):
        thick.paste(255, shift, mask.crop((0, 0, size[0] - shift[0], size[1] - shift[1])))
    sheet = apply_ink(sheet, thick, (36, 34, 38), rng, wear=0.5)
    sheet = add_creases(_add_smudges(sheet, rng), across=(0.36, 0.69), down=(0.5,))
    table = make_ground(spec.size, (84, 96, 92), rng, 4, 0.3)
    return add_vignette(place_on_table(sheet, spec.size, spec.angle, table), 0.25)


def _add_smudges(sheet: Image.Image, rng: Random) -> Image.Image:
    mask = blank_mask(sheet.size)
    draw = ImageDraw.Draw(mask)
    for _ in range(14):
        x, y = rng.uniform(40, sheet.size[0] - 80), rng.uniform(40, sheet.size[1] - 40)
        draw.ellipse((x, y, x + rng.uniform(12, 40), y + rng.uniform(6, 14)), fill=30)
    return Image.composite(Image.new("RGB", sheet.size, (60, 58, 60)), sheet, mask)
