"""What a trace lies on, and what the police put beside it."""

from dataclasses import dataclass
from random import Random

from PIL import Image, ImageDraw, ImageFilter

from scripts_mm.drawing.fonts import Fonts
from scripts_mm.drawing.paper import Colour, Size, noise, shaded, vignette, wood

SCALE = 2
"""Pixels drawn for a pixel of the finished picture."""
YELLOW = (246, 208, 50)


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceSpec:
    """A trace at the scene. `look` is how it shows itself, `show` what it shows."""

    look: str
    show: str
    """An emblem, a side, a number or a state, in no language."""
    label: str
    """What a sign in the picture says: a height, say."""
    card: str
    """On the marker card."""
    caption: str
    ground: Colour
    boards: bool
    turn: float
    seed: int
    """Of what else lies there."""
    size: Size = (840, 700)


def floor(spec: TraceSpec, rng: Random) -> Image.Image:
    """Return the ground, at the large scale."""
    size = (spec.size[0] * SCALE, spec.size[1] * SCALE)
    if spec.boards:
        image = wood(size, spec.ground, rng)
        draw = ImageDraw.Draw(image)
        for y in range(Random(spec.seed).randrange(60, 200), size[1], 260):
            draw.line((0, y, size[0], y), fill=shade(spec.ground, 0.45), width=6)
        return image
    image = shaded(Image.new("RGB", size, spec.ground), noise(size, 9, rng), 0.3)
    return shaded(image, noise(size, 120, rng), 0.15)


def card(draw: ImageDraw.ImageDraw, spec: TraceSpec, fonts: Fonts, at: tuple[int, int]) -> None:
    """Put down a marker card, its middle `at` (pixels of the finished picture)."""
    x, y = at[0] * SCALE, at[1] * SCALE
    outline = [(x - 62, y + 62), (x - 44, y - 62), (x + 44, y - 62), (x + 62, y + 62)]
    draw.polygon(outline, fill=YELLOW, outline=(60, 50, 10))
    draw.text((x, y), spec.card, (30, 26, 10), fonts.get("sans-bold", 84), anchor="mm")


def photographed(image: Image.Image, spec: TraceSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Return the finished photograph with its caption in the white margin."""
    photo = image.resize(spec.size, Image.Resampling.LANCZOS)
    photo = vignette(shaded(photo, noise(spec.size, 2, rng), 0.12), 0.32)
    whole = Image.new("RGB", (spec.size[0] + 40, spec.size[1] + 84), (242, 240, 232))
    whole.paste(photo, (20, 20))
    font = fonts.get("note", 26)
    at = (30, spec.size[1] + 54)
    ImageDraw.Draw(whole).text(at, spec.caption, (46, 46, 54), font, anchor="lm")
    return shaded(whole, noise(whole.size, 60, rng), 0.05)


def pressed(image: Image.Image, mask: Image.Image, colour: Colour, blur: float) -> Image.Image:
    """Return the image with `mask` pressed into it as a print with soft edges."""
    mask = mask.filter(ImageFilter.GaussianBlur(blur))
    return Image.composite(Image.new("RGB", image.size, colour), image, mask)


def shade(colour: Colour, factor: float) -> Colour:
    """Return the colour, darker or lighter by a factor."""
    red, green, blue = (max(0, min(255, round(part * factor))) for part in colour)
    return red, green, blue
