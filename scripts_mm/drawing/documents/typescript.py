"""A typed sheet whose typewriter is identified by a worn letter."""

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
    split_strokes,
)
from scripts_mm.drawing.primitives.paper import (
    Colour,
    Point,
    Size,
    add_creases,
    add_vignette,
    age_edges,
    make_paper,
    make_wood,
    place_on_table,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class WornLetter:
    """The broken letter of a typewriter."""

    sign: str
    cut: tuple[float, float, float, float]
    """Left, top, right and bottom of the missing part, as shares of the letter's box."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TypescriptSpec:
    """A typed sheet: a heading, paragraphs, a handwritten signature, a stamp."""

    heading: str
    body: tuple[str, ...]
    worn: WornLetter
    signature: str = ""
    stamp: Stamp | None = None
    stamp_at: Point = (0.7, 0.8)
    """Centre of the stamp, as shares of the sheet."""
    corner: str = ""
    """Typed text in the upper right corner."""
    text_size: int = 28
    colour: Colour = (232, 218, 184)
    ink: Colour = (40, 36, 52)
    age: float = 0.7
    creases: tuple[float, ...] = ()
    """Positions of horizontal folds, as shares of the sheet's height."""
    size: Size = (820, 900)
    margin: int = 64
    angle: float = -1.2
    table: Colour = (72, 60, 52)


def draw_typescript(spec: TypescriptSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the sheet on a table."""
    size = (spec.size[0] - 80, spec.size[1] - 80)
    sheet = make_paper(size, spec.colour, rng, 0.09)
    mask = blank_mask(size)
    end = type_sheet(mask, spec, fonts, rng)
    sheet = apply_ink(sheet, mask, spec.ink, rng, wear=0.45)
    if spec.signature:
        pen = blank_mask(size)
        font = fonts.get("letter", round(spec.text_size * 1.5))
        draw_handwriting(
            pen, (spec.margin, end + 70), spec.signature, font, Handwriting(turn=0.5), rng
        )
        sheet = apply_ink(sheet, pen, (30, 40, 96), rng)
    if spec.stamp is not None:
        at = (spec.stamp_at[0] * size[0], spec.stamp_at[1] * size[1])
        sheet = apply_stamp(sheet, at, spec.stamp, fonts.get("bold", 22), rng)
    if spec.creases:
        sheet = add_creases(sheet, across=spec.creases, down=())
    if spec.age:
        sheet = age_edges(sheet, (126, 96, 52), spec.age, rng)
    return add_vignette(
        place_on_table(sheet, spec.size, spec.angle, make_wood(spec.size, spec.table, rng)), 0.22
    )


def type_sheet(mask: Image.Image, spec: TypescriptSpec, fonts: Fonts, rng: Random) -> float:
    """Type the sheet on `mask` (mode L); return the y position of the last line."""
    width = mask.size[0] - 2 * spec.margin
    y = spec.margin + spec.text_size
    if spec.corner:
        end = mask.size[0] - spec.margin
        long = fonts.get("type", spec.text_size).getlength(spec.corner)
        _type_line(mask, (end - long, y), spec.corner, spec, fonts, rng)
    if spec.heading:
        _type_line(mask, (spec.margin, y), spec.heading, spec, fonts, rng)
        y += spec.text_size * 2.2
    for paragraph in spec.body:
        for line in _break_lines(paragraph, fonts, spec.text_size, width):
            _type_line(mask, (spec.margin, y), line, spec, fonts, rng)
            y += spec.text_size * 1.55
        y += spec.text_size * 0.8
    return y


def _break_lines(text: str, fonts: Fonts, size: int, width: float) -> list[str]:
    """Break a paragraph into lines, none of which begins with a punctuation mark."""
    font, lines, line = fonts.get("type", size), list[str](), ""
    for piece in split_strokes(text):
        fits = font.getlength((line + piece).rstrip()) <= width
        if fits or not line or piece[0] in "，。；：、）.,;:)":
            line += piece
        else:
            lines.append(line.rstrip())
            line = piece
    return [*lines, line.rstrip()]


def _type_line(
    mask: Image.Image, at: Point, text: str, spec: TypescriptSpec, fonts: Fonts, rng: Random
) -> None:
    hand: Hand = "type"
    font = fonts.get(hand, spec.text_size)
    draw = ImageDraw.Draw(mask)
    x = at[0]
    for sign in text:
        y = at[1] + (rng.uniform(-2.5, -1.0) if rng.random() < 0.05 else rng.uniform(-0.5, 0.5))  # noqa: PLR2004 - one stroke in twenty jumps
        draw.text((x, y), sign, rng.randint(205, 255), font, anchor="ls")
        if sign == spec.worn.sign:
            left, top, right, bottom = draw.textbbox((x, y), sign, font, anchor="ls")
            wide, high = right - left, bottom - top
            one = spec.worn.cut
            box = (
                left + one[0] * wide,
                top + one[1] * high,
                left + one[2] * wide,
                top + one[3] * high,
            )
            draw.rectangle(box, fill=0)
        x += font.getlength(sign)
