"""Two evidence trays with the shells from the victims' hands."""

import math
from dataclasses import dataclass
from random import Random

from PIL import Image, ImageDraw, ImageFilter

from scripts_mm.drawing.primitives.canvas import SCALE
from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.paper import (
    Colour,
    Point,
    Size,
    add_vignette,
    make_noise,
    shade_image,
)

_SIZE: Size = (1000, 660)
_BLOOD = (112, 30, 26)
_PAINT = (44, 96, 190)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShellsSpec:
    """The words of the photograph."""

    labels: tuple[str, str, str]
    """Labels of both trays, and the line below."""


def draw_shells(spec: ShellsSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw both trays."""
    large = Image.new("RGB", (_SIZE[0] * SCALE, _SIZE[1] * SCALE), (70, 78, 82))
    for nth in (0, 1):
        _draw_tray(large, (40 + nth * 480, 50), spec.labels[nth], fonts)
    flat = _draw_shell(_FLAT, rng, (232, 226, 212), (196, 186, 168))
    flat = _stain_shell(flat, rng)
    long = _draw_shell(_LONG, rng, (124, 120, 112), (74, 74, 72))
    long = _paint_shell(long)
    for nth, shell in enumerate((flat, long)):
        _place_shell(large, shell, ((250 + nth * 480) * SCALE, 300 * SCALE), rng)
    small = large.resize(_SIZE, Image.Resampling.LANCZOS)
    small = shade_image(
        shade_image(small, make_noise(_SIZE, 3, rng), 0.07), make_noise(_SIZE, 150, rng), 0.08
    )
    draw = ImageDraw.Draw(small)
    draw.rectangle((0, 612, _SIZE[0], 660), fill=(240, 238, 230))
    draw.text((40, 636), spec.labels[2], (44, 46, 54), fonts.get("note", 27), anchor="lm")
    return add_vignette(small, 0.2)


def _draw_tray(image: Image.Image, at: Point, label: str, fonts: Fonts) -> None:
    draw = ImageDraw.Draw(image)
    x, y = at[0] * SCALE, at[1] * SCALE
    wide, tall = 440 * SCALE, 530 * SCALE
    draw.rounded_rectangle(
        (x, y, x + wide, y + tall), 40, fill=(206, 212, 214), outline=(236, 240, 242), width=10
    )
    draw.rounded_rectangle((x + 28, y + 28, x + wide - 28, y + tall - 28), 28, fill=(188, 196, 200))
    for nth in range(9):
        left = x + 90 + nth * 80
        foot = y + tall - 60
        draw.line(
            (left, foot, left, foot - (44 if nth % 2 == 0 else 26)), fill=(40, 44, 50), width=4
        )
        if nth % 2 == 0:
            draw.text((left, foot - 66), f"{nth}", (40, 44, 50), fonts.get("sans", 30), anchor="mm")
    draw.line((x + 90, y + tall - 60, x + 90 + 640, y + tall - 60), fill=(40, 44, 50), width=4)
    draw.text((x + 90 + 700, y + tall - 66), "cm", (40, 44, 50), fonts.get("sans", 30), anchor="mm")
    font = fonts.get("sans-bold", 44)
    box = draw.textbbox((x + 60, y + 70), label, font, anchor="lm")
    draw.rectangle((box[0] - 16, box[1] - 14, box[2] + 16, box[3] + 14), fill=(250, 222, 80))
    draw.text((x + 60, y + 70), label, (30, 30, 34), font, anchor="lm")


def _flat_edge(turn: float) -> float:
    return 1 + 0.025 * math.sin(turn * 9) + 0.02 * math.sin(turn * 5 + 1)


def _long_edge(turn: float) -> float:
    frill = 0.05 * math.sin(turn * 13) + 0.035 * math.sin(turn * 21 + 2)
    return 1 + frill * (0.4 + 0.6 * abs(math.sin(turn / 2)))


_ShellShape = tuple[float, float, bool]
"""Half width and half height in pixels of the large drawing; whether it is frilled."""
_FLAT: _ShellShape = (262, 250, False)
_LONG: _ShellShape = (178, 350, True)


def _growth_ring(shape: _ShellShape, share: float, size: Size) -> list[Point]:
    """Return a growth ring of a shell with its hinge at the top."""
    wide, tall, frilled = shape
    points: list[Point] = []
    for nth in range(120):
        turn = nth / 60 * math.pi
        edge = _long_edge(turn) if frilled else _flat_edge(turn)
        # the hinge end is narrow, the far end broad
        taper = 0.78 + 0.22 * math.cos(turn) if frilled else 0.92 + 0.08 * math.cos(turn)
        x = math.sin(turn) * wide * edge * taper * share
        y = -math.cos(turn + math.pi) * tall * edge * share - tall * (1 - share)
        points.append((size[0] / 2 + x, size[1] / 2 + y))
    return points


def _draw_shell(shape: _ShellShape, rng: Random, light: Colour, dark: Colour) -> Image.Image:
    """Return a shell (mode RGBA) with its growth rings."""
    size = (900, 900)
    image = Image.new("RGBA", size, (0, 0, 0, 0))
    draw = ImageDraw.Draw(image)
    rings = 13
    for nth in range(rings):
        share = 1 - nth * 0.072
        mix = 0.15 + 0.85 * (nth % 2) if shape[2] else 0.3 * (nth % 2)
        mix = min(1, mix + rng.uniform(-0.1, 0.15))
        fill = tuple(round(a + (b - a) * max(0, mix)) for a, b in zip(light, dark, strict=True))
        draw.polygon(_growth_ring(shape, share, size), fill=(*fill, 255))
        draw.line(_growth_ring(shape, share, size), fill=(*dark, 255), width=4 if shape[2] else 3)
    return image


def _stain_shell(shell: Image.Image, rng: Random) -> Image.Image:
    """Add dried blood along the lower edge."""
    mask = Image.new("L", shell.size, 0)
    draw = ImageDraw.Draw(mask)
    for nth in range(16):
        turn = 0.75 * math.pi + nth / 15 * 0.75 * math.pi
        reach = rng.uniform(26, 62)
        x, y = 450 + 236 * math.sin(turn), 450 - 226 * math.cos(turn)
        draw.ellipse((x - reach, y - reach * 0.6, x + reach, y + reach * 0.6), fill=190)
    mask = mask.filter(ImageFilter.GaussianBlur(7))
    stained = Image.composite(Image.new("RGBA", shell.size, (*_BLOOD, 255)), shell, mask)
    stained.putalpha(shell.getchannel("A"))
    return stained


def _paint_shell(shell: Image.Image) -> Image.Image:
    """Add the farm's blue mark on the back, and a wet gloss."""
    draw = ImageDraw.Draw(shell)
    draw.ellipse((396, 500, 506, 590), fill=(*_PAINT, 255))
    draw.ellipse((420, 570, 470, 640), fill=(*_PAINT, 255))
    for at in ((386, 330), (512, 420), (424, 690)):
        draw.arc(
            (at[0] - 20, at[1] - 50, at[0] + 20, at[1] + 50), 110, 250, (196, 202, 204, 255), 6
        )
    return shell


def _place_shell(image: Image.Image, shell: Image.Image, at: Point, rng: Random) -> None:
    turned = shell.rotate(rng.uniform(-16, 16), Image.Resampling.BICUBIC)
    spot = (round(at[0] - turned.width / 2), round(at[1] - turned.height / 2))
    shadow = Image.new("L", image.size, 0)
    shadow.paste(turned.getchannel("A").point([round(grey * 0.6) for grey in range(256)]),
                 (spot[0] + 18, spot[1] + 26))  # fmt: skip
    shadow = shadow.filter(ImageFilter.GaussianBlur(16))
    image.paste(Image.composite(Image.new("RGB", image.size, (30, 34, 38)), image, shadow))
    image.paste(turned, spot, turned)
