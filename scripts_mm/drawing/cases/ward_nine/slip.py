"""A yellow telephone slip, one third of it burnt in a stove."""

from dataclasses import dataclass
from random import Random

from PIL import Image, ImageDraw, ImageFilter

from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.ink import (
    Handwriting,
    apply_ink,
    blank_mask,
    draw_handwriting,
    smear_ink,
)
from scripts_mm.drawing.primitives.paper import (
    Point,
    Size,
    add_vignette,
    adjust_levels,
    make_ground,
    make_noise,
    make_paper,
    shade_image,
)

_SIZE: Size = (840, 640)
_SHEET: Size = (700, 500)
_YELLOW = (238, 214, 116)
_PRINT = (92, 70, 30)
_RED = (190, 44, 38)
_INK = (30, 34, 62)


@dataclass(frozen=True, slots=True, kw_only=True)
class SlipSpec:
    """The telephone slip: its printed and handwritten words."""

    heading: str
    number: str
    day: str
    time: str
    caller: tuple[str, str]
    """The printed label and the entry."""
    message: tuple[str, ...]
    """Handwritten lines."""
    text_size: int = 40


def draw_slip(spec: SlipSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the rest of the slip; the line with the addressee is burnt."""
    sheet = make_paper(_SHEET, _YELLOW, rng, 0.1)
    _print_form(ImageDraw.Draw(sheet), spec, fonts)
    number = blank_mask(_SHEET)
    draw = ImageDraw.Draw(number)
    draw.text((660, 132), spec.number, 255, fonts.get("mono", 30), anchor="rm")
    sheet = apply_ink(sheet, number, _RED, rng, wear=0.4)
    sheet = apply_ink(
        sheet, smear_ink(_write_message(spec, fonts, rng), 16, 0.3, rng), _INK, rng, wear=0.3
    )
    edge = _burn_edge(rng)
    sheet = _scorch_edge(sheet, edge)
    return add_vignette(_place_on_stove(sheet, edge, rng), 0.3)


def _print_form(draw: ImageDraw.ImageDraw, spec: SlipSpec, fonts: Fonts) -> None:
    draw.text((40, 132), spec.heading, _PRINT, fonts.get("bold", 32), anchor="lm")
    draw.line((40, 160, 660, 160), fill=_PRINT, width=3)
    for y in (226, 292, 358, 424):
        draw.line((40, y, 660, y), fill=_PRINT, width=1)
    draw.text((40, 274), spec.caller[0], _PRINT, fonts.get("print", 24), anchor="lm")


def _write_message(spec: SlipSpec, fonts: Fonts, rng: Random) -> Image.Image:
    mask = blank_mask(_SHEET)
    pen = Handwriting(sway=2.6, turn=2.4, slant=-0.6, spacing=1.1)
    font = fonts.get("note", spec.text_size)
    draw_handwriting(mask, (52, 216), spec.day, font, pen, rng)
    draw_handwriting(mask, (470, 216), spec.time, font, pen, rng)
    draw_handwriting(mask, (170, 282), spec.caller[1], font, pen, rng)
    for nth, line in enumerate(spec.message):
        draw_handwriting(mask, (48, 348 + nth * 60), line, font, pen, rng)
    return mask


def _burn_edge(rng: Random) -> list[Point]:
    """Return the burnt edge from left to right, in pixels of the sheet."""
    points: list[Point] = []
    for nth in range(45):
        x = _SHEET[0] * nth / 44
        bow = 62 - 0.00062 * (x - 420) ** 2
        points.append((x, max(4.0, bow) + rng.uniform(-7, 7)))
    return points


def _scorch_edge(sheet: Image.Image, edge: list[Point]) -> Image.Image:
    """Brown the paper along the edge, and blacken its rim."""
    for width, blur, colour, share in (
        (90, 22, (112, 66, 26), 0.9),
        (26, 7, (40, 24, 14), 1.0),
        (9, 2, (14, 10, 8), 1.0),
    ):
        mask = blank_mask(sheet.size)
        ImageDraw.Draw(mask).line(edge, fill=255, width=width, joint="curve")
        mask = adjust_levels(mask.filter(ImageFilter.GaussianBlur(blur)), share)
        sheet = Image.composite(Image.new("RGB", sheet.size, colour), sheet, mask)
    return sheet


def _place_on_stove(sheet: Image.Image, edge: list[Point], rng: Random) -> Image.Image:
    """Place the rest on the iron of a stove, with a few flakes of ash."""
    iron = make_ground(_SIZE, (70, 70, 74), rng, 120, 0.3)
    iron = shade_image(iron, make_noise(_SIZE, 3, rng), 0.14)
    draw = ImageDraw.Draw(iron)
    for _ in range(60):
        x, y = rng.uniform(60, 780), rng.uniform(20, 150)
        reach = rng.uniform(1, 7)
        grey = rng.randint(24, 150)
        draw.ellipse((x, y, x + reach * 1.6, y + reach), fill=(grey, grey, grey))
    mask = blank_mask(_SHEET)
    ImageDraw.Draw(mask).polygon([*edge, (_SHEET[0], _SHEET[1]), (0, _SHEET[1])], fill=255)
    angle = rng.uniform(-4, -2.6)
    turned = sheet.rotate(angle, Image.Resampling.BICUBIC, expand=True)
    mask = mask.rotate(angle, Image.Resampling.BICUBIC, expand=True)
    at = ((_SIZE[0] - turned.width) // 2, (_SIZE[1] - turned.height) // 2)
    shadow = blank_mask(_SIZE)
    shadow.paste(adjust_levels(mask, 0.7), (at[0] + 8, at[1] + 10))
    shadow = shadow.filter(ImageFilter.GaussianBlur(8))
    iron = Image.composite(Image.new("RGB", _SIZE, (12, 12, 14)), iron, shadow)
    iron.paste(turned, at, mask)
    return iron
