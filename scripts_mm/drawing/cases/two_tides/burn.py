"""Burning of a slip of paper on a darker table."""

from random import Random

from PIL import Image, ImageChops, ImageFilter

from scripts_mm.drawing.primitives.paper import Colour, Point, adjust_levels, make_noise, make_wood

_CHAR = (24, 18, 14)
_SCORCH = (132, 88, 46)
_PALE = 128
"""Minimum grey of the paper's pixels."""


def burn_away(
    image: Image.Image, centre: Point, reach: float, table: Colour, rng: Random
) -> Image.Image:
    """Return the picture with its paper burnt around `centre` (shares) by `reach` (of its width).

    `table` is the colour of the wood where the paper is gone.
    """
    grey = image.convert("L").filter(ImageFilter.MaxFilter(9)).filter(ImageFilter.MinFilter(7))
    sheet = grey.point([255 if value > _PALE else 0 for value in range(256)])
    far = _distance_mask(image, centre, reach)
    ragged = Image.blend(Image.blend(far, make_noise(image.size, 26, rng), 0.16),
                         make_noise(image.size, 7, rng), 0.05)  # fmt: skip
    dim = (round(table[0] * 0.88), round(table[1] * 0.88), round(table[2] * 0.88))
    layers = (
        (154, Image.new("RGB", image.size, _SCORCH), 10.0),
        (134, Image.new("RGB", image.size, _CHAR), 3.0),
        (126, make_wood(image.size, dim, rng), 0.8),
    )
    found = image
    # where the paper is gone, so is its shadow
    shadowed = sheet.filter(ImageFilter.MaxFilter(29)).filter(ImageFilter.GaussianBlur(4))
    for (edge, fill, soft), where in zip(layers, (sheet, sheet, shadowed), strict=True):
        mask = adjust_levels(ragged, -18, 18 * edge).filter(ImageFilter.GaussianBlur(soft))
        found = Image.composite(fill, found, ImageChops.multiply(mask, where))
    return found


def _distance_mask(image: Image.Image, centre: Point, reach: float) -> Image.Image:
    """Return a grey image: 128 at `reach` from the centre, darker inside."""
    width, height = image.size
    x, y = centre[0] * width, centre[1] * height
    small = (width // 4, height // 4)
    far = Image.new("L", small)
    values = (
        ((at % small[0] * 4 - x) ** 2 + (at // small[0] * 4 - y) ** 2) ** 0.5
        for at in range(small[0] * small[1])
    )
    far.putdata([min(255, round(128 * value / (reach * width))) for value in values])
    return far.resize(image.size, Image.Resampling.BICUBIC)
