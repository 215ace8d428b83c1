"""Torn sheets and the cloth and wall that they lie on."""

from random import Random

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from scripts_mm.drawing.primitives.paper import (
    Colour,
    Point,
    Size,
    adjust_levels,
    make_ground,
    make_noise,
    shade_image,
)

_STEP = 14
"""Pixels from one corner of a torn edge to the next."""
_RIM = 7
"""Width of the pale fibres along a torn edge, odd as the filter wants it."""
Sides = tuple[str, ...]
"""The torn sides of a sheet: `left`, `top`, `right`, `bottom`."""


def tear_mask(size: Size, sides: Sides, rng: Random, depth: float = 9.0) -> Image.Image:
    """Return the shape of a sheet (mode L) whose `sides` are ragged, up to `depth` pixels in."""
    mask = Image.new("L", size, 0)
    ImageDraw.Draw(mask).polygon(_outline(size, sides, rng, depth), fill=255)
    return mask


def lay_torn(
    below: Image.Image, sheet: Image.Image, mask: Image.Image, fibre: Colour, angle: float
) -> Image.Image:
    """Return `below` with the torn sheet in its middle, turned, with its fibres and shadow."""
    rim = ImageChops.subtract(mask, mask.filter(ImageFilter.MinFilter(_RIM)))
    sheet = Image.composite(
        Image.new("RGB", sheet.size, fibre), sheet, adjust_levels(rim.filter(_SOFT), 0.7)
    )
    turned = sheet.rotate(angle, Image.Resampling.BICUBIC, expand=True)
    shape = mask.rotate(angle, Image.Resampling.BICUBIC, expand=True)
    at = ((below.size[0] - turned.size[0]) // 2, (below.size[1] - turned.size[1]) // 2)
    shadow = Image.new("L", below.size, 0)
    shadow.paste(adjust_levels(shape, 0.6), (at[0] + 5, at[1] + 7))
    dark = Image.new("RGB", below.size, (14, 12, 16))
    laid = Image.composite(dark, below, shadow.filter(ImageFilter.GaussianBlur(5)))
    laid.paste(turned, at, shape)
    return laid


def make_blue_cloth(size: Size, rng: Random) -> Image.Image:
    """Return a cotton cloth dyed blue, with a small white pattern left out of the dye."""
    cloth = Image.new("RGB", size, (44, 62, 104))
    draw = ImageDraw.Draw(cloth)
    for row in range(size[1] // 46 + 2):
        for column in range(size[0] // 46 + 2):
            x, y = column * 46 + (row % 2) * 23, row * 46
            for dx, dy in ((0, -5), (5, 0), (0, 5), (-5, 0)):
                draw.ellipse((x + dx - 2, y + dy - 2, x + dx + 2, y + dy + 2), fill=(150, 162, 186))
    return shade_image(cloth, make_noise(size, 3, rng), 0.25)


def make_plaster(size: Size, rng: Random) -> Image.Image:
    """Return a wall of clay and straw."""
    wall = make_ground(size, (152, 142, 126), rng, 60, 0.25)
    draw = ImageDraw.Draw(wall)
    for _ in range(size[0] * size[1] // 3200):
        x, y = rng.uniform(0, size[0]), rng.uniform(0, size[1])
        end = (x + rng.uniform(-16, 16), y + rng.uniform(-7, 7))
        draw.line((x, y, *end), fill=(176, 162, 128), width=2)
    return shade_image(wall, make_noise(size, 5, rng), 0.15)


_SOFT = ImageFilter.GaussianBlur(1.2)


def _outline(size: Size, sides: Sides, rng: Random, depth: float) -> list[Point]:
    """Return the corners of the sheet clockwise from the upper left one."""
    width, height = size[0] - 1, size[1] - 1

    def edge(side: str, length: int) -> list[tuple[float, float]]:
        """Return how far along the edge, and how deep, each of its corners is."""
        ragged = side in sides
        count = max(2, length // _STEP)
        slow = [rng.uniform(0, depth) for _ in range(count // 5 + 2)]
        return [
            (length * nth / count, slow[nth // 5] * 0.6 + rng.uniform(0, depth * 0.5))
            if ragged
            else (length * nth / count, 0.0)
            for nth in range(count)
        ]

    top = [(along, deep) for along, deep in edge("top", width)]
    right = [(width - deep, along) for along, deep in edge("right", height)]
    bottom = [(width - along, height - deep) for along, deep in edge("bottom", width)]
    left = [(deep, height - along) for along, deep in edge("left", height)]
    return [*top, *right, *bottom, *left]
