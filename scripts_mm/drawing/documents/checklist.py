"""A list on squared paper under a clip, filled in by hand with ticks."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from types import MappingProxyType
from typing import Literal

from PIL import Image, ImageDraw

from scripts_mm.drawing.primitives.fonts import Fonts, Hand
from scripts_mm.drawing.primitives.ink import (
    Handwriting,
    apply_ink,
    blank_mask,
    draw_handwriting,
    draw_tick,
    smear_ink,
    wrap_text,
)
from scripts_mm.drawing.primitives.paper import (
    Colour,
    Size,
    TableKind,
    add_vignette,
    age_edges,
    make_paper,
    make_table,
    place_on_table,
    rule_lines,
)

_INK = (28, 44, 96)
_RED = (176, 34, 34)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChecklistEntry:
    """One line of the list."""

    time: str
    text: str
    done: bool = True
    """Whether it is ticked; otherwise its remark is in red."""
    remark: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChecklistSpec:
    """A list of things to do, with times."""

    title: str
    owner: str
    entries: tuple[ChecklistEntry, ...]
    text_size: int = 29
    paper: Colour = (247, 245, 236)
    printed: Literal["squares", "lines", "nothing"] = "squares"
    """What is printed on the paper."""
    rule: Colour = (214, 222, 232)
    ink: Colour = _INK
    red: Colour = _RED
    hand: Hand = "note"
    smear: float = 0.35
    """Smearing of the wet ink, 0 to 1."""
    held: Literal["clip", "pin", "rings", "nothing"] = "clip"
    """What holds the sheet."""
    table: Colour = (128, 96, 62)
    table_kind: TableKind = "wood"
    size: Size = (760, 900)
    angle: float = -1.6


def draw_checklist(spec: ChecklistSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the list."""
    size = (spec.size[0] - 90, spec.size[1] - 80)
    sheet = make_paper(size, spec.paper, rng, 0.06)
    if spec.printed != "nothing":
        rule_lines(sheet, spec.rule, 22 if spec.printed == "squares" else 40,
                   squares=spec.printed == "squares")  # fmt: skip
    ink, red = blank_mask(size), blank_mask(size)
    _write_entries(spec, fonts, rng, ink, red)
    sheet = apply_ink(sheet, smear_ink(ink, 18, spec.smear, rng), spec.ink, rng)
    sheet = apply_ink(sheet, red, spec.red, rng)
    sheet = age_edges(sheet, (110, 104, 92), 0.35, rng)
    board = make_table(spec.size, spec.table, rng, spec.table_kind)
    picture = place_on_table(sheet, spec.size, spec.angle, board)
    HOLDERS[spec.held](picture)
    return add_vignette(picture, 0.2)


def _write_entries(
    spec: ChecklistSpec, fonts: Fonts, rng: Random, ink: Image.Image, red: Image.Image
) -> None:
    pen = Handwriting(sway=1.4, turn=1.0, slant=-0.1)
    width = ink.size[0]
    end = draw_handwriting(ink, (46, 118), spec.title, fonts.get(spec.hand, 38), pen, rng)
    ImageDraw.Draw(ink).line((44, 132, end, 129), fill=220, width=3)
    draw_handwriting(ink, (46, 170), spec.owner, fonts.get(spec.hand, 27), pen, rng)
    font = fonts.get(spec.hand, spec.text_size)
    step = spec.text_size * 1.38
    y = 206.0
    for entry in spec.entries:
        y += step * 1.12
        draw_handwriting(ink, (46, y), entry.time, font, pen, rng)
        if entry.done:
            draw_tick(ink, (width - 62, y), 30, rng)
        lines = wrap_text(entry.text, font, width - 250)
        for line in lines:
            draw_handwriting(ink, (142, y), line, font, pen, rng)
            y += step
        if entry.remark:
            draw_handwriting(red, (142, y), entry.remark, font, pen, rng)
            y += step
        y -= step * 0.7


def _draw_clip(picture: Image.Image) -> None:
    draw = ImageDraw.Draw(picture)
    middle = picture.size[0] // 2
    draw.rounded_rectangle((middle - 110, 8, middle + 110, 62), 12, fill=(92, 96, 102))
    draw.rounded_rectangle((middle - 110, 8, middle + 110, 30), 12, fill=(136, 140, 146))
    draw.ellipse((middle - 14, 18, middle + 14, 46), fill=(52, 54, 58))


def _draw_pin(picture: Image.Image) -> None:
    draw = ImageDraw.Draw(picture)
    middle = picture.size[0] // 2
    draw.ellipse((middle - 9, 52, middle + 15, 76), fill=(60, 50, 44))
    draw.ellipse((middle - 13, 44, middle + 11, 68), fill=(176, 46, 40))
    draw.ellipse((middle - 8, 48, middle, 56), fill=(232, 140, 128))


def _draw_rings(picture: Image.Image) -> None:
    draw = ImageDraw.Draw(picture)
    for x in range(70, picture.size[0] - 50, 44):
        draw.arc((x - 12, 14, x + 12, 66), 0, 360, fill=(70, 72, 78), width=5)
        draw.arc((x - 10, 16, x + 10, 64), 190, 320, fill=(190, 192, 196), width=2)


def _leave_loose(_: Image.Image) -> None:
    """Draw nothing: the sheet lies loose."""


HOLDERS: Mapping[str, Callable[[Image.Image], None]] = MappingProxyType(
    {"clip": _draw_clip, "pin": _draw_pin, "rings": _draw_rings, "nothing": _leave_loose}
)
"""What holds a sheet, by the name that specs use."""
