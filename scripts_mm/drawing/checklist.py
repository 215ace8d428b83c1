"""A list on squared paper under a clip, filled in by hand with ticks."""

from dataclasses import dataclass
from random import Random

from PIL import Image, ImageDraw

from scripts_mm.drawing.fonts import Fonts
from scripts_mm.drawing.ink import Pen, blank, inked, smeared, tick, wrapped, written
from scripts_mm.drawing.paper import Size, aged, laid, paper, vignette, wood

_INK = (28, 44, 96)
_RED = (176, 34, 34)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One line of the list."""

    time: str
    text: str
    done: bool = True
    """Ticked; otherwise its remark stands in red."""
    remark: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChecklistSpec:
    """A list of things to do, with times."""

    title: str
    owner: str
    entries: tuple[Entry, ...]
    text_size: int = 29
    size: Size = (760, 900)
    angle: float = -1.6


def checklist(spec: ChecklistSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the list."""
    size = (spec.size[0] - 90, spec.size[1] - 80)
    sheet = paper(size, (247, 245, 236), rng, 0.06)
    _squares(sheet)
    ink, red = blank(size), blank(size)
    _write(spec, fonts, rng, ink, red)
    sheet = inked(sheet, smeared(ink, 18, 0.35, rng), _INK, rng)
    sheet = inked(sheet, red, _RED, rng)
    sheet = aged(sheet, (110, 104, 92), 0.35, rng)
    board = wood(spec.size, (128, 96, 62), rng)
    picture = laid(sheet, spec.size, spec.angle, board)
    _clip(picture)
    return vignette(picture, 0.2)


def _squares(sheet: Image.Image) -> None:
    draw = ImageDraw.Draw(sheet)
    width, height = sheet.size
    for x in range(0, width, 22):
        draw.line((x, 0, x, height), fill=(214, 222, 232), width=1)
    for y in range(0, height, 22):
        draw.line((0, y, width, y), fill=(214, 222, 232), width=1)


def _write(
    spec: ChecklistSpec, fonts: Fonts, rng: Random, ink: Image.Image, red: Image.Image
) -> None:
    pen = Pen(sway=1.4, turn=1.0, slant=-0.1)
    width = ink.size[0]
    end = written(ink, (46, 118), spec.title, fonts.get("note", 38), pen, rng)
    ImageDraw.Draw(ink).line((44, 132, end, 129), fill=220, width=3)
    written(ink, (46, 170), spec.owner, fonts.get("note", 27), pen, rng)
    font = fonts.get("note", spec.text_size)
    step = spec.text_size * 1.38
    y = 206.0
    for entry in spec.entries:
        y += step * 1.12
        written(ink, (46, y), entry.time, font, pen, rng)
        if entry.done:
            tick(ink, (width - 62, y), 30, rng)
        lines = wrapped(entry.text, font, width - 250)
        for line in lines:
            written(ink, (142, y), line, font, pen, rng)
            y += step
        if entry.remark:
            written(red, (142, y), entry.remark, font, pen, rng)
            y += step
        y -= step * 0.7


def _clip(picture: Image.Image) -> None:
    draw = ImageDraw.Draw(picture)
    middle = picture.size[0] // 2
    draw.rounded_rectangle((middle - 110, 8, middle + 110, 62), 12, fill=(92, 96, 102))
    draw.rounded_rectangle((middle - 110, 8, middle + 110, 30), 12, fill=(136, 140, 146))
    draw.ellipse((middle - 14, 18, middle + 14, 46), fill=(52, 54, 58))
