"""Traces that are prints: heels, a key, the foot of a lamp, a hand on a wall."""

from random import Random

from PIL import Image, ImageDraw, ImageFilter

from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.paper import adjust_levels, make_noise, shade_image
from scripts_mm.generate.pictures.emblems import EmblemPen, draw_emblem
from scripts_mm.generate.pictures.trace_photo import (
    SCALE,
    TraceSpec,
    draw_marker_card,
    finish_photo,
    make_ground,
    press_print,
    scale_colour,
)

_LOW, _HIGH = 170, 230
"""Heights in centimetres at the lower and upper edge of the visible wall."""


def draw_heel(spec: TraceSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the print of a shoe's heel with an emblem in it."""
    image = make_ground(spec, rng)
    mask = _sole_mask(image.size)
    inner = Image.new("L", image.size, 0)
    draw_emblem(spec.show, EmblemPen(ImageDraw.Draw(inner), (840, 950), 132, 255, 0))
    mask.paste(0, (0, 0), inner)
    return _press_mask(image, mask, spec, fonts, rng)


def draw_nails(spec: TraceSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the print of a shoe's heel with `show` nails."""
    image = make_ground(spec, rng)
    mask = _sole_mask(image.size)
    draw = ImageDraw.Draw(mask)
    count = int(spec.show)
    rows = (count // 2, count - count // 2)
    for row, many in enumerate(rows):
        for at in range(many):
            x = 840 + (at - (many - 1) / 2) * 86
            y = 880 + row * 130
            draw.ellipse((x - 30, y - 30, x + 30, y + 30), fill=0)
    return _press_mask(image, mask, spec, fonts, rng, wear=0.35)


def draw_key(spec: TraceSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the impression of a key in soot; its bow is shaped like `show`."""
    image = make_ground(spec, rng)
    soot = Image.new("L", image.size, 0)
    ImageDraw.Draw(soot).ellipse((160, 240, 1520, 1180), fill=235)
    soot = adjust_levels(soot.filter(ImageFilter.GaussianBlur(90)), 1.0)
    dark = shade_image(
        Image.new("RGB", image.size, (38, 34, 34)), make_noise(image.size, 5, rng), 0.5
    )
    image = Image.composite(dark, image, soot)
    mask = Image.new("L", image.size, 0)
    draw = ImageDraw.Draw(mask)
    draw_emblem(spec.show, EmblemPen(draw, (520, 710), 170, 255, 0))
    if spec.show not in ("ring", "eight"):
        draw.ellipse((494, 684, 546, 736), fill=0)
    draw.rectangle((664, 686, 1220, 734), fill=255)
    for x, tall in ((1060, 92), (1124, 60), (1176, 104)):
        draw.rectangle((x, 730, x + 36, 730 + tall), fill=255)
    mask = mask.rotate(spec.turn, Image.Resampling.BICUBIC, center=(840, 710))
    image = press_print(image, mask.filter(ImageFilter.MaxFilter(9)), (16, 14, 14), 7)
    image = press_print(image, mask, (128, 118, 108), 3)
    draw_marker_card(ImageDraw.Draw(image), spec, fonts, (110, 600))
    return finish_photo(image, spec, fonts, rng)


def draw_lamp_foot(spec: TraceSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the mark of a lamp's foot in dust."""
    image = make_ground(spec, rng)
    dust = shade_image(
        Image.new("RGB", image.size, (206, 200, 186)), make_noise(image.size, 4, rng), 0.3
    )
    image = Image.blend(image, dust, 0.62)
    mask = Image.new("L", image.size, 0)
    draw_emblem(spec.show, EmblemPen(ImageDraw.Draw(mask), (860, 690), 330, 255, 0))
    mask = mask.rotate(spec.turn, Image.Resampling.BICUBIC, center=(860, 690))
    rim = mask.filter(ImageFilter.MaxFilter(19))
    image = press_print(image, rim, (236, 232, 222), 5)
    image = press_print(image, mask, scale_colour(spec.ground, 0.62), 4)
    draw_marker_card(ImageDraw.Draw(image), spec, fonts, (120, 600))
    return finish_photo(image, spec, fonts, rng)


def draw_wall(spec: TraceSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw a hand print on a wall next to a ruler; the fingertips end at `show` centimetres."""
    size = (spec.size[0] * SCALE, spec.size[1] * SCALE)
    image = shade_image(Image.new("RGB", size, spec.ground), make_noise(size, 150, rng), 0.18)
    image = shade_image(image, make_noise(size, 5, rng), 0.08)
    draw = ImageDraw.Draw(image)
    left = 300 if spec.seed % 2 else 1240
    step = (size[1] - 160) / (_HIGH - _LOW)

    def level(mark: int) -> float:
        return size[1] - 80 - (mark - _LOW) * step

    draw.rectangle((left, 20, left + 120, size[1] - 20), fill=(240, 216, 120), outline=(70, 60, 30))
    for mark in range(_LOW, _HIGH + 1):
        long = 70 if mark % 10 == 0 else 46 if mark % 5 == 0 else 26
        draw.line((left, level(mark), left + long, level(mark)), fill=(40, 34, 20), width=4)
        if mark % 10 == 0:
            at = (left + 140 if left < size[0] / 2 else left - 20, level(mark))
            anchor = "lm" if left < size[0] / 2 else "rm"
            draw.text(at, str(mark), (30, 30, 36), fonts.get("sans-bold", 52), anchor=anchor)
    tip = level(int(spec.show))
    mask = _hand_mask(size, 840, tip)
    smear = adjust_levels(make_noise(size, 14, rng), 0.8, 90)
    mask = Image.composite(mask, Image.new("L", size, 0), smear)
    image = press_print(image, mask, (96, 40, 34), 3)
    draw = ImageDraw.Draw(image)
    for x in range(min(left + 60, 700), max(left + 60, 980), 40):
        draw.line((x, tip, x + 20, tip), fill=(220, 40, 40), width=4)
    draw.text((840, tip - 46), spec.label, (190, 30, 30), fonts.get("sans-bold", 54), anchor="mm")
    draw_marker_card(draw, spec, fonts, (110 if left > size[0] / 2 else 720, 600))
    return finish_photo(image, spec, fonts, rng)


def _sole_mask(size: tuple[int, int]) -> Image.Image:
    """Return the mask of a heel and the hind part of a sole above it."""
    mask = Image.new("L", size, 0)
    draw = ImageDraw.Draw(mask)
    draw.rounded_rectangle((620, 760, 1060, 1150), 200, fill=255)
    draw.rectangle((620, 760, 1060, 900), fill=255)
    draw.polygon([(650, 40), (1030, 40), (1010, 690), (670, 690)], fill=255)
    for y in range(70, 690, 64):
        draw.line((600, y, 1080, y + 24), fill=0, width=20)
    return mask


def _press_mask(
    image: Image.Image,
    mask: Image.Image,
    spec: TraceSpec,
    fonts: Fonts,
    rng: Random,
    *,
    wear: float = 0.7,
) -> Image.Image:
    mask = mask.rotate(spec.turn, Image.Resampling.BICUBIC, center=(840, 800))
    worn = adjust_levels(make_noise(image.size, 22, rng), wear, 255 - wear * 205)
    mask = Image.composite(mask, Image.new("L", image.size, 0), worn)
    image = press_print(image, mask, scale_colour(spec.ground, 0.34), 3)
    draw_marker_card(ImageDraw.Draw(image), spec, fonts, (120 if spec.seed % 2 else 720, 590))
    return finish_photo(image, spec, fonts, rng)


def _hand_mask(size: tuple[int, int], x: float, tip: float) -> Image.Image:
    mask = Image.new("L", size, 0)
    draw = ImageDraw.Draw(mask)
    for dx, top, tall, wide in ((-78, 46, 210, 46), (-26, 8, 240, 48), (28, 0, 246, 48),
                                (82, 30, 216, 46)):  # fmt: skip
        left = x + dx - wide / 2
        draw.rounded_rectangle((left, tip + top, left + wide, tip + top + tall), 22, fill=255)
    draw.rounded_rectangle((x - 108, tip + 236, x + 112, tip + 440), 80, fill=255)
    draw.line((x - 92, tip + 360, x - 178, tip + 262), fill=255, width=50)
    draw.ellipse((x - 204, tip + 236, x - 152, tip + 288), fill=255)
    return mask
