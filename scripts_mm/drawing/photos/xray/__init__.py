"""An X-ray film on a light box: the bones of a shoulder or a hand, fractures and metal."""

import math
from dataclasses import dataclass
from random import Random
from typing import Literal

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from scripts_mm.drawing.photos.xray.bones import Bone, bones_of, flesh_of
from scripts_mm.drawing.primitives.canvas import scale_size
from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.paper import (
    Point,
    Size,
    add_vignette,
    adjust_levels,
    make_noise,
    shade_image,
)

BodyPart = Literal["shoulder", "hand"]
Metal = Literal["key", "ring", "plate", "tip", "cross"]
"""Metal on the film: a key or cross on a chain, a finger ring, a plate with screws, a splinter of a
blade."""

_CHAINED = ("key", "cross")


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignObject:
    """Metal on or in the body; `at` in shares of the film's width and height."""

    metal: Metal
    at: Point
    size: float = 0.1
    """Length as a share of the film's width."""
    turn: float = 0.0
    """Degrees, counter-clockwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class XraySpec:
    """A film. Patients face the viewer, so the right shoulder has its arm on the left."""

    part: BodyPart
    side: Literal["left", "right"]
    marker: str
    """The lead letter of the side."""
    labels: tuple[str, ...] = ()
    """Exposed lines in the upper corner over the arm: time, number, kilovolts."""
    broken: tuple[str, ...] = ()
    """Names of broken bones: `clavicle`, `humerus`, `rib` or `thumb`, `index`, `ring`, `radius`."""
    foreign: tuple[ForeignObject, ...] = ()
    note: str = ""
    """Text on a strip of tape on the light box."""
    size: Size = (760, 800)


def draw_xray(spec: XraySpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the film."""
    width, height = spec.size[0] - 110, spec.size[1] - 150
    film = _render_film(spec, (width, height), rng)
    film = _add_markings(film, spec, fonts)
    film = ImageChops.multiply(film, adjust_levels(make_noise(film.size, 2, rng), 0.10, 232))
    tinted = Image.merge(
        "RGB",
        (adjust_levels(film, 0.86, 8), adjust_levels(film, 0.95, 14), adjust_levels(film, 1, 22)),
    )
    box = shade_image(
        Image.new("RGB", spec.size, (226, 234, 238)), make_noise(spec.size, 200, rng), 0.1
    )
    glow = Image.new("L", spec.size, 0)
    ImageDraw.Draw(glow).rectangle((30, 26, spec.size[0] - 30, spec.size[1] - 60), fill=255)
    frame = Image.new("RGB", spec.size, (92, 98, 102))
    box = Image.composite(box, frame, glow.filter(ImageFilter.GaussianBlur(2)))
    mask = Image.new("L", (width, height), 0)
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, width - 1, height - 1), 22, fill=255)
    turn = rng.uniform(-1.2, 1.2)
    mask = mask.rotate(turn, Image.Resampling.BICUBIC, expand=True)
    tinted = tinted.rotate(turn, Image.Resampling.BICUBIC, expand=True)
    box.paste(tinted, ((spec.size[0] - tinted.width) // 2, 44), mask)
    return add_vignette(_hang_on_light_box(box, spec, fonts), 0.16)


def _render_film(spec: XraySpec, size: Size, rng: Random) -> Image.Image:
    """Return the exposed film (mode L): white where the rays were absorbed."""
    large = scale_size(size)
    image = Image.new("L", large, 10)
    for outline, grey in flesh_of(spec.part):
        layer = Image.new("L", large, 0)
        ImageDraw.Draw(layer).polygon([_to_pixels(point, large) for point in outline], fill=grey)
        image = ImageChops.add(image, layer.filter(ImageFilter.GaussianBlur(large[0] / 42)))
    image = ImageChops.multiply(
        image, adjust_levels(make_noise(large, large[0] // 14, rng), 0.35, 170)
    )
    for bone in bones_of(spec.part, spec.broken):
        image = _add_bone(image, bone, rng)
    small = image.resize(size, Image.Resampling.LANCZOS)
    small = small.filter(ImageFilter.GaussianBlur(0.9))
    metal = Image.new("L", large, 0)
    for thing in spec.foreign:
        _draw_shine(ImageDraw.Draw(metal), thing, large)
    small = ImageChops.lighter(small, metal.resize(size, Image.Resampling.LANCZOS))
    return small if spec.side == "right" else small.transpose(Image.Transpose.FLIP_LEFT_RIGHT)


def _add_bone(image: Image.Image, bone: Bone, rng: Random) -> Image.Image:
    """Return the film with a bone: a grey body with a bright rim."""
    whole = Image.new("L", image.size, 0)
    for outline in bone.outlines:
        ImageDraw.Draw(whole).polygon(
            [_to_pixels(point, image.size) for point in outline], fill=255
        )
    line = image.size[0] * bone.rim
    box = _bone_box(whole, line)
    body, film = whole.crop(box), image.crop(box)
    noise = make_noise(image.size, 7, rng).crop(box)
    hollow = adjust_levels(body.filter(ImageFilter.GaussianBlur(line * 0.8)), -1, 255)
    rim = adjust_levels(ImageChops.multiply(body, hollow), 1.3 * bone.grey / 255)
    body = body.filter(ImageFilter.GaussianBlur(2))
    marrow = adjust_levels(
        ImageChops.multiply(body, adjust_levels(noise, 0.4, 175)), bone.grey / 255
    )
    film = ImageChops.add(ImageChops.add(film, marrow), rim.filter(ImageFilter.GaussianBlur(2)))
    if bone.crack:
        gap = Image.new("L", image.size, 0)
        crack = [_to_pixels(point, image.size) for point in bone.crack]
        ImageDraw.Draw(gap).line(crack, fill=230, width=max(4, round(line)), joint="curve")
        gap = ImageChops.multiply(gap.crop(box), body).filter(ImageFilter.GaussianBlur(1.6))
        film = Image.composite(Image.new("L", film.size, 26), film, gap)
    drawn = image.copy()
    drawn.paste(film, box)
    return drawn


def _bone_box(mask: Image.Image, line: float) -> tuple[int, int, int, int]:
    """Return the part of the picture that a bone's blurred body, rim and crack can reach."""
    left, top, right, bottom = mask.getbbox() or (0, 0, 1, 1)
    # A blur of Pillow reaches about three times its radius; the others have radii of at most 2.
    reach = math.ceil(4 * line * 0.8) + 24
    right, bottom = min(mask.width, right + reach), min(mask.height, bottom + reach)
    return max(0, left - reach), max(0, top - reach), right, bottom


def _draw_shine(draw: ImageDraw.ImageDraw, thing: ForeignObject, size: Size) -> None:
    if thing.metal in _CHAINED:
        _draw_chain(draw, thing, size)
    reach = thing.size * size[0]
    tile = Image.new("L", (round(reach * 1.5), round(reach * 1.5)), 0)
    _METALS[thing.metal](ImageDraw.Draw(tile), tile.size[0] / 2, reach)
    tile = tile.rotate(thing.turn, Image.Resampling.BICUBIC)
    at = _to_pixels(thing.at, size)
    draw.bitmap((round(at[0] - tile.width / 2), round(at[1] - tile.height / 2)), tile, fill=250)


def _draw_chain(draw: ImageDraw.ImageDraw, thing: ForeignObject, size: Size) -> None:
    """Draw a fine bead chain from both sides of the neck to the object."""
    x, y = _to_pixels((thing.at[0], thing.at[1] - thing.size * 0.42), size)
    for start in (thing.at[0] - 0.14, thing.at[0] + 0.10):
        left = start * size[0]
        for nth in range(46):
            share = nth / 45
            bead = (left + (x - left) * share, y * share**0.8)
            draw.ellipse((bead[0] - 4, bead[1] - 4, bead[0] + 4, bead[1] + 4), fill=232)


def _draw_key(draw: ImageDraw.ImageDraw, middle: float, reach: float) -> None:
    top, wide = middle - reach / 2, reach * 0.2
    ring = (middle - wide, top, middle + wide, top + 2 * wide)
    draw.ellipse(ring, outline=255, width=round(reach * 0.085))
    shaft = reach * 0.055
    draw.rectangle(
        (middle - shaft, top + 2 * wide - 4, middle + shaft, middle + reach / 2), fill=255
    )
    for nth, long in enumerate((0.17, 0.1, 0.2)):
        y = middle + reach * (0.2 + nth * 0.12)
        draw.rectangle((middle, y, middle + reach * long, y + reach * 0.07), fill=255)


def _draw_cross(draw: ImageDraw.ImageDraw, middle: float, reach: float) -> None:
    half = reach * 0.07
    draw.rectangle((middle - half, middle - reach / 2, middle + half, middle + reach / 2), fill=255)
    draw.rectangle(
        (middle - reach * 0.3, middle - reach * 0.22 - half, middle + reach * 0.3,
         middle - reach * 0.22 + half), fill=255,
    )  # fmt: skip


def _draw_ring(draw: ImageDraw.ImageDraw, middle: float, reach: float) -> None:
    box = (middle - reach / 2, middle - reach / 6, middle + reach / 2, middle + reach / 6)
    draw.rounded_rectangle(box, reach / 12, fill=255)


def _draw_plate(draw: ImageDraw.ImageDraw, middle: float, reach: float) -> None:
    half = reach * 0.06
    draw.rounded_rectangle(
        (middle - reach / 2, middle - half, middle + reach / 2, middle + half), half, fill=255
    )
    for nth in range(6):
        x = middle - reach * 0.42 + nth * reach * 0.168
        draw.rectangle((x - 5, middle - half, x + 5, middle + reach * 0.2), fill=255)
        draw.ellipse((x - 8, middle - 8, x + 8, middle + 8), fill=0)


def _draw_tip(draw: ImageDraw.ImageDraw, middle: float, reach: float) -> None:
    points = [(middle, middle - reach / 2), (middle + reach * 0.17, middle + reach * 0.42),
              (middle + reach * 0.02, middle + reach * 0.34),
              (middle - reach * 0.15, middle + reach * 0.5)]  # fmt: skip
    draw.polygon(points, fill=255)


_METALS = {
    "key": _draw_key,
    "cross": _draw_cross,
    "ring": _draw_ring,
    "plate": _draw_plate,
    "tip": _draw_tip,
}


def _add_markings(film: Image.Image, spec: XraySpec, fonts: Fonts) -> Image.Image:
    """Return the film with the lead letter and the exposed lines, which are not mirrored."""
    draw = ImageDraw.Draw(film)
    width, height = film.size
    inner = spec.side == "right"
    x = 30 if inner else width - 30
    for nth, line in enumerate(spec.labels):
        draw.text(
            (x, 34 + nth * 30), line, 214, fonts.get("mono", 23), anchor="lm" if inner else "rm"
        )
    big = fonts.get("bold", 62)
    draw.text((x, height - 56), spec.marker, 245, big, anchor="lm" if inner else "rm")
    return film


def _hang_on_light_box(box: Image.Image, spec: XraySpec, fonts: Fonts) -> Image.Image:
    draw = ImageDraw.Draw(box)
    middle = spec.size[0] // 2
    for x in (middle - 190, middle + 190):
        draw.rounded_rectangle(
            (x - 46, 10, x + 46, 58), 8, fill=(176, 182, 186), outline=(90, 96, 100)
        )
        draw.rectangle((x - 46, 48, x + 46, 58), fill=(120, 126, 130))
    if spec.note:
        font = fonts.get("note", 27)
        at = (middle, spec.size[1] - 32)
        left, top, right, bottom = draw.textbbox(at, spec.note, font, anchor="mm")
        draw.rectangle((left - 24, top - 9, right + 24, bottom + 9), fill=(238, 230, 200))
        draw.text(at, spec.note, (40, 44, 70), font, anchor="mm")
    return box


def _to_pixels(point: Point, size: Size) -> Point:
    return (point[0] * size[0], point[1] * size[1])
