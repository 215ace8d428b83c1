"""The photograph of a trace: the ground, the marker card and the caption."""

import math
from dataclasses import dataclass
from random import Random

from PIL import Image, ImageDraw, ImageFilter

from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.paper import (
    Colour,
    Point,
    Size,
    add_vignette,
    make_noise,
    make_wood,
    shade_image,
)

SCALE = 2
"""Supersampling: pixels drawn per pixel of the finished picture, per side."""
YELLOW = (246, 208, 50)


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceSpec:
    """A trace at the scene. `look` is its kind, `show` its variant."""

    look: str
    show: str
    """An emblem, a side, a number or a state, independent of the language."""
    label: str
    """Text of a label in the picture, such as a height."""
    card: str
    """Text on the marker card."""
    caption: str
    ground: Colour
    boards: bool
    turn: float
    seed: int
    """Seed of the other objects."""
    size: Size = (840, 700)


def make_ground(spec: TraceSpec, rng: Random) -> Image.Image:
    """Return the ground at `SCALE`."""
    size = (spec.size[0] * SCALE, spec.size[1] * SCALE)
    if spec.boards:
        image = make_wood(size, spec.ground, rng)
        draw = ImageDraw.Draw(image)
        for y in range(Random(spec.seed).randrange(60, 200), size[1], 260):
            draw.line((0, y, size[0], y), fill=scale_colour(spec.ground, 0.45), width=6)
        return image
    image = shade_image(Image.new("RGB", size, spec.ground), make_noise(size, 9, rng), 0.3)
    return shade_image(image, make_noise(size, 120, rng), 0.15)


def draw_marker_card(
    draw: ImageDraw.ImageDraw, spec: TraceSpec, fonts: Fonts, at: tuple[int, int]
) -> None:
    """Draw a marker card with its centre at `at` (pixels of the finished picture)."""
    x, y = at[0] * SCALE, at[1] * SCALE
    outline = [(x - 62, y + 62), (x - 44, y - 62), (x + 44, y - 62), (x + 62, y + 62)]
    draw.polygon(outline, fill=YELLOW, outline=(60, 50, 10))
    draw.text((x, y), spec.card, (30, 26, 10), fonts.get("sans-bold", 84), anchor="mm")


def finish_photo(image: Image.Image, spec: TraceSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Return the finished photograph with its caption in the white margin."""
    photo = image.resize(spec.size, Image.Resampling.LANCZOS)
    photo = add_vignette(shade_image(photo, make_noise(spec.size, 2, rng), 0.12), 0.32)
    whole = Image.new("RGB", (spec.size[0] + 40, spec.size[1] + 84), (242, 240, 232))
    whole.paste(photo, (20, 20))
    font = fonts.get("note", 26)
    at = (30, spec.size[1] + 54)
    ImageDraw.Draw(whole).text(at, spec.caption, (46, 46, 54), font, anchor="lm")
    return shade_image(whole, make_noise(whole.size, 60, rng), 0.05)


def press_print(image: Image.Image, mask: Image.Image, colour: Colour, blur: float) -> Image.Image:
    """Return the image with `mask` pressed into it as a print with soft edges."""
    mask = mask.filter(ImageFilter.GaussianBlur(blur))
    return Image.composite(Image.new("RGB", image.size, colour), image, mask)


def scale_colour(colour: Colour, factor: float) -> Colour:
    """Return the colour, darker or lighter by a factor."""
    red, green, blue = (max(0, min(255, round(part * factor))) for part in colour)
    return red, green, blue


def add_shadow(image: Image.Image, centre: Point, reach: float) -> Image.Image:
    """Return the image with a soft shadow at `centre`, `reach` pixels wide."""
    mask = Image.new("L", image.size, 0)
    x, y = centre[0] + 16, centre[1] + 24
    ImageDraw.Draw(mask).ellipse((x - reach, y - reach, x + reach, y + reach), fill=130)
    mask = mask.filter(ImageFilter.GaussianBlur(36))
    return Image.composite(Image.new("RGB", image.size, (14, 10, 10)), image, mask)


def turn_image(image: Image.Image, degrees: float) -> Image.Image:
    """Return the image rotated and enlarged so that no empty corner is visible."""
    width, height = image.size
    turned = image.rotate(degrees, Image.Resampling.BICUBIC)
    share = abs(math.sin(math.radians(degrees))) * 0.7
    box = (round(width * share), round(height * share))
    return turned.crop((*box, width - box[0], height - box[1])).resize(image.size)
