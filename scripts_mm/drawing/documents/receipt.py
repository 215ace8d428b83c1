"""A slip of narrow paper: a till's receipt, a ticket, a locker slip, in dot-matrix type."""

from dataclasses import dataclass
from random import Random

from PIL import Image, ImageDraw, ImageFilter

from scripts_mm.drawing.primitives.fonts import Font, Fonts
from scripts_mm.drawing.primitives.ink import (
    Handwriting,
    apply_ink,
    blank_mask,
    draw_handwriting,
    wrap_text,
)
from scripts_mm.drawing.primitives.paper import (
    Colour,
    Size,
    add_vignette,
    adjust_levels,
    make_noise,
    make_paper,
    make_wood,
    place_on_table,
    shade_image,
)

_PENCIL = (44, 56, 130)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiptSpec:
    """A slip: head, rows of a name and a value, total, foot."""

    head: tuple[str, ...]
    """The first line is large."""
    lines: tuple[str, ...]
    """Date, till, number: one below the other."""
    rows: tuple[tuple[str, str], ...]
    total: tuple[str, str] | None = None
    foot: tuple[str, ...] = ()
    number: str = ""
    """A large number, as on a locker slip."""
    remark: str = ""
    """Handwritten remark at the bottom."""
    colour: Colour = (243, 240, 230)
    ink: Colour = (52, 50, 66)
    table: Colour = (96, 70, 50)
    bars: bool = True
    """A bar code at the foot."""
    text_size: int = 23
    wide: int = 430
    """Width of the paper in pixels; its length follows from its contents."""
    size: Size = (600, 900)
    angle: float = 3.0
    torn: bool = True
    """Whether the lower edge is torn rather than cut."""


