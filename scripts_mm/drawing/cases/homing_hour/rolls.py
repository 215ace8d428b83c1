"""The rolls of five pigeon clocks, pinned to a cork board."""

from dataclasses import dataclass
from random import Random

from PIL import Image, ImageDraw, ImageFilter

from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.ink import apply_ink, blank_mask
from scripts_mm.drawing.primitives.paper import (
    Colour,
    Size,
    add_vignette,
    make_noise,
    make_paper,
    shade_image,
)

_SIZE: Size = (1060, 640)
_CORK: Colour = (186, 142, 92)
_VIOLET: Colour = (92, 46, 124)
_STRIP: Size = (186, 430)
_LABEL: Size = (176, 70)
_PITCH = 204


@dataclass(frozen=True, slots=True, kw_only=True)
class RollsSpec:
    """The strips: an owner, and what the clock printed; and a note on a card."""

    strips: tuple[tuple[str, ...], ...]
    note: str


def draw_rolls(spec: RollsSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the board."""
    board = Image.new("RGB", _SIZE, _CORK)
    board = shade_image(board, make_noise(_SIZE, 3, rng), 0.4)
    board = shade_image(board, make_noise(_SIZE, 9, rng), 0.25)
    for nth, strip in enumerate(spec.strips):
        x, y = 24 + nth * _PITCH, 74 + round(rng.uniform(-6, 6))
        _pin_sheet(board, _print_strip(strip[1:], fonts, rng), (x, y + 44))
        _pin_sheet(board, _write_label(strip[0], fonts, rng), (x + 6, y - 40))
        _draw_pin(board, (x + 94, y - 26), rng)
    _pin_sheet(board, _write_note(spec.note, fonts, rng), (180, 566))
    return add_vignette(board, 0.22)


def _print_strip(lines: tuple[str, ...], fonts: Fonts, rng: Random) -> Image.Image:
    strip = make_paper(_STRIP, (246, 244, 238), rng, 0.05)
    mask = blank_mask(_STRIP)
    draw = ImageDraw.Draw(mask)
    font = fonts.get("mono", 21)
    for nth, line in enumerate(lines):
        at = (_STRIP[0] / 2 + rng.uniform(-3, 3), 118 + nth * 96)
        draw.text(at, line, 255, font, anchor="mm")
        draw.line((20, at[1] + 30, 166, at[1] + 30), fill=120, width=2)
    strip = apply_ink(strip, mask, _VIOLET, rng, wear=0.45)
    edge = ImageDraw.Draw(strip)
    for x in range(0, _STRIP[0], 12):
        edge.polygon(((x, _STRIP[1]), (x + 6, _STRIP[1] - 8), (x + 12, _STRIP[1])), fill=_CORK)
    return strip


def _write_label(owner: str, fonts: Fonts, rng: Random) -> Image.Image:
    label = make_paper(_LABEL, (222, 196, 142), rng, 0.1)
    draw = ImageDraw.Draw(label)
    draw.rectangle((5, 5, _LABEL[0] - 6, _LABEL[1] - 6), outline=(120, 86, 50), width=2)
    draw.text((_LABEL[0] / 2, 44), owner, (40, 34, 30), fonts.get("note", 25), anchor="mm")
    return label


def _write_note(note: str, fonts: Fonts, rng: Random) -> Image.Image:
    card = make_paper((700, 54), (232, 236, 226), rng, 0.06)
    ImageDraw.Draw(card).text((350, 27), note, (30, 60, 48), fonts.get("note", 26), anchor="mm")
    return card


def _pin_sheet(board: Image.Image, sheet: Image.Image, at: tuple[int, int]) -> None:
    shadow = Image.new("L", board.size, 0)
    box = (at[0] + 5, at[1] + 7, at[0] + sheet.size[0] + 5, at[1] + sheet.size[1] + 7)
    ImageDraw.Draw(shadow).rectangle(box, fill=120)
    shadow = shadow.filter(ImageFilter.GaussianBlur(5))
    board.paste((50, 34, 20), (0, 0), shadow)
    board.paste(sheet, at)


def _draw_pin(board: Image.Image, at: tuple[int, int], rng: Random) -> None:
    draw = ImageDraw.Draw(board)
    x, y = at
    fill = rng.choice(((176, 40, 38), (44, 84, 150), (232, 190, 60)))
    draw.ellipse((x - 9, y - 9, x + 9, y + 9), fill=fill, outline=(40, 30, 26))
    draw.ellipse((x - 5, y - 6, x - 1, y - 2), fill=(250, 246, 240))
