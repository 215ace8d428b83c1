"""Letters, a telegram and a pawn ticket."""

from dataclasses import dataclass
from random import Random

from PIL import Image, ImageDraw

from scripts_mm.drawing.primitives.fonts import Fonts, Hand
from scripts_mm.drawing.primitives.ink import (
    Handwriting,
    Stamp,
    apply_ink,
    apply_stamp,
    blank_mask,
    draw_handwriting,
    wrap_text,
)
from scripts_mm.drawing.primitives.paper import (
    Colour,
    Size,
    add_creases,
    add_vignette,
    adjust_levels,
    age_edges,
    make_paper,
    make_wood,
    place_on_table,
)
from scripts_mm.drawing.primitives.vertical_text import ColumnBlock, handwrite_columns, print_column


@dataclass(frozen=True, slots=True, kw_only=True)
class HandLetterSpec:
    """A letter: the sheet, the hand and the ink. `upright`: written in columns."""

    lines: tuple[str, ...]
    """Greeting, paragraphs, date; a line that begins with a tab is indented far down or right."""
    hand: Hand
    ink: Colour
    paper: Colour
    rule: Colour
    upright: bool = False
    text_size: int = 34
    leading: float = 52
    slant: float = 0.0
    creased: tuple[tuple[float, ...], tuple[float, ...]] = ((0.33, 0.66), ())
    table: Colour = (70, 52, 40)
    size: Size = (760, 960)
    angle: float = -1.3


