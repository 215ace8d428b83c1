"""Two bell clappers side by side on the constable's table."""

from dataclasses import dataclass
from random import Random

from PIL import Image, ImageDraw

from scripts_mm.drawing.primitives.canvas import SCALE, scale_box, scale_points, scale_size
from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.ink import Stamp, apply_stamp
from scripts_mm.drawing.primitives.paper import (
    Colour,
    Point,
    Size,
    add_vignette,
    make_noise,
    make_wood,
    shade_image,
)
from scripts_mm.drawing.primitives.photo_print import PrintStyle, make_photo_print, photo_size

_LINE = (30, 26, 24)
_PRINT = PrintStyle(colour=(242, 240, 232), hand="pencil", text_size=26)
_RUST = (132, 76, 46)
_IRON = (104, 108, 116)
_FELT = (98, 100, 92)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClapperSpec:
    """The marks on the clappers and the felt, and the words of the tags."""

    caption: str
    tags: tuple[str, str]
    year: str
    """Year cast in the old clapper."""
    mark: str
    """Mark punched into the new clapper."""
    stamp: tuple[str, ...]
    """Stamp on the felt."""
    size: Size = (1000, 720)


def draw_clapper(spec: ClapperSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the photograph."""
    width, height = photo_size(spec.size, _PRINT)
    large = make_wood(scale_size((width, height)), (150, 122, 92), rng)
    draw = ImageDraw.Draw(large)
    _draw_felt(draw)
    large = apply_stamp(
        large,
        (160 * SCALE, 536 * SCALE),
        Stamp(lines=spec.stamp, colour=(44, 30, 90), angle=7),
        fonts.get("sans-bold", 23 * SCALE),
        rng,
    )
    draw = ImageDraw.Draw(large)
    _draw_tongue(draw, 300, _RUST)
    _draw_rust(draw, rng)
    _draw_tongue(draw, 690, _IRON)
    _draw_ruler(draw, fonts)
    for x, tag in zip((300, 690), spec.tags, strict=True):
        _draw_tag(draw, (x + 130, 74), tag, fonts)
    year = fonts.get("bold", 30 * SCALE)
    for shift, colour in ((3, (220, 180, 140)), (0, (56, 28, 16))):
        at = (300 * SCALE + shift, 398 * SCALE + shift)
        draw.text(at, spec.year, colour, year, anchor="mm")
    mark = fonts.get("bold", 34 * SCALE)
    draw.text((690 * SCALE, 398 * SCALE), spec.mark, (40, 42, 48), mark, anchor="mm")
    small = large.resize((width, height), Image.Resampling.LANCZOS)
    small = add_vignette(shade_image(small, make_noise(small.size, 2, rng), 0.12), 0.35)
    return make_photo_print(small, spec.size, spec.caption, fonts, rng, _PRINT)


def _draw_tongue(draw: ImageDraw.ImageDraw, x: float, colour: Colour) -> None:
    """Draw a clapper: eye, shaft, ball with a flat for the sign, tail."""
    dark = (colour[0] // 2, colour[1] // 2, colour[2] // 2)
    light = (min(255, colour[0] + 50), min(255, colour[1] + 50), min(255, colour[2] + 50))
    draw.ellipse(scale_box((x - 34, 44, x + 34, 112)), fill=colour, outline=_LINE, width=4)
    draw.ellipse(scale_box((x - 15, 62, x + 15, 92)), fill=(110, 88, 66), outline=_LINE, width=4)
    draw.polygon(
        scale_points((x - 17, 106), (x + 17, 106), (x + 30, 330), (x - 30, 330)), fill=colour
    )
    draw.line(scale_points((x - 8, 112), (x - 16, 326)), fill=light, width=12)
    draw.line(scale_points((x + 14, 112), (x + 25, 326)), fill=dark, width=9)
    draw.ellipse(scale_box((x - 94, 312, x + 94, 486)), fill=colour, outline=_LINE, width=4)
    draw.arc(scale_box((x - 82, 322, x + 82, 476)), 20, 110, fill=dark, width=18)
    draw.rounded_rectangle(
        scale_box((x - 78, 368, x + 78, 430)), 18, fill=light, outline=dark, width=3
    )
    draw.polygon(
        scale_points((x - 22, 480), (x + 22, 480), (x + 15, 560), (x - 15, 560)), fill=colour
    )
    draw.line(scale_points((x - 22, 480), (x - 15, 560)), fill=light, width=6)


def _draw_rust(draw: ImageDraw.ImageDraw, rng: Random) -> None:
    for _ in range(190):
        x, y = rng.gauss(300, 44), rng.uniform(120, 540)
        near = abs(x - 300) < (84 if 320 < y < 480 else 16)  # noqa: PLR2004 - ball and shaft
        flat = 366 < y < 432  # noqa: PLR2004 - keep the sign readable
        if near and not flat:
            reach = rng.uniform(1, 5)
            shade = rng.choice(((90, 44, 24), (170, 104, 60), (64, 36, 26)))
            draw.ellipse(scale_box((x - reach, y - reach, x + reach, y + reach)), fill=shade)


def _draw_felt(draw: ImageDraw.ImageDraw) -> None:
    cloth = scale_points((70, 214), (208, 180), (420, 204), (500, 290), (512, 470), (446, 592),
        (250, 622),
                 (44, 606), (30, 380))  # fmt: skip
    draw.polygon(cloth, fill=_FELT)
    draw.line([*cloth, cloth[0]], fill=(58, 58, 52), width=5)
    for ends in (((100, 250), (120, 470)), ((440, 260), (430, 570)), ((150, 225), (400, 236))):
        draw.line(scale_points(*ends), fill=(80, 82, 74), width=7)


def _draw_ruler(draw: ImageDraw.ImageDraw, fonts: Fonts) -> None:
    draw.rectangle(scale_box((858, 130, 906, 618)), fill=(232, 204, 120), outline=_LINE, width=3)
    font = fonts.get("sans", 15 * SCALE)
    for nth in range(49):
        y = 132 + nth * 9.8
        reach = 26 if nth % 10 == 0 else 12
        draw.line(scale_points((858, y), (858 + reach, y)), fill=_LINE, width=2)
        if nth % 10 == 0 and nth:
            draw.text(scale_points((894, y))[0], str(nth), _LINE, font, anchor="mm")


def _draw_tag(draw: ImageDraw.ImageDraw, at: Point, text: str, fonts: Fonts) -> None:
    font = fonts.get("note", 21 * SCALE)
    lines = text.split("\n")
    wide = max(font.getlength(line) for line in lines) / SCALE + 26
    x, y = at
    draw.line(scale_points((x - 96, y + 4), (x - 46, y + 12)), fill=(210, 200, 180), width=4)
    box = scale_box((x - 46, y - 22, x - 46 + wide, y - 22 + 30 * len(lines) + 10))
    draw.rectangle(box, fill=(246, 238, 214), outline=_LINE, width=3)
    for nth, line in enumerate(lines):
        spot = scale_points((x - 33, y - 1 + 30 * nth))[0]
        draw.text(spot, line, (30, 40, 100), font, anchor="lm")
