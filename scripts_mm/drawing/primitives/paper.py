"""Sheets of paper: grain, folds, stains, the table below, the finished PNG."""

import math
from io import BytesIO
from random import Random
from typing import Literal

from PIL import Image, ImageChops, ImageDraw, ImageFilter

Size = tuple[int, int]
"""Width and height in pixels."""
Point = tuple[float, float]
"""Pixels from the left and from the top."""
Colour = tuple[int, int, int]
"""Red, green and blue, 0 to 255."""

TableKind = Literal["wood", "cloth", "stone", "metal"]

_BRIGHT = 190
"""Grey of clouds above which there is no darkening."""
MAX_COLOURS = 200
"""Maximum colours of a finished picture; fewer make a smaller file."""


def make_noise(size: Size, cell: int, rng: Random) -> Image.Image:
    """Return grey clouds (mode L, mean about 128) with spots about `cell` pixels wide."""
    small = (max(2, size[0] // cell), max(2, size[1] // cell))
    dots = Image.frombytes("L", small, rng.randbytes(small[0] * small[1]))
    return dots.resize(size, Image.Resampling.BICUBIC)


def adjust_levels(mask: Image.Image, factor: float, shift: float = 0) -> Image.Image:
    """Return a grey image (mode L) with every grey times `factor` plus `shift`, 0 to 255."""
    return mask.point([max(0, min(255, round(grey * factor + shift))) for grey in range(256)])


def shade_image(image: Image.Image, clouds: Image.Image, depth: float) -> Image.Image:
    """Return `image` darkened where `clouds` are dark; `depth` is the largest share, 0 to 1."""
    factor = adjust_levels(clouds, depth, 255 - depth * _BRIGHT)
    return ImageChops.multiply(image, Image.merge("RGB", (factor,) * 3))


def make_paper(size: Size, colour: Colour, rng: Random, depth: float = 0.10) -> Image.Image:
    """Return an empty sheet of mottled paper."""
    sheet = Image.new("RGB", size, colour)
    sheet = shade_image(sheet, make_noise(size, 90, rng), depth)
    sheet = shade_image(sheet, make_noise(size, 14, rng), depth / 3)
    return shade_image(sheet, make_noise(size, 3, rng), depth / 4)


def age_edges(sheet: Image.Image, colour: Colour, strength: float, rng: Random) -> Image.Image:
    """Return the sheet with darker, uneven edges."""
    mask = Image.new("L", sheet.size, 255)
    inset = round(min(sheet.size) * 0.05)
    box = (inset, inset, sheet.size[0] - inset, sheet.size[1] - inset)
    ImageDraw.Draw(mask).rectangle(box, fill=0)
    mask = mask.filter(ImageFilter.GaussianBlur(inset))
    mask = ImageChops.multiply(mask, adjust_levels(make_noise(sheet.size, 40, rng), 0.5, 96))
    return Image.composite(
        Image.new("RGB", sheet.size, colour), sheet, adjust_levels(mask, strength)
    )


def add_creases(
    sheet: Image.Image, *, across: tuple[float, ...], down: tuple[float, ...]
) -> Image.Image:
    """Return the sheet with creases `across` (shares of its height) and `down` (of its width)."""
    width, height = sheet.size
    light = Image.new("L", sheet.size, 0)
    dark = Image.new("L", sheet.size, 0)
    for share in across:
        y = round(share * height)
        ImageDraw.Draw(light).line((0, y, width, y), fill=150, width=2)
        ImageDraw.Draw(dark).rectangle((0, y + 2, width, y + 9), fill=60)
    for share in down:
        x = round(share * width)
        ImageDraw.Draw(light).line((x, 0, x, height), fill=150, width=2)
        ImageDraw.Draw(dark).rectangle((x + 2, 0, x + 9, height), fill=60)
    dark = dark.filter(ImageFilter.GaussianBlur(4))
    light = light.filter(ImageFilter.GaussianBlur(0.8))
    sheet = Image.composite(Image.new("RGB", sheet.size, (70, 60, 45)), sheet, dark)
    return Image.composite(Image.new("RGB", sheet.size, (255, 253, 245)), sheet, light)


def add_cup_ring(sheet: Image.Image, centre: Point, radius: int, colour: Colour) -> Image.Image:
    """Return the sheet with the ring of a wet cup."""
    mask = Image.new("L", sheet.size, 0)
    draw = ImageDraw.Draw(mask)
    for step, (fill, width) in enumerate(((95, 3), (50, 9))):
        reach = radius - step * 2
        box = (centre[0] - reach, centre[1] - reach, centre[0] + reach, centre[1] + reach)
        draw.arc(box, 20, 330, fill=fill, width=width)
    mask = mask.filter(ImageFilter.GaussianBlur(1.6))
    return Image.composite(Image.new("RGB", sheet.size, colour), sheet, mask)


def place_on_table(sheet: Image.Image, size: Size, angle: float, table: Image.Image) -> Image.Image:
    """Return `table` (of `size`) with the sheet on it, turned by `angle` degrees."""
    mask = Image.new("L", sheet.size, 255).rotate(angle, Image.Resampling.BICUBIC, expand=True)
    turned = sheet.rotate(angle, Image.Resampling.BICUBIC, expand=True)
    at = ((size[0] - turned.size[0]) // 2, (size[1] - turned.size[1]) // 2)
    shadow = Image.new("L", size, 0)
    shadow.paste(adjust_levels(mask, 2 / 3), (at[0] + 7, at[1] + 9))
    shadow = shadow.filter(ImageFilter.GaussianBlur(7))
    below = Image.composite(Image.new("RGB", size, (15, 12, 10)), table, shadow)
    below.paste(turned, at, mask)
    return below


def make_wood(size: Size, colour: Colour, rng: Random) -> Image.Image:
    """Return a table top with a grain from left to right."""
    long = (max(2, size[0] // 160), max(2, size[1] // 3))
    dots = Image.frombytes("L", long, rng.randbytes(long[0] * long[1]))
    grain = dots.resize(size, Image.Resampling.BICUBIC)
    return shade_image(Image.new("RGB", size, colour), grain, 0.28)


def make_ground(size: Size, colour: Colour, rng: Random, cell: int, depth: float) -> Image.Image:
    """Return a plain surface with clouds whose spots are about `cell` pixels wide."""
    return shade_image(Image.new("RGB", size, colour), make_noise(size, cell, rng), depth)


def make_table(size: Size, colour: Colour, rng: Random, kind: TableKind = "wood") -> Image.Image:
    """Return a table top: wood, a woven cloth, polished stone, or painted metal."""
    if kind == "wood":
        return make_wood(size, colour, rng)
    if kind == "stone":
        smooth = make_ground(size, colour, rng, 70, 0.2)
        return shade_image(smooth, make_noise(size, 5, rng), 0.16)
    if kind == "metal":
        return make_ground(size, colour, rng, 160, 0.16)
    plain = Image.new("RGB", size, colour)
    threads = (max(2, size[0] // 3), max(2, size[1] // 60))
    warp = Image.frombytes("L", threads, rng.randbytes(threads[0] * threads[1]))
    weft = Image.frombytes("L", (threads[1], threads[0]), rng.randbytes(threads[0] * threads[1]))
    for weave in (warp, weft):
        plain = shade_image(plain, weave.resize(size, Image.Resampling.BICUBIC), 0.2)
    return plain


def rule_lines(sheet: Image.Image, colour: Colour, step: int, *, squares: bool = False) -> None:
    """Print lines on a sheet every `step` pixels; `squares` also down it."""
    draw = ImageDraw.Draw(sheet)
    width, height = sheet.size
    if squares:
        for x in range(0, width, step):
            draw.line((x, 0, x, height), fill=colour, width=1)
    for y in range(0, height, step):
        draw.line((0, y, width, y), fill=colour, width=1)


def add_vignette(image: Image.Image, depth: float) -> Image.Image:
    """Return the image darkened towards its corners, as by a cheap lens."""
    small = 64
    reach = math.hypot(small / 2, small / 2)
    values = [
        round(255 * (1 - depth * (math.hypot(x - small / 2, y - small / 2) / reach) ** 2))
        for y in range(small)
        for x in range(small)
    ]
    mask = Image.new("L", (small, small))
    mask.putdata(values)
    mask = mask.resize(image.size, Image.Resampling.BICUBIC)
    return ImageChops.multiply(image, Image.merge("RGB", (mask,) * 3))


def encode_png(image: Image.Image, colours: int = MAX_COLOURS) -> bytes:
    """Return the finished picture as a PNG of few colours; equal pictures give equal bytes."""
    few = image.convert("RGB").quantize(
        colours, method=Image.Quantize.MAXCOVERAGE, kmeans=1, dither=Image.Dither.NONE
    )
    buffer = BytesIO()
    few.save(buffer, "PNG", optimize=True)
    return buffer.getvalue()