def draw_receipt(spec: ReceiptSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the slip."""
    mask, end = _print_slip(spec, fonts, rng)
    size = (spec.wide, round(min(end, spec.size[1] - 60)))
    sheet = shade_image(make_paper(size, spec.colour, rng, 0.07), make_noise(size, 130, rng), 0.08)
    sheet = apply_ink(sheet, _break_into_dots(mask.crop((0, 0, *size))), spec.ink, rng, wear=0.5)
    if spec.remark:
        sheet = _write_remark(sheet, spec, fonts, rng)
    table = make_wood(spec.size, spec.table, rng)
    return add_vignette(_place_torn(sheet, spec, table, rng), 0.24)


def _print_slip(spec: ReceiptSpec, fonts: Fonts, rng: Random) -> tuple[Image.Image, float]:
    """Return the printed mask and the end of the paper in pixels."""
    pen = _Printer(blank_mask((spec.wide, 4000)), spec, fonts)
    for nth, line in enumerate(spec.head):
        pen.print_centred(line, round(spec.text_size * (1.35 if nth == 0 else 0.95)))
    pen.print_rule()
    for line in spec.lines:
        pen.print_left(line)
    pen.print_rule()
    if spec.number:
        pen.print_centred(spec.number, spec.text_size * 3)
        pen.print_rule()
    for name, value in spec.rows:
        pen.print_pair(name, value)
    if spec.total is not None:
        pen.print_rule()
        pen.print_pair(*spec.total, big=True)
    pen.y += spec.text_size * 0.6
    for line in spec.foot:
        pen.print_centred(line, round(spec.text_size * 0.9))
    if spec.bars:
        pen.print_bars(rng)
    room = spec.text_size * (2.8 if spec.remark else 1.3)
    return pen.mask, pen.y + room


def _write_remark(sheet: Image.Image, spec: ReceiptSpec, fonts: Fonts, rng: Random) -> Image.Image:
    mask = blank_mask(sheet.size)
    font = fonts.get("note", round(spec.text_size * 1.15))
    y = sheet.size[1] - spec.text_size * 1.35
    draw_handwriting(mask, (26, y), spec.remark, font, Handwriting(sway=1.6, turn=1.2), rng)
    return apply_ink(sheet, mask, _PENCIL, rng)


def _break_into_dots(mask: Image.Image) -> Image.Image:
    """Break the type into dots, as a dot-matrix printer does, without losing strokes."""
    grid = Image.new("L", mask.size, 255)
    draw = ImageDraw.Draw(grid)
    for y in range(0, mask.size[1], 3):
        draw.line((0, y, mask.size[0], y), fill=150)
    for x in range(0, mask.size[0], 3):
        draw.line((x, 0, x, mask.size[1]), fill=186)
    return Image.composite(mask, adjust_levels(mask, 0.62), grid)


def _place_torn(
    sheet: Image.Image, spec: ReceiptSpec, table: Image.Image, rng: Random
) -> Image.Image:
    """Place the slip on the table, with a serrated lower edge in the table's colour."""
    if not spec.torn:
        return place_on_table(sheet, spec.size, spec.angle, table)
    width, height = sheet.size
    edge = [(0.0, float(height))]
    x = 0.0
    while x < width:
        edge.append((x, height - rng.uniform(0, 9)))
        x += rng.uniform(5, 13)
    edge += [(width, height - 4.0), (width, height + 1.0)]
    whole = Image.new("L", sheet.size, 255)
    ImageDraw.Draw(whole).polygon([*edge, (0.0, height + 1.0)], fill=0)
    turned = whole.rotate(spec.angle, Image.Resampling.BICUBIC, expand=True)
    slip = sheet.rotate(spec.angle, Image.Resampling.BICUBIC, expand=True)
    at = ((spec.size[0] - slip.size[0]) // 2, (spec.size[1] - slip.size[1]) // 2)
    shadow = Image.new("L", spec.size, 0)
    shadow.paste(adjust_levels(turned, 2 / 3), (at[0] + 6, at[1] + 8))
    shadow = shadow.filter(ImageFilter.GaussianBlur(6))
    table = Image.composite(Image.new("RGB", spec.size, (15, 12, 10)), table, shadow)
    table.paste(slip, at, turned)
    return table


class _Printer:
    """A printer that prints line by line and tracks the position on the paper."""

    def __init__(self, mask: Image.Image, spec: ReceiptSpec, fonts: Fonts) -> None:
        self.mask = mask
        self.y = spec.text_size * 1.1
        self._draw = ImageDraw.Draw(mask)
        self._spec = spec
        self._fonts = fonts

    def print_centred(self, text: str, size: int) -> None:
        font = self._fit_font(text, size)
        self.y += size * 1.34
        self._draw.text((self._spec.wide / 2, self.y), text, 255, font, anchor="ms")

    def print_left(self, text: str) -> None:
        font = self._fonts.get("mono", self._spec.text_size)
        for line in wrap_text(text, font, self._spec.wide - 52):
            self.y += self._spec.text_size * 1.36
            self._draw.text((26, self.y), line, 255, font, anchor="ls")

    def print_pair(self, name: str, value: str, *, big: bool = False) -> None:
        size = round(self._spec.text_size * (1.3 if big else 1))
        font = self._fonts.get("mono", size)
        room = self._spec.wide - 64 - font.getlength(value)
        for nth, line in enumerate(wrap_text(name, font, room)):
            self.y += size * 1.4
            self._draw.text((26, self.y), line, 255, font, anchor="ls")
            if nth == 0:
                at = (self._spec.wide - 26, self.y)
                self._draw.text(at, value, 255, font, anchor="rs")

    def print_rule(self) -> None:
        self.y += self._spec.text_size * 0.7
        for x in range(26, self._spec.wide - 26, 14):
            self._draw.line((x, self.y, x + 8, self.y), fill=230, width=2)
        self.y += self._spec.text_size * 0.1

    def print_bars(self, rng: Random) -> None:
        top = self.y + self._spec.text_size * 0.7
        x = self._spec.wide * 0.18
        while x < self._spec.wide * 0.82:
            wide = rng.choice((2, 3, 5))
            self._draw.rectangle((x, top, x + wide, top + 52), fill=255)
            x += wide + rng.choice((3, 4, 7))
        self.y = top + 52

    def _fit_font(self, text: str, size: int) -> Font:
        """Return the font, smaller if the line does not fit the paper."""
        font = self._fonts.get("mono", size)
        room = self._spec.wide - 44
        length = font.getlength(text)
        return font if length <= room else self._fonts.get("mono", int(size * room / length))
