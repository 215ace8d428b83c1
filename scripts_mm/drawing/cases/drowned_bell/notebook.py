"""A page of squared paper from a pocket book in oilcloth, in thick pencil."""

from dataclasses import dataclass
from random import Random

from PIL import Image, ImageDraw

from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.ink import Handwriting, apply_ink, blank_mask, draw_handwriting
from scripts_mm.drawing.primitives.paper import (
    Colour,
    Size,
    add_vignette,
    age_edges,
    make_ground,
    make_paper,
    place_on_table,
)

_SQUARE = 26
_RULE: Colour = (176, 196, 200)
_COVER: Colour = (34, 36, 42)
_MARGIN = 22
"""Width of the cover that is seen around the page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NotebookSpec:
    """The page: the day, its entries, and sums below a stroke."""

    day: str
    entries: tuple[str, ...]
    below: tuple[str, ...]
    text_size: int = 34
    leading: int = 52
    """Distance between two lines: two squares."""
    size: Size = (660, 880)


def draw_notebook(spec: NotebookSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the open page on a deck hatch."""
    outer = (spec.size[0] - 70, spec.size[1] - 64)
    inner = (outer[0] - _MARGIN, outer[1] - 2 * _MARGIN)
    page = _rule_page(make_paper(inner, (236, 234, 218), rng, 0.1))
    mask = blank_mask(inner)
    _write(mask, spec, fonts, rng)
    page = apply_ink(page, mask, (64, 62, 68), rng, wear=0.45)
    page = _stain(age_edges(page, (120, 108, 84), 0.4, rng), rng)
    cover = make_ground(outer, _COVER, rng, 4, 0.5)
    cover.paste(page, (0, _MARGIN))
    deck = make_ground(spec.size, (124, 66, 54), rng, 12, 0.3)
    return add_vignette(place_on_table(cover, spec.size, 2.2, deck), 0.25)


def _rule_page(page: Image.Image) -> Image.Image:
    draw = ImageDraw.Draw(page)
    for x in range(_SQUARE, page.size[0], _SQUARE):
        draw.line((x, 0, x, page.size[1]), fill=_RULE, width=1)
    for y in range(_SQUARE, page.size[1], _SQUARE):
        draw.line((0, y, page.size[0], y), fill=_RULE, width=1)
    for y in range(70, page.size[1], 132):
        draw.ellipse((10, y, 24, y + 14), fill=(48, 46, 48))
    return page


def _write(mask: Image.Image, spec: NotebookSpec, fonts: Fonts, rng: Random) -> None:
    font, pen = fonts.get("pencil", spec.text_size), Handwriting(sway=1.8, turn=1.1, slant=0.12)
    draw, y = ImageDraw.Draw(mask), 74.0
    end = draw_handwriting(mask, (52, y), spec.day, font, pen, rng)
    draw.line((52, y + 12, end, y + 9), fill=220, width=3)
    for line in spec.entries:
        y += spec.leading
        draw_handwriting(mask, (52, y), line, font, pen, rng)
    y += spec.leading * 0.5
    draw.line((44, y, mask.size[0] - 60, y - 6), fill=230, width=4)
    for line in spec.below:
        y += spec.leading
        draw_handwriting(mask, (52, y), line, font, pen, rng)


def _stain(page: Image.Image, rng: Random) -> Image.Image:
    """Return the page with drops of water that have dried."""
    mask = blank_mask(page.size)
    draw = ImageDraw.Draw(mask)
    for _ in range(6):
        x, y, reach = rng.uniform(60, 520), rng.uniform(60, 760), rng.uniform(12, 34)
        draw.ellipse((x - reach, y - reach, x + reach, y + reach), outline=60, width=3)
    return Image.composite(Image.new("RGB", page.size, (150, 132, 100)), page, mask)
