"""A pedigree card ruled in two colours, in an ornamental hand with open fours."""

from dataclasses import dataclass
from random import Random

from PIL import Image, ImageDraw

from scripts_mm.drawing.cases.homing_hour.fours import write_with_fours
from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.ink import Handwriting, apply_ink, blank_mask
from scripts_mm.drawing.primitives.paper import (
    Colour,
    Point,
    Size,
    add_creases,
    add_vignette,
    make_ground,
    make_paper,
    place_on_table,
)

_SHEET: Size = (960, 620)
_SIZE: Size = (1060, 720)
_RED: Colour = (176, 48, 48)
_BLUE: Colour = (70, 104, 170)
_INK: Colour = (30, 56, 130)
_FIELDS: Point = (48, 166)
_STEP = 84
_PARENTS = (218, 438)
_GRANDPARENTS = (158, 278, 378, 498)


@dataclass(frozen=True, slots=True, kw_only=True)
class CardSpec:
    """The printed labels and the entries; parents and grandparents from top to bottom."""

    title: str
    fields: tuple[tuple[str, str], ...]
    parents: tuple[str, str]
    grandparents: tuple[str, str, str, str]


def draw_card(spec: CardSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the card on a feed sack."""
    sheet = make_paper(_SHEET, (246, 240, 226), rng, 0.06)
    _print_card(ImageDraw.Draw(sheet), spec, fonts)
    mask = blank_mask(_SHEET)
    pen = (Handwriting(sway=0.8, turn=0.5, slant=0.16), rng)
    entries: list[tuple[Point, str]] = [
        ((_FIELDS[0], _FIELDS[1] + nth * _STEP + 36), entry)
        for nth, (_, entry) in enumerate(spec.fields)
    ]
    entries += [((436, y), text) for y, text in zip(_PARENTS, spec.parents, strict=True)]
    entries += [((706, y), text) for y, text in zip(_GRANDPARENTS, spec.grandparents, strict=True)]
    font = fonts.get("letter", 36)
    for at, text in entries:
        write_with_fours(mask, at, text, font, pen, is_open=True)
    sheet = apply_ink(sheet, mask, _INK, rng, wear=0.2)
    sheet = add_creases(sheet, across=(0.5,), down=())
    sack = make_ground(_SIZE, (176, 150, 108), rng, 2, 0.45)
    return add_vignette(place_on_table(sheet, _SIZE, -1.2, sack), 0.25)


def _print_card(draw: ImageDraw.ImageDraw, spec: CardSpec, fonts: Fonts) -> None:
    width, height = _SHEET
    draw.rectangle((16, 16, width - 17, height - 17), outline=_RED, width=4)
    draw.rectangle((26, 26, width - 27, height - 27), outline=_BLUE, width=2)
    draw.text((width / 2, 76), spec.title, _RED, fonts.get("bold", 44), anchor="mm")
    draw.line((48, 112, width - 48, 112), fill=_BLUE, width=2)
    label = fonts.get("print", 20)
    for nth, (word, _) in enumerate(spec.fields):
        y = _FIELDS[1] + nth * _STEP
        draw.text((_FIELDS[0], y), word, _RED, label, anchor="ls")
        draw.line((_FIELDS[0], y + 46, 372, y + 46), fill=_BLUE, width=1)
    _draw_bracket(draw, (394, 322), _PARENTS, 424)
    for nth, y in enumerate(_PARENTS):
        _draw_bracket(draw, (664, y - 8), _GRANDPARENTS[2 * nth : 2 * nth + 2], 694)
    for x, heights in ((424, _PARENTS), (694, _GRANDPARENTS)):
        for y in heights:
            draw.line((x, y + 8, x + 222, y + 8), fill=_BLUE, width=1)


def _draw_bracket(
    draw: ImageDraw.ImageDraw, stem: Point, heights: tuple[int, ...], right: int
) -> None:
    """Draw the bracket from a bird to its two parents."""
    x, y = stem
    top, low = heights[0] - 8, heights[-1] - 8
    draw.line((x, top, x, low), fill=_RED, width=3)
    draw.line((x - 14, y, x, y), fill=_RED, width=3)
    for end in (top, low):
        draw.line((x, end, right, end), fill=_RED, width=3)
