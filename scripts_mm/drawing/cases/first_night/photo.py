"""A photograph of the storm scene, taken from the stalls."""

import math
from dataclasses import dataclass
from random import Random

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from scripts_mm.drawing.primitives.canvas import scale_box, scale_points, scale_size
from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.paper import (
    Colour,
    Point,
    Size,
    add_vignette,
    adjust_levels,
    make_noise,
    shade_image,
)
from scripts_mm.drawing.primitives.photo_print import PrintStyle, make_photo_print, photo_size

_PRINT = PrintStyle(colour=(240, 238, 230), hand="print", text_size=24)


@dataclass(frozen=True, slots=True, kw_only=True)
class StagePhotoSpec:
    """The words of the photograph and the hand in which the figure carries its lantern."""

    caption: str
    stamp: str
    lantern_left: bool
    """In the figure's left hand, which is on the right of the picture: it faces the camera."""
    size: Size = (1000, 760)


def draw_photo(spec: StagePhotoSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the photograph."""
    width, height = photo_size(spec.size, _PRINT)
    image = _draw_sky(scale_size((width, height)), rng)
    draw = ImageDraw.Draw(image)
    _draw_river(draw, width, height, rng)
    _draw_bridge(draw, width)
    _draw_boat(draw)
    side = 1 if spec.lantern_left else -1
    image = _add_light(image, (480 - side * 46, 296), 46, (200, 210, 230), 130)
    _draw_ghost(ImageDraw.Draw(image), side)
    image = _add_light(image, (480 + side * 62, 318), 84, (255, 190, 80), 190)
    _draw_lantern(ImageDraw.Draw(image), side)
    _draw_curtains(ImageDraw.Draw(image), width, height)
    small = image.resize((width, height), Image.Resampling.LANCZOS)
    small = shade_image(small, make_noise(small.size, 2, rng), 0.14)
    small = add_vignette(small, 0.45)
    ImageDraw.Draw(small).text(
        (width - 24, height - 30), spec.stamp, (255, 150, 40), fonts.get("mono", 26), anchor="rm"
    )
    return make_photo_print(small, spec.size, spec.caption, fonts, rng, _PRINT)


def _draw_sky(size: Size, rng: Random) -> Image.Image:
    sky = Image.new("RGB", size, (40, 52, 82))
    sky = shade_image(sky, make_noise(size, 240, rng), 0.55)
    bolt = Image.new("L", size, 0)
    draw = ImageDraw.Draw(bolt)
    x, y = 690.0, 0.0
    for nth in range(9):
        end = (x + rng.uniform(-34, 22), y + rng.uniform(26, 50))
        draw.line(scale_points((x, y), end), fill=255, width=8)
        if nth in (2, 4, 6):
            fork = (end[0] + rng.uniform(30, 70), end[1] + rng.uniform(30, 60))
            draw.line(scale_points(end, fork), fill=200, width=4)
        x, y = end
    halo = adjust_levels(bolt.filter(ImageFilter.GaussianBlur(26)), 3)
    sky = Image.composite(Image.new("RGB", size, (168, 186, 230)), sky, halo)
    return Image.composite(Image.new("RGB", size, (250, 250, 255)), sky, bolt)


def _draw_river(draw: ImageDraw.ImageDraw, width: int, height: int, rng: Random) -> None:
    draw.rectangle(scale_box((0, 470, width, height)), fill=(16, 26, 42))
    for nth in range(9):
        y = 476 + nth * 22.0
        phase = rng.uniform(0, 6)
        wave = [(x, y + 5 * math.sin(x / 38 + phase)) for x in range(0, width + 8, 8)]
        shade = 44 + nth * 4
        draw.line(scale_points(*wave), fill=(shade, shade + 18, shade + 40), width=5)


def _draw_bridge(draw: ImageDraw.ImageDraw, width: int) -> None:
    plank, dark = (104, 76, 52), (58, 42, 30)
    for x in range(150, width - 110, 120):
        draw.rectangle(scale_box((x, 420, x + 16, 520)), fill=dark)
    draw.rectangle(scale_box((90, 402, width - 90, 426)), fill=plank)
    for x in range(90, width - 90, 44):
        draw.line(scale_points((x, 402), (x, 426)), fill=dark, width=3)
    for x in range(110, width - 90, 74):
        draw.line(scale_points((x, 402), (x, 346)), fill=dark, width=8)
    draw.line(scale_points((96, 348), (width - 96, 348)), fill=dark, width=7)


def _draw_boat(draw: ImageDraw.ImageDraw) -> None:
    coat, skin = (30, 34, 44), (150, 120, 100)
    for x, lean in ((226, 10), (318, -8)):
        draw.polygon(
            scale_points((x - 26, 566), (x - 18 + lean, 506), (x + 18 + lean, 506), (x + 28, 566)),
            fill=coat,
        )
        _draw_disc(draw, (x + lean, 490), 17, skin)
        draw.pieslice(
            scale_box((x + lean - 20, 468, x + lean + 20, 504)), 180, 360, fill=(64, 58, 50)
        )
    draw.line(scale_points((214, 530), (150, 610)), fill=(120, 96, 66), width=9)
    draw.polygon(scale_points((150, 552), (402, 552), (364, 604), (190, 604)), fill=(74, 54, 40))
    draw.line(scale_points((150, 552), (402, 552)), fill=(128, 98, 70), width=8)


def _draw_ghost(draw: ImageDraw.ImageDraw, side: int) -> None:
    """Draw the veiled figure, facing the camera; `side` is the side of the lantern."""
    veil, fold, face = (222, 226, 232), (170, 178, 192), (196, 198, 204)
    draw.polygon(
        scale_points(
            (480, 196), (452, 224), (444, 290), (424, 404), (536, 404), (516, 290), (508, 224)
        ),
        fill=veil,
    )
    draw.ellipse(scale_box((452, 186, 508, 252)), fill=veil)
    draw.ellipse(scale_box((464, 200, 496, 244)), fill=face)
    for x in (472, 488):
        draw.ellipse(scale_box((x - 4, 216, x + 4, 222)), fill=(120, 124, 136))
    draw.line(scale_points((480, 224), (478, 232)), fill=(150, 150, 160), width=3)
    for bottom, top in ((446, 462), (468, 474), (492, 486), (514, 498)):
        draw.line(scale_points((top, 262), (bottom, 402)), fill=fold, width=4)
    # the arm with the lantern is stretched out; the other hangs in its sleeve
    draw.line(scale_points((480 + side * 26, 258), (480 + side * 62, 268)), fill=veil, width=36)
    _draw_disc(draw, (480 + side * 64, 268), 8, (206, 182, 160))
    draw.line(scale_points((480 - side * 28, 258), (480 - side * 44, 330)), fill=veil, width=34)
    draw.line(scale_points((480 - side * 36, 270), (480 - side * 48, 334)), fill=fold, width=4)


def _draw_lantern(draw: ImageDraw.ImageDraw, side: int) -> None:
    x = 480 + side * 64
    iron = (54, 44, 34)
    draw.line(scale_points((x, 268), (x, 292)), fill=iron, width=4)
    draw.polygon(scale_points((x - 14, 304), (x, 290), (x + 14, 304)), fill=iron)
    draw.rectangle(
        scale_box((x - 13, 304, x + 13, 340)), fill=(255, 226, 130), outline=iron, width=5
    )
    draw.line(scale_points((x, 304), (x, 340)), fill=iron, width=3)
    draw.rectangle(scale_box((x - 16, 340, x + 16, 346)), fill=iron)


def _draw_curtains(draw: ImageDraw.ImageDraw, width: int, height: int) -> None:
    for nth in range(6):
        shade: Colour = (110 - nth % 2 * 34, 20, 28)
        for left in (nth * 15, width - 90 + nth * 15):
            draw.rectangle(scale_box((left, 0, left + 15, height)), fill=shade)
    draw.rectangle(scale_box((0, 0, width, 40)), fill=(92, 16, 24))
    for x in range(-20, width, 80):
        draw.pieslice(scale_box((x, 0, x + 80, 72)), 0, 180, fill=(110, 20, 28))
    for x in range(40, width, 96):
        _draw_disc(draw, (x, height + 4), 30, (6, 7, 10))
        draw.rectangle(scale_box((x - 46, height + 22, x + 46, height + 60)), fill=(6, 7, 10))


def _add_light(
    image: Image.Image, at: Point, reach: int, colour: Colour, strength: int
) -> Image.Image:
    glow = Image.new("L", image.size, 0)
    _draw_disc(ImageDraw.Draw(glow), at, reach, strength)
    glow = glow.filter(ImageFilter.GaussianBlur(reach * 0.7))
    light = Image.composite(
        Image.new("RGB", image.size, colour), Image.new("RGB", image.size, (0, 0, 0)), glow
    )
    return ImageChops.screen(image, light)


def _draw_disc(draw: ImageDraw.ImageDraw, at: Point, reach: float, fill: Colour | int) -> None:
    draw.ellipse(scale_box((at[0] - reach, at[1] - reach, at[0] + reach, at[1] + reach)), fill=fill)
