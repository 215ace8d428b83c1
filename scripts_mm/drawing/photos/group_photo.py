"""A photograph of a group: drawn people in rows, numbered, with a caption."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from PIL import Image, ImageDraw

from scripts_mm.drawing.primitives.figure import DrawnPerson, draw_figure
from scripts_mm.drawing.primitives.fonts import Fonts
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
    age_edges,
    make_noise,
    make_paper,
    shade_image,
)

SCALE = 2
"""Supersampling: pixels drawn per pixel of the finished photograph, per side."""
Backdrop = Callable[[ImageDraw.ImageDraw, Size], None]
"""A function that draws the background, in pixels of the large drawing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupMember:
    """A member of the group: person, position of the feet (shares of the size), and look."""

    figure: DrawnPerson
    x: float
    number: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupRow:
    """A row of people; rows further back are drawn first."""

    members: tuple[GroupMember, ...]
    ground: float
    """Ground of the row, as a share of the photograph's height."""
    height: float
    """Height of a standing adult, as a share of the photograph's height."""
    bench: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupPhotoSpec:
    """A group photograph on card with a handwritten caption below."""

    rows: tuple[GroupRow, ...]
    caption: str
    names: str
    """Names by number; wrapped to the width."""
    tint: Colour = (250, 226, 186)
    """Colour of the faded print."""
    size: Size = (960, 880)
    foot: int = 150
    """Height of the strip for the caption, in pixels."""
    text_size: int = 27


def draw_group_photo(
    spec: GroupPhotoSpec, backdrop: Backdrop, fonts: Fonts, rng: Random
) -> Image.Image:
    """Draw the photograph; `backdrop` draws the place."""
    width, height = spec.size[0] - 60, spec.size[1] - spec.foot - 30
    large = Image.new("RGB", (width * SCALE, height * SCALE), (196, 208, 214))
    draw = ImageDraw.Draw(large)
    backdrop(draw, large.size)
    for row in spec.rows:
        _draw_row(draw, row, large.size, fonts)
    photo = large.resize((width, height), Image.Resampling.LANCZOS)
    photo = Image.blend(photo, Image.new("RGB", photo.size, spec.tint), 0.2)
    photo = add_vignette(shade_image(photo, make_noise(photo.size, 2, rng), 0.07), 0.3)
    card = make_paper(spec.size, (240, 232, 212), rng, 0.08)
    card.paste(photo, (30, 30))
    return age_edges(_write_caption(card, spec, fonts, rng), (128, 100, 60), 0.5, rng)


def _draw_row(draw: ImageDraw.ImageDraw, row: GroupRow, size: Size, fonts: Fonts) -> None:
    width, height = size
    if row.bench:
        xs = [member.x * width for member in row.members]
        top = (row.ground - row.height * 0.27) * height
        box = (min(xs) - 0.07 * width, top, max(xs) + 0.07 * width, top + 0.02 * height)
        draw.rectangle(box, fill=(104, 80, 56), outline=(60, 46, 34), width=3)
    for member in row.members:
        feet = (member.x * width, row.ground * height)
        draw_figure(draw, feet, row.height * height, member.figure)
    for member in row.members:
        sits = member.figure.posture == "sitting"
        up = row.height * member.figure.size * (0.37 if sits else 0.585)
        spot = (member.x * width, (row.ground - up) * height)
        reach = 0.016 * width
        box = (spot[0] - reach, spot[1] - reach, spot[0] + reach, spot[1] + reach)
        draw.ellipse(box, fill=(250, 248, 240), outline=(40, 36, 36), width=3)
        draw.text(spot, member.number, (20, 20, 24), fonts.get("sans-bold", 40), anchor="mm")


def _write_caption(
    card: Image.Image, spec: GroupPhotoSpec, fonts: Fonts, rng: Random
) -> Image.Image:
    mask = blank_mask(card.size)
    font = fonts.get("letter", spec.text_size + 4)
    small = fonts.get("letter", spec.text_size)
    pen = Handwriting(sway=1.0, turn=0.6)
    y = spec.size[1] - spec.foot + 40.0
    draw_handwriting(mask, (44, y), spec.caption, font, pen, rng)
    for line in wrap_text(spec.names, small, spec.size[0] - 100):
        y += spec.text_size * 1.4
        draw_handwriting(mask, (44, y), line, small, pen, rng)
    return apply_ink(card, mask, (40, 44, 92), rng, wear=0.3)
