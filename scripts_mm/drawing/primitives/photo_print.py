"""The frame of a photograph: a print with a white border, a caption below, and grain."""

from dataclasses import dataclass
from random import Random

from PIL import Image, ImageDraw

from scripts_mm.drawing.primitives.fonts import Fonts, Hand
from scripts_mm.drawing.primitives.paper import (
    Colour,
    Point,
    Size,
    add_vignette,
    make_noise,
    shade_image,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintStyle:
    """The paper of a photograph, in pixels."""

    colour: Colour = (242, 240, 234)
    border: int = 20
    """Border above and at both sides."""
    foot: int = 64
    """Border below, for the caption."""
    at: Point = (28, 33)
    """Start of the caption: from the left, and from the lower edge up to its middle."""
    ink: Colour = (50, 50, 54)
    hand: Hand = "note"
    """Who writes the caption: every case has its own hand."""
    text_size: int = 26
    grain: int = 60
    """Size of the stains of the paper."""
    depth: float = 0.05
    """Darkness of the stains, 0 to 1."""


PLAIN_PRINT = PrintStyle()
"""A white print."""
Noise = tuple[int, float]
"""Width of its spots in pixels, and its depth, 0 to 1."""


def photo_size(size: Size, look: PrintStyle = PLAIN_PRINT) -> Size:
    """Return the size of the photograph on a print of `size`."""
    return (size[0] - 2 * look.border, size[1] - look.border - look.foot)


def finish_photo(
    large: Image.Image, view: Size, rng: Random, grain: Noise, blotches: Noise, vignette: float
) -> Image.Image:
    """Return a picture drawn in the large scale as a photograph of size `view`."""
    photo = large.resize(view, Image.Resampling.LANCZOS)
    for cell, depth in (grain, blotches):
        photo = shade_image(photo, make_noise(view, cell, rng), depth)
    return add_vignette(photo, vignette)


def mount_photo(image: Image.Image, size: Size, look: PrintStyle = PLAIN_PRINT) -> Image.Image:
    """Return the photograph on a print of `size`, without a caption."""
    sheet = Image.new("RGB", size, look.colour)
    sheet.paste(image, (look.border, look.border))
    return sheet


def add_caption(
    sheet: Image.Image, caption: str, fonts: Fonts, rng: Random, look: PrintStyle = PLAIN_PRINT
) -> Image.Image:
    """Write the caption on a print and return it with the grain of its paper."""
    at = (look.at[0], sheet.size[1] - look.at[1])
    font = fonts.get(look.hand, look.text_size)
    ImageDraw.Draw(sheet).text(at, caption, look.ink, font, anchor="lm")
    return shade_image(sheet, make_noise(sheet.size, look.grain, rng), look.depth)


def make_photo_print(
    image: Image.Image,
    size: Size,
    caption: str,
    fonts: Fonts,
    rng: Random,
    look: PrintStyle = PLAIN_PRINT,
) -> Image.Image:
    """Return the photograph (of `photo_size(size, look)`) on its print with the caption."""
    return add_caption(mount_photo(image, size, look), caption, fonts, rng, look)
