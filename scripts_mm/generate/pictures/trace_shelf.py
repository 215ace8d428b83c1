"""Shelves next to the body: dust on one of them shows where the weapon was."""

from random import Random

from PIL import Image, ImageDraw

from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.paper import Colour, make_noise, shade_image
from scripts_mm.generate.pictures.trace_photo import (
    SCALE,
    TraceSpec,
    draw_marker_card,
    finish_photo,
    scale_colour,
)

_BOARDS = 8
"""Number of shelves: more than the highest with the gap, so that it is never the top one."""
_BINDINGS: tuple[Colour, ...] = (
    (120, 44, 40), (44, 70, 104), (60, 84, 60), (140, 112, 60), (84, 60, 90), (90, 84, 76),
)  # fmt: skip


def draw_shelves(spec: TraceSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the shelves, numbered from the bottom; the gap is on number `show`."""
    size = (spec.size[0] * SCALE, spec.size[1] * SCALE)
    image = shade_image(Image.new("RGB", size, (176, 168, 152)), make_noise(size, 140, rng), 0.16)
    draw = ImageDraw.Draw(image)
    wood = scale_colour(spec.ground, 0.8)
    left, right = 380, 1300
    draw.rectangle((left - 40, 30, right + 40, size[1]), fill=scale_colour(wood, 0.55))
    step = (size[1] - 120) / _BOARDS
    for number in range(1, _BOARDS + 1):
        bottom = size[1] - 60 - (number - 1) * step
        top = bottom - step
        draw.rectangle((left, top, right, bottom), fill=scale_colour(wood, 0.72))
        _draw_things(draw, (left, right), (bottom, step), spec, number, rng)
        draw.rectangle((left - 40, bottom - 8, right + 40, bottom + 26), fill=wood)
        draw.rectangle((left - 30, bottom - 6, left + 26, bottom + 24), fill=(240, 236, 220))
        at = (left - 2, bottom + 9)
        draw.text(at, str(number), (30, 30, 30), fonts.get("sans-bold", 30), anchor="mm")
    bottom = size[1] - 60 - (int(spec.show) - 1) * step
    draw.ellipse((760, bottom - 62, 1010, bottom - 6), fill=scale_colour(wood, 1.15))
    draw.arc((740, bottom - 70, 1030, bottom + 2), 0, 360, fill=(226, 222, 210), width=12)
    draw.line((1420, bottom - 60, 1330, bottom - 34), fill=(220, 50, 40), width=10)
    draw.polygon(
        [(1330, bottom - 34), (1368, bottom - 66), (1372, bottom - 26)], fill=(220, 50, 40)
    )
    draw_marker_card(draw, spec, fonts, (760, 600))
    return finish_photo(image, spec, fonts, rng)


def _draw_things(
    draw: ImageDraw.ImageDraw,
    edges: tuple[int, int],
    board: tuple[float, float],
    spec: TraceSpec,
    number: int,
    rng: Random,
) -> None:
    """Draw books and jars on a board, except at the gap of the missing weapon."""
    left, right = edges
    bottom, step = board
    x = left + 40.0
    while x < right - 90:
        wide, tall = rng.uniform(30, 70), step * rng.uniform(0.45, 0.78)
        if number != int(spec.show) or x + wide < _GAP[0] or x > _GAP[1]:
            draw.rectangle((x, bottom - tall, x + wide, bottom - 8), fill=rng.choice(_BINDINGS))
            draw.line((x + 6, bottom - tall * 0.8, x + wide - 6, bottom - tall * 0.8),
                      fill=(214, 190, 120), width=4)  # fmt: skip
        x += wide + (rng.uniform(60, 160) if rng.random() < _SPACE else 3)


_GAP = (640, 1110)
"""Left and right end of the weapon's gap, in pixels."""
_SPACE = 0.18
"""Share of objects with a gap after them."""
