"""The strip map of Line 9: the rails, the loop at the Chapel, the stair, the long road."""

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from random import Random

from PIL import Image, ImageDraw

from scripts_mm.drawing.primitives.canvas import Canvas, round_corners, scale_size
from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.paper import (
    Colour,
    Point,
    Size,
    add_creases,
    add_vignette,
    age_edges,
    make_paper,
)

_SIZE: Size = (1000, 640)
_RED = (178, 36, 40)
_INK = (44, 42, 50)
_ROAD = (120, 112, 100)
STOPS: tuple[tuple[str, Point, Point, str], ...] = (
    ("harbour", (110, 520), (0, 34), "mm"),
    ("market", (310, 450), (0, 34), "mm"),
    ("bridge", (480, 370), (0, 36), "mm"),
    ("chapel", (650, 290), (26, 30), "lm"),
    ("depot", (850, 150), (0, -40), "mm"),
)
"""Key, place, offset of the name and its anchor."""
RIDES: tuple[tuple[str, Point], ...] = (
    ("ride-1", (205, 462)),
    ("ride-2", (388, 388)),
    ("ride-3", (592, 356)),
    ("ride-4", (792, 252)),
)
_YARD = (700, 118)
_DASH = 14
"""Length of a dash of the road, in pixels."""


def draw_line_map(words: Mapping[str, str], fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the card."""
    large = Image.new("RGB", scale_size(_SIZE), (240, 232, 208))
    canvas = Canvas(large, fonts)
    _draw_road(canvas)
    _draw_rails(canvas)
    _draw_stair(canvas)
    for _, at, _, _ in STOPS:
        canvas.oval((at[0] - 15, at[1] - 15, at[0] + 15, at[1] + 15), (250, 248, 240), 5)
    small = large.resize(_SIZE, Image.Resampling.LANCZOS)
    _write_texts(ImageDraw.Draw(small), words, fonts)
    mottled = make_paper(_SIZE, (255, 255, 255), rng, 0.12)
    sheet = Image.blend(small, mottled, 0.12)
    sheet = add_creases(sheet, across=(), down=(0.25, 0.5, 0.75))
    return add_vignette(age_edges(sheet, (120, 96, 60), 0.55, rng), 0.15)


def _draw_rails(canvas: Canvas) -> None:
    points = tuple(at for _, at, _, _ in STOPS)
    canvas.line(points, _RED, 11)
    chapel = STOPS[3][1]
    lens = ((-104, 48), (-62, -4), (-10, -34), (52, -58), (112, -78))
    canvas.line(tuple((chapel[0] + x, chapel[1] + y) for x, y in lens), _RED, 8)


def _draw_stair(canvas: Canvas) -> None:
    """Draw the way up: dashes with a tread across each."""
    start, end = (650, 262), (706, 152)
    steps = 9
    for nth in range(steps):
        share = nth / (steps - 1)
        x = start[0] + (end[0] - start[0]) * share
        y = start[1] + (end[1] - start[1]) * share
        canvas.line(((x - 13, y), (x + 13, y)), _INK, 4)
    canvas.box((_YARD[0] - 62, _YARD[1] - 30, _YARD[0] + 110, _YARD[1] + 30), (222, 214, 190), 4, 2)


def _draw_road(canvas: Canvas) -> None:
    bends: tuple[Point, ...] = (
        (110, 500), (60, 380), (120, 250), (250, 190), (330, 230), (420, 160), (520, 70),
        (700, 50), (900, 70), (930, 130), (880, 150),
    )  # fmt: skip
    for dash in _cut_dashes(round_corners(bends, 3)):
        canvas.line(dash, _ROAD, 4)


def _cut_dashes(line: Sequence[Point]) -> list[tuple[Point, ...]]:
    """Return dashes of one length along a line, with gaps between them."""
    spots: list[Point] = []
    for (ax, ay), (bx, by) in pairwise(line):
        steps = max(1, round(math.hypot(bx - ax, by - ay)))
        spots += [(ax + (bx - ax) * n / steps, ay + (by - ay) * n / steps) for n in range(steps)]
    return [tuple(spots[at : at + _DASH]) for at in range(0, len(spots), 2 * _DASH)]


def _write_texts(draw: ImageDraw.ImageDraw, words: Mapping[str, str], fonts: Fonts) -> None:
    def put(at: Point, key: str, size: int, fill: Colour, anchor: str = "mm") -> None:
        font = fonts.get("sans-bold", size)
        draw.text(at, words[key], fill, font, anchor, stroke_width=3, stroke_fill=(240, 232, 208))

    put((90, 70), "title", 44, _RED, "lm")
    for key, at, shift, anchor in STOPS:
        put((at[0] + shift[0], at[1] + shift[1]), key, 25, _INK, anchor)
    for key, at in RIDES:
        put(at, key, 21, _RED)
    put((_YARD[0] + 24, _YARD[1]), "yard", 21, _INK)
    put((628, 205), "stair", 22, _INK, "rm")
    put((150, 268), "road", 21, _ROAD, "lm")
