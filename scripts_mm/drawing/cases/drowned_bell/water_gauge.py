"""The water gauge at the dam: an enamelled staff on a wall, half in the water."""

from dataclasses import dataclass
from random import Random

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from scripts_mm.drawing.cases.drowned_bell.photo_style import print_photo
from scripts_mm.drawing.primitives.canvas import SCALE, Canvas, TextStyle, scale_size
from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.paper import Colour, Size

_VIEW: Size = (640, 800)
_STAFF = (262, 402)
"""Left and right edge of the staff."""
_METRE = 220
"""Height of a metre on the staff, in pixels."""
_ENAMEL: Colour = (238, 236, 226)
_BLACK: Colour = (34, 34, 38)
_RED: Colour = (176, 36, 34)


@dataclass(frozen=True, slots=True, kw_only=True)
class WaterGaugeSpec:
    """The staff: its figures from top to bottom; the water reaches to the last."""

    figures: tuple[str, ...]
    caption: str
    top: int = 150
    """Height of the first figure's stroke, in pixels."""


def draw_water_gauge(spec: WaterGaugeSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the photograph."""
    image = Image.new("RGB", scale_size(_VIEW), (150, 146, 138))
    canvas = Canvas(image, fonts)
    _draw_wall(canvas, rng)
    _draw_staff(canvas, spec)
    level = spec.top + _METRE * (len(spec.figures) - 1)
    image = _flood(image, level, rng)
    _draw_ripples(Canvas(image, fonts), level, rng)
    return print_photo(image, _VIEW, spec.caption, fonts, rng)


def _draw_wall(canvas: Canvas, rng: Random) -> None:
    for row in range(10):
        y = row * 88 - 20
        for column in range(-1, 5):
            x = column * 190 + (95 if row % 2 else 0)
            tone = round(148 + rng.uniform(-16, 16))
            canvas.box((x, y, x + 186, y + 84), (tone, tone - 4, tone - 14), 4, 2, (96, 92, 86))
    for _ in range(46):
        x, y = rng.uniform(0, 640), rng.uniform(470, 640)
        canvas.oval((x, y, x + rng.uniform(14, 46), y + rng.uniform(6, 18)), (104, 118, 82), 0)


def _draw_staff(canvas: Canvas, spec: WaterGaugeSpec) -> None:
    left, right = _STAFF
    canvas.box((left - 8, -10, right + 8, 810), (120, 112, 100), 2, 3)
    canvas.box((left, -10, right, 810), _ENAMEL, 2, 2)
    for nth in range(-8, 40):
        y = spec.top + nth * _METRE / 10
        whole, half = nth % 10 == 0, nth % 5 == 0
        long = 74 if whole else 50 if half else 30
        canvas.box((left + 4, y - 3, left + 4 + long, y + 3), _RED if whole else _BLACK, line=0)
    for nth, figure in enumerate(spec.figures):
        y = spec.top + nth * _METRE
        style = TextStyle(size=42, hand="sans-bold", fill=_RED, anchor="rm")
        canvas.write((right - 8, y - 30), figure, style)
    for y in (40, 262, 482):
        canvas.disc(((left + right) / 2 + 56, y), 6, (120, 118, 112), 2)


def _flood(image: Image.Image, level: float, rng: Random) -> Image.Image:
    """Return the picture with everything below `level` seen through green water."""
    width, height = image.size
    edge = round(level * SCALE)
    under = image.crop((0, edge, width, height)).filter(ImageFilter.GaussianBlur(5))
    under = ImageChops.multiply(under, Image.new("RGB", under.size, (96, 132, 112)))
    wet = Image.new("RGB", under.size, (52, 82, 72))
    depth = Image.linear_gradient("L").resize(under.size).point([96 + at // 2 for at in range(256)])
    image.paste(Image.composite(wet, under, depth), (0, edge))
    draw = ImageDraw.Draw(image)
    for _ in range(70):
        x, y = rng.uniform(0, width), edge + rng.uniform(6, height - edge)
        draw.line((x, y, x + rng.uniform(30, 120), y), fill=(86, 118, 106), width=3)
    return image


def _draw_ripples(canvas: Canvas, level: float, rng: Random) -> None:
    canvas.line(((0, level), (640, level)), (188, 204, 196), 3)
    for _ in range(26):
        x, y = rng.uniform(0, 640), level + rng.uniform(4, 40)
        canvas.line(((x, y), (x + rng.uniform(14, 60), y)), (140, 166, 156), 1.6)
    left, right = _STAFF
    canvas.line(((left - 12, level), (right + 12, level)), (226, 236, 230), 4)
