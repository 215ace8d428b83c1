"""The log of the alarm post: a form run off in blue, with red and green dots for lanterns."""

from dataclasses import dataclass
from random import Random
from typing import Literal

from PIL import Image, ImageDraw

from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.ink import Handwriting, apply_ink, blank_mask, draw_handwriting
from scripts_mm.drawing.primitives.paper import (
    Colour,
    Point,
    Size,
    add_creases,
    add_vignette,
    age_edges,
    make_ground,
    make_paper,
    place_on_table,
)

_BLUE = (66, 84, 150)
_INK = (28, 26, 30)
_DOTS: dict[str, Colour] = {"red": (200, 36, 34), "green": (34, 132, 72)}
_TOP, _ROW = 190, 66
_TABS = (52, 296, 446)
"""Left ends of the hours, the dots and the remarks."""
_RADIUS = 13


@dataclass(frozen=True, slots=True, kw_only=True)
class AlarmRow:
    """A line of the log: the hour, the lanterns and a remark."""

    hour: str
    text: str
    lamps: int = 0
    colour: Literal["red", "green"] = "red"


@dataclass(frozen=True, slots=True, kw_only=True)
class AlarmFormSpec:
    """The form and what was entered in it."""

    post: str
    night: str
    sky: str
    rows: tuple[AlarmRow, ...]
    foot: str
    signed: str
    hand: Literal["note", "letter"] = "letter"
    text_size: int = 31
    size: Size = (820, 900)


def draw_alarm_form(spec: AlarmFormSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the form on a desk of slate."""
    size = (spec.size[0] - 50, spec.size[1] - 50)
    sheet = make_paper(size, (226, 226, 214), rng, 0.08)
    sheet = apply_ink(sheet, _print_form(size, spec, fonts), _BLUE, rng, wear=0.5)
    _dot_lamps(sheet, spec, rng)
    sheet = apply_ink(sheet, _write_rows(size, spec, fonts, rng), _INK, rng, wear=0.25)
    sheet = add_creases(age_edges(sheet, (150, 140, 110), 0.4, rng), across=(0.5,), down=())
    desk = make_ground(spec.size, (62, 66, 70), rng, 6, 0.3)
    return add_vignette(place_on_table(sheet, spec.size, 0.7, desk), 0.18)


def _print_form(size: Size, spec: AlarmFormSpec, fonts: Fonts) -> Image.Image:
    """Return the printed part: the post, the night and the grid."""
    mask = blank_mask(size)
    draw = ImageDraw.Draw(mask)
    draw.text((size[0] / 2, 56), spec.post, 255, fonts.get("bold", 34), anchor="mm")
    draw.text((_TABS[0], 112), spec.night, 255, fonts.get("print", 25), anchor="lm")
    low = _TOP + _ROW * len(spec.rows)
    for nth in range(len(spec.rows) + 1):
        y = _TOP + nth * _ROW
        draw.line((34, y, size[0] - 34, y), fill=255, width=2)
    for x in (34, _TABS[1] - 22, _TABS[2] - 26, size[0] - 35):
        draw.line((x, _TOP, x, low), fill=255, width=2)
    draw.rectangle((28, _TOP - 6, size[0] - 29, low + 6), outline=255, width=3)
    return mask


def _dot_lamps(sheet: Image.Image, spec: AlarmFormSpec, rng: Random) -> None:
    """Dot the lanterns of every row with coloured ink."""
    draw = ImageDraw.Draw(sheet)
    for nth, row in enumerate(spec.rows):
        y = _TOP + (nth + 0.5) * _ROW
        for lamp in range(row.lamps):
            x = _TABS[1] + 12 + lamp * 40 + rng.uniform(-2, 2)
            reach = _RADIUS + rng.uniform(-1, 1)
            box = (x - reach, y - reach, x + reach, y + reach)
            draw.ellipse(box, fill=_DOTS[row.colour])


def _write_rows(size: Size, spec: AlarmFormSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Return what was filled in by hand."""
    mask = blank_mask(size)
    pen = Handwriting(sway=1.4, turn=1.2)
    font = fonts.get(spec.hand, spec.text_size)

    def write(at: Point, text: str) -> None:
        draw_handwriting(mask, at, text, font, pen, rng)

    write((_TABS[0], 160), spec.sky)
    for nth, row in enumerate(spec.rows):
        base = _TOP + (nth + 0.5) * _ROW + spec.text_size * 0.36
        write((_TABS[0], base), row.hour)
        write((_TABS[2], base), row.text)
    low = _TOP + _ROW * len(spec.rows)
    write((_TABS[0], low + 64), spec.foot)
    write((size[0] - 300, low + 112), spec.signed)
    return mask
