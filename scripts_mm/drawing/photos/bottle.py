"""A bottle, a jar or a packet with its label, photographed in front of a wall."""

from dataclasses import dataclass
from random import Random
from typing import Literal

from PIL import Image, ImageDraw, ImageFilter

from scripts_mm.drawing.primitives.canvas import scale_box, scale_size
from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.ink import apply_ink, blank_mask
from scripts_mm.drawing.primitives.paper import (
    Colour,
    Size,
    add_vignette,
    adjust_levels,
    make_noise,
    make_paper,
    make_wood,
    shade_image,
)
from scripts_mm.drawing.primitives.photo_print import PrintStyle, make_photo_print, photo_size
from scripts_mm.drawing.primitives.vertical_text import print_column

_GLASS = (96, 120, 96)
_INK = (40, 26, 22)
_RED = (196, 44, 40)
_PRINT = PrintStyle(colour=(238, 232, 216), foot=66, at=(28, 34), ink=(50, 48, 46), text_size=25)


@dataclass(frozen=True, slots=True, kw_only=True)
class BottleSpec:
    """A vessel with its label and fill level."""

    look: Literal["bottle", "jar", "packet"]
    label: tuple[str, ...]
    """Lines of the label (columns if it is upright); the first is the largest."""
    caption: str
    upright: bool = False
    level: float = 0.6
    """Fill level of the vessel, 0 to 1; visible only in glass."""
    strip: float | None = None
    """Position of a strip of red paper, as a share like `level`."""
    liquid: Colour = (150, 60, 30)
    tag: str = ""
    """A number on a cardboard tag next to it."""
    label_size: int = 34
    size: Size = (700, 900)