def draw_hand_letter(spec: HandLetterSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the letter on a table."""
    size = (spec.size[0] - 70, spec.size[1] - 70)
    sheet = make_paper(size, spec.paper, rng, 0.04)
    _draw_rules(sheet, spec)
    mask = blank_mask(size)
    if spec.upright:
        _write_down(mask, spec, fonts, rng)
    else:
        _write_across(mask, spec, fonts, rng)
    sheet = age_edges(apply_ink(sheet, mask, spec.ink, rng, wear=0.3), (130, 96, 56), 0.55, rng)
    sheet = add_creases(sheet, across=spec.creased[0], down=spec.creased[1])
    table = make_wood(spec.size, spec.table, rng)
    return add_vignette(place_on_table(sheet, spec.size, spec.angle, table), 0.26)


def _draw_rules(sheet: Image.Image, spec: HandLetterSpec) -> None:
    draw = ImageDraw.Draw(sheet)
    width, height = sheet.size
    if spec.upright:
        draw.rectangle((40, 40, width - 41, height - 41), outline=spec.rule, width=3)
        x = width - 40 - spec.leading * 1.1
        while x > 40 + spec.leading * 0.5:
            draw.line((x, 40, x, height - 40), fill=spec.rule, width=2)
            x -= spec.leading
        return
    y = 110.0
    while y < height - 40:
        draw.line((30, y, width - 30, y), fill=spec.rule, width=2)
        y += spec.leading


def _write_down(mask: Image.Image, spec: HandLetterSpec, fonts: Fonts, rng: Random) -> None:
    font = fonts.get(spec.hand, spec.text_size)
    width, height = mask.size
    x = width - 40 - spec.leading * 0.6
    step = spec.text_size * 1.14
    for line in spec.lines:
        top = height * 0.42 if line.startswith("\t") else 64.0
        rows = int((height - 60 - top) / step)
        block = ColumnBlock(right=x, top=top, step=step, gap=spec.leading, rows=rows)
        pen = Handwriting(sway=1.2, turn=1.4, slant=spec.slant)
        x = handwrite_columns(mask, block, line.lstrip("\t"), font, pen, rng)


def _write_across(mask: Image.Image, spec: HandLetterSpec, fonts: Fonts, rng: Random) -> None:
    font = fonts.get(spec.hand, spec.text_size)
    pen = Handwriting(sway=1.2, turn=0.9, slant=spec.slant)
    width = mask.size[0]
    y = 110.0 - spec.leading * 0.18
    for text in spec.lines:
        for line in wrap_text(text.lstrip("\t"), font, width - 110):
            far = width - 60 - font.getlength(line) if text.startswith("\t") else 52.0
            draw_handwriting(mask, (far + rng.uniform(-3, 4), y), line, font, pen, rng)
            y += spec.leading


@dataclass(frozen=True, slots=True, kw_only=True)
class TelegramSpec:
    """A telegraph form as handed in."""

    office: str
    title: str
    fields: tuple[tuple[str, str], ...]
    heading: str
    message: str
    foot: str
    stamp: tuple[str, ...]
    text_size: int = 36
    size: Size = (900, 720)
    angle: float = 1.8


def draw_telegram(spec: TelegramSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the form."""
    size = (spec.size[0] - 60, spec.size[1] - 60)
    sheet = make_paper(size, (236, 220, 160), rng, 0.06)
    draw = ImageDraw.Draw(sheet)
    print_, width = (40, 60, 110), size[0]
    draw.rectangle((22, 22, width - 23, size[1] - 23), outline=print_, width=3)
    draw.text((width / 2, 56), spec.office, print_, fonts.get("print", 22), anchor="mm")
    draw.text((width / 2, 100), spec.title, print_, fonts.get("bold", 36), anchor="mm")
    mask, y = blank_mask(size), 132.0
    label = fonts.get("print", 20)
    indent = 66 + max(label.getlength(name) for name, _ in spec.fields)
    for name, text in spec.fields:
        draw.line((22, y, width - 23, y), fill=print_, width=1)
        draw.text((44, y + 26), name, print_, label, anchor="lm")
        draw_handwriting(
            mask, (indent, y + 36), text, fonts.get("note", 28), Handwriting(sway=1), rng
        )
        y += 52
    draw.line((22, y, width - 23, y), fill=print_, width=3)
    draw.text((44, y + 28), spec.heading, print_, label, anchor="lm")
    font = fonts.get("note", spec.text_size)
    for nth, line in enumerate(wrap_text(spec.message, font, width - 120)):
        at = (60, y + 92 + nth * spec.text_size * 1.5)
        draw_handwriting(mask, at, line, font, Handwriting(sway=1.4, turn=1.2), rng)
    draw.text((44, size[1] - 46), spec.foot, print_, fonts.get("print", 18), anchor="lm")
    sheet = apply_ink(sheet, mask, (36, 34, 40), rng, wear=0.4)
    stamp = Stamp(lines=spec.stamp, colour=(150, 30, 60), angle=-11, round=True)
    centre = (width - 130, size[1] - 140)
    sheet = apply_stamp(sheet, centre, stamp, fonts.get("sans-bold", 21), rng)
    sheet = add_creases(sheet, across=(), down=(0.34, 0.68))
    table = make_paper(spec.size, (112, 104, 92), rng, 0.10)
    return add_vignette(place_on_table(sheet, spec.size, spec.angle, table), 0.2)


@dataclass(frozen=True, slots=True, kw_only=True)
class PawnTicketSpec:
    """A pawnshop's slip with its large sign and its entries."""

    shop: str
    sign: str
    """The large sign in the frame."""
    number: str
    lines: tuple[str, ...]
    rule: str
    upright: bool = False
    text_size: int = 30
    size: Size = (640, 980)
    angle: float = 3.2


def draw_pawn_ticket(spec: PawnTicketSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the slip on the planks of a boat."""
    size = (spec.size[0] - 120, spec.size[1] - 90)
    sheet = make_paper(size, (222, 206, 170), rng, 0.09)
    block, ink = blank_mask(size), blank_mask(size)
    _draw_frame(block, spec, fonts)
    pen = Handwriting(sway=1.6, turn=2.2, slant=-0.12)
    font = fonts.get("letter", spec.text_size)
    if spec.upright:
        columns = ColumnBlock(
            right=size[0] - 74, top=338, step=spec.text_size * 1.06, gap=52, rows=14
        )
        x = columns.right
        for line in spec.lines:
            one = ColumnBlock(right=x, top=columns.top, step=columns.step, gap=52, rows=40)
            x = handwrite_columns(ink, one, line, font, pen, rng)
    else:
        y = 366.0
        for text in spec.lines:
            for line in wrap_text(text, font, size[0] - 110):
                draw_handwriting(ink, (54, y), line, font, pen, rng)
                y += spec.text_size * 1.45
    sheet = apply_ink(sheet, adjust_levels(block, 0.9), (38, 60, 120), rng, wear=0.5)
    sheet = apply_ink(sheet, ink, (28, 26, 30), rng, wear=0.3)
    stamp = Stamp(lines=(spec.shop,), colour=(190, 40, 34), angle=4)
    centre = (size[0] * 0.5, size[1] - (116 if spec.upright else 190))
    sheet = apply_stamp(sheet, centre, stamp, fonts.get("bold", 26), rng)
    sheet = add_creases(age_edges(sheet, (120, 86, 46), 0.7, rng), across=(0.5,), down=(0.5,))
    planks = make_wood(spec.size, (96, 74, 54), rng)
    for y in range(120, spec.size[1], 190):
        ImageDraw.Draw(planks).line((0, y, spec.size[0], y), fill=(34, 26, 20), width=7)
    return add_vignette(place_on_table(sheet, spec.size, spec.angle, planks), 0.3)


def _draw_frame(mask: Image.Image, spec: PawnTicketSpec, fonts: Fonts) -> None:
    """Print the woodcut frame, the sign, the number and the rule along the side."""
    draw = ImageDraw.Draw(mask)
    width, height = mask.size
    for inset, line in ((20, 7), (32, 2)):
        box = (inset, inset, width - inset - 1, height - inset - 1)
        draw.rectangle(box, outline=255, width=line)
    draw.rectangle((32, 316, width - 33, 320), fill=255)
    draw.ellipse((width / 2 - 92, 92, width / 2 + 92, 276), outline=255, width=5)
    large = 128 if spec.upright else 46
    draw.text((width / 2, 184), spec.sign, 255, fonts.get("bold", large), anchor="mm")
    draw.text((width / 2, 64), spec.number, 255, fonts.get("bold", 24), anchor="mm")
    draw.text((width / 2, 296), spec.shop, 255, fonts.get("bold", 22), anchor="mm")
    if spec.upright:
        print_column(mask, (60, 344), spec.rule, fonts.get("print", 19), 23)
        return
    font = fonts.get("print", 17)
    for nth, line in enumerate(wrap_text(spec.rule, font, width - 100)):
        draw.text((50, height - 96 + nth * 24), line, 255, font, anchor="lm")
