"""A filled-in official form: printed lines, typed entries, a signature and a stamp."""

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
    make_ground,
    make_paper,
    place_on_table,
)

_TYPE = (24, 22, 30)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportFormSpec:
    """A form with fields (label and entry), numbered findings and a signature."""

    office: str
    title: str
    fields: tuple[tuple[str, str], ...]
    heading: str
    findings: tuple[str, ...]
    signed: str
    """Label of the signature line."""
    signature: str
    stamp: tuple[str, ...]
    text_size: int = 21
    paper: Colour = (244, 242, 232)
    print_colour: Colour = (40, 52, 60)
    pen: Colour = (24, 40, 120)
    pen_hand: Hand = "letter"
    stamp_colour: Colour = (52, 70, 150)
    stamp_round: bool = True
    stamp_angle: float = -13
    folds: tuple[tuple[float, ...], tuple[float, ...]] = ((0.5,), (0.5,))
    """Creases across it and down it, in shares of its height and width."""
    table: Colour = (110, 122, 120)
    size: Size = (800, 1080)
    angle: float = -0.9


def draw_report_form(spec: ReportFormSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the form."""
    size = (spec.size[0] - 40, spec.size[1] - 40)
    sheet = make_paper(size, spec.paper, rng, 0.07)
    y = _print_head(sheet, spec, fonts)
    mask = blank_mask(size)
    y = _print_fields(sheet, mask, spec, fonts, y)
    _print_findings(sheet, mask, spec, fonts, y)
    sheet = apply_ink(sheet, mask, _TYPE, rng, wear=0.5)
    sheet = _add_signature(sheet, spec, fonts, rng)
    font = fonts.get("sans-bold", 22)
    stamp = Stamp(
        lines=spec.stamp, colour=spec.stamp_colour, angle=spec.stamp_angle, round=spec.stamp_round
    )
    sheet = apply_stamp(sheet, (size[0] * 0.78, size[1] - 128), stamp, font, rng)
    sheet = add_creases(sheet, across=spec.folds[0], down=spec.folds[1])
    table = make_ground(spec.size, spec.table, rng, 30, 0.2)
    return add_vignette(place_on_table(sheet, spec.size, spec.angle, table), 0.2)


def _print_head(sheet: Image.Image, spec: ReportFormSpec, fonts: Fonts) -> float:
    draw = ImageDraw.Draw(sheet)
    width = sheet.size[0]
    draw.text((width / 2, 56), spec.office, spec.print_colour, fonts.get("print", 22), anchor="mm")
    draw.text((width / 2, 104), spec.title, spec.print_colour, fonts.get("bold", 34), anchor="mm")
    draw.line((56, 138, width - 56, 138), fill=spec.print_colour, width=3)
    draw.line((56, 144, width - 56, 144), fill=spec.print_colour, width=1)
    return 152.0


def _print_fields(
    sheet: Image.Image, mask: Image.Image, spec: ReportFormSpec, fonts: Fonts, top: float
) -> float:
    draw, typed = ImageDraw.Draw(sheet), ImageDraw.Draw(mask)
    label, entry = fonts.get("print", 19), fonts.get("type", spec.text_size + 1)
    indent = 76 + max(label.getlength(name) for name, _ in spec.fields)
    y = top
    for nth, (name, text) in enumerate(spec.fields):
        y += 40
        draw.text((60, y), name, spec.print_colour, label, anchor="ls")
        draw.line((indent, y + 5, sheet.size[0] - 60, y + 5), fill=(150, 156, 156), width=1)
        typed.text((indent + 6, y + nth % 3 - 2), text, 255, entry, anchor="ls")
    return y


def _print_findings(
    sheet: Image.Image, mask: Image.Image, spec: ReportFormSpec, fonts: Fonts, top: float
) -> None:
    draw, typed = ImageDraw.Draw(sheet), ImageDraw.Draw(mask)
    draw.text((60, top + 56), spec.heading, spec.print_colour, fonts.get("bold", 22), anchor="ls")
    font = fonts.get("type", spec.text_size)
    y = top + 66
    for nth, finding in enumerate(spec.findings, 1):
        y += 8
        for at, line in enumerate(wrap_text(finding, font, sheet.size[0] - 165)):
            y += spec.text_size * 1.36
            if at == 0:
                typed.text((62, y), f"{nth}.", 255, font, anchor="ls")
            typed.text((98, y + (nth + at) % 2), line, 255, font, anchor="ls")


def _add_signature(
    sheet: Image.Image, spec: ReportFormSpec, fonts: Fonts, rng: Random
) -> Image.Image:
    draw = ImageDraw.Draw(sheet)
    y = sheet.size[1] - 92
    draw.line((60, y, 420, y), fill=(120, 126, 126), width=1)
    draw.text((60, y + 26), spec.signed, spec.print_colour, fonts.get("print", 18), anchor="ls")
    mask = blank_mask(sheet.size)
    font = fonts.get(spec.pen_hand, 46)
    end = draw_handwriting(
        mask, (84, y - 10), spec.signature, font, Handwriting(sway=2, turn=3, slant=0.2), rng
    )
    ImageDraw.Draw(mask).line((80, y + 2, end + 40, y - 12), fill=220, width=2)
    return apply_ink(sheet, mask, spec.pen, rng)