def draw_bottle(spec: BottleSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the vessel on a board, with a caption on the print's margin."""
    image = _draw_room(photo_size(spec.size, _PRINT), rng)
    match spec.look:
        case "bottle":
            image, box = _draw_glass(image, spec)
        case "jar":
            image, box = _draw_jar(image)
        case "packet":
            image, box = _draw_packet(image)
    image = _apply_label(image, spec, fonts, box, rng)
    if spec.tag:
        _draw_tag(image, spec.tag, fonts)
    image = add_vignette(shade_image(image, make_noise(image.size, 60, rng), 0.08), 0.34)
    return make_photo_print(image, spec.size, spec.caption, fonts, rng, _PRINT)


def _draw_room(size: Size, rng: Random) -> Image.Image:
    wall = make_paper(size, (176, 170, 154), rng, 0.10)
    board = make_wood((size[0], size[1] // 4), (104, 74, 50), rng)
    wall.paste(board, (0, size[1] - size[1] // 4))
    ImageDraw.Draw(wall).line(
        (0, size[1] * 0.75, size[0], size[1] * 0.75), fill=(60, 44, 34), width=3
    )
    return wall


def _add_shadow(image: Image.Image, box: tuple[float, float, float, float]) -> Image.Image:
    """Darken the board below the vessel."""
    mask = Image.new("L", image.size, 0)
    left, _, right, bottom = box
    ImageDraw.Draw(mask).ellipse((left - 10, bottom - 26, right + 70, bottom + 30), fill=170)
    mask = mask.filter(ImageFilter.GaussianBlur(14))
    return Image.composite(Image.new("RGB", image.size, (24, 18, 14)), image, mask)


def _outline_mask(size: Size, box: tuple[float, float, float, float]) -> Image.Image:
    """Return the mask of a bottle with shoulders and a neck that fills `box`."""
    mask = Image.new("L", scale_size(size), 0)
    draw = ImageDraw.Draw(mask)
    left, top, right, bottom = scale_box(box)
    middle, neck = (left + right) / 2, (right - left) * 0.15
    shoulder = top + (bottom - top) * 0.30
    draw.rounded_rectangle((left, shoulder, right, bottom), 34, fill=255)
    draw.pieslice((left, shoulder - 130, right, shoulder + 150), 180, 360, fill=255)
    draw.rectangle((middle - neck, top, middle + neck, shoulder), fill=255)
    draw.rounded_rectangle((middle - neck - 14, top, middle + neck + 14, top + 40), 10, fill=255)
    return mask.resize(size, Image.Resampling.LANCZOS)


def _draw_glass(
    image: Image.Image, spec: BottleSpec
) -> tuple[Image.Image, tuple[float, float, float, float]]:
    """Draw a bottle with its level, strip of paper and cork; return its label's box."""
    width, height = image.size
    box = (width * 0.28, height * 0.13, width * 0.72, height * 0.90)
    image = _add_shadow(image, box)
    shape = _outline_mask(image.size, box)
    image = Image.composite(Image.new("RGB", image.size, _GLASS), image, adjust_levels(shape, 0.55))
    floor, reach = box[3] - 12, (box[3] - box[1]) * 0.64
    y = floor - reach * spec.level
    full = Image.new("L", image.size, 0)
    ImageDraw.Draw(full).rectangle((box[0] + 9, y, box[2] - 10, floor), fill=215)
    full = Image.composite(full, Image.new("L", image.size, 0), shape)
    image = Image.composite(Image.new("RGB", image.size, spec.liquid), image, full)
    draw = ImageDraw.Draw(image)
    draw.ellipse((box[0] + 9, y - 9, box[2] - 10, y + 9), fill=_lighten(spec.liquid))
    _draw_cork(draw, box)
    _draw_gleam(image, box)
    if spec.strip is not None:
        mark = floor - reach * spec.strip
        draw.rectangle((box[0] - 6, mark - 7, box[0] + 128, mark + 7), fill=_RED)
        draw.line((box[0] - 6, mark + 7, box[0] + 128, mark + 7), fill=(120, 24, 24), width=2)
    middle = floor - reach * 0.36
    return image, (box[0] + 36, middle - 132, box[2] - 36, middle + 150)


def _lighten(colour: Colour) -> Colour:
    return (min(255, colour[0] + 46), min(255, colour[1] + 40), min(255, colour[2] + 30))


def _draw_cork(draw: ImageDraw.ImageDraw, box: tuple[float, float, float, float]) -> None:
    middle, top = (box[0] + box[2]) / 2, box[1]
    draw.rectangle((middle - 34, top - 44, middle + 34, top + 6), fill=(156, 118, 74))
    draw.line((middle - 34, top - 30, middle + 34, top - 26), fill=(112, 82, 50), width=3)
    draw.ellipse((middle - 34, top - 52, middle + 34, top - 36), fill=(178, 140, 94))


def _draw_gleam(image: Image.Image, box: tuple[float, float, float, float]) -> None:
    light = Image.new("L", image.size, 0)
    draw = ImageDraw.Draw(light)
    x = box[2] - 34
    draw.rounded_rectangle((x, box[1] + 250, x + 12, box[3] - 60), 6, fill=150)
    draw.rounded_rectangle((box[0] + 150, box[1] + 60, box[0] + 158, box[1] + 190), 4, fill=120)
    light = light.filter(ImageFilter.GaussianBlur(3))
    image.paste((236, 240, 230), (0, 0), light)


def _draw_jar(image: Image.Image) -> tuple[Image.Image, tuple[float, float, float, float]]:
    """Draw a glazed jar with a cloth over its mouth; return its label's box."""
    width, height = image.size
    box = (width * 0.18, height * 0.26, width * 0.82, height * 0.90)
    image = _add_shadow(image, box)
    draw = ImageDraw.Draw(image)
    draw.rounded_rectangle(box, 120, fill=(88, 58, 40), outline=(40, 26, 18), width=4)
    draw.rounded_rectangle(
        (box[0] + 40, box[1] + 30, box[0] + 66, box[3] - 90), 14, fill=(140, 100, 70)
    )
    middle = (box[0] + box[2]) / 2
    draw.polygon(
        [(middle - 170, box[1] + 50), (middle - 120, box[1] - 70), (middle + 120, box[1] - 70),
         (middle + 170, box[1] + 50)], fill=(170, 40, 36),
    )  # fmt: skip
    draw.line((middle - 150, box[1] - 4, middle + 150, box[1] - 4), fill=(214, 190, 140), width=8)
    return image, (middle - 130, box[1] + 110, middle + 130, box[1] + 400)


def _draw_packet(image: Image.Image) -> tuple[Image.Image, tuple[float, float, float, float]]:
    """Draw a folded packet of paper tied with string; return its label's box."""
    width, height = image.size
    box = (width * 0.16, height * 0.36, width * 0.84, height * 0.88)
    image = _add_shadow(image, box)
    draw = ImageDraw.Draw(image)
    draw.rectangle(box, fill=(206, 190, 150), outline=(120, 104, 70), width=3)
    draw.polygon(
        [(box[0], box[1]), ((box[0] + box[2]) / 2, box[1] + 120), (box[2], box[1])],
        fill=(190, 172, 130), outline=(120, 104, 70),
    )  # fmt: skip
    for x in (box[0] + 70, box[2] - 70):
        draw.line((x, box[1], x, box[3]), fill=(150, 60, 50), width=5)
    return image, (box[0] + 110, box[1] + 150, box[2] - 110, box[3] - 30)


def _apply_label(
    image: Image.Image,
    spec: BottleSpec,
    fonts: Fonts,
    box: tuple[float, float, float, float],
    rng: Random,
) -> Image.Image:
    """Paste the label and write on it."""
    size = (round(box[2] - box[0]), round(box[3] - box[1]))
    sheet = make_paper(size, (232, 220, 188), rng, 0.16)
    ImageDraw.Draw(sheet).rectangle(
        (6, 6, size[0] - 7, size[1] - 7), outline=(150, 50, 40), width=3
    )
    mask = blank_mask(size)
    if spec.upright:
        x = size[0] - 26 - spec.label_size * 0.55
        for nth, line in enumerate(spec.label):
            large = spec.label_size if nth == 0 else round(spec.label_size * 0.66)
            print_column(mask, (x, 18), line, fonts.get("letter", large), large * 1.1)
            x -= spec.label_size * 1.16
    else:
        draw = ImageDraw.Draw(mask)
        y = 20 + spec.label_size * 0.5
        for nth, line in enumerate(spec.label):
            large = spec.label_size if nth == 0 else round(spec.label_size * 0.72)
            draw.text((size[0] / 2, y), line, 255, fonts.get("pencil", large), anchor="mm")
            y += spec.label_size * (1.3 if nth == 0 else 1.05)
    image.paste(apply_ink(sheet, mask, _INK, rng, wear=0.3), (round(box[0]), round(box[1])))
    return image


def _draw_tag(image: Image.Image, text: str, fonts: Fonts) -> None:
    draw = ImageDraw.Draw(image)
    left, top = image.size[0] - 150, image.size[1] - 128
    draw.polygon(
        [(left, top + 84), (left + 10, top), (left + 112, top), (left + 122, top + 84)],
        fill=(226, 214, 170), outline=(60, 50, 40),
    )  # fmt: skip
    draw.text((left + 61, top + 44), text, _INK, fonts.get("bold", 42), anchor="mm")
