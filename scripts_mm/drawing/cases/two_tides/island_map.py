"""The map of Hallan: two rocks, the bar between them, houses, ways, and the tower in section."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from random import Random

from PIL import Image, ImageChops

from scripts_mm.drawing.primitives.canvas import Canvas, TextStyle, scale_size
from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.paper import (
    Point,
    Size,
    add_creases,
    add_vignette,
    age_edges,
    make_paper,
)

_SIZE: Size = (1000, 900)
_INK = (44, 46, 54)
_SEA = (176, 206, 218)
_LAND = (226, 220, 184)
_SHORE = (104, 116, 100)
_STONES = (168, 160, 142)
_SHELL = (250, 248, 240)
_RED = (176, 44, 36)
_BLUE = (52, 96, 170)

_ROCK: tuple[Point, ...] = (
    (70, 330), (100, 262), (160, 226), (230, 232), (292, 268), (328, 330), (330, 402), (300, 462),
    (236, 500), (160, 494), (100, 448), (72, 396),
)  # fmt: skip
_FARM: tuple[Point, ...] = (
    (548, 346), (566, 270), (616, 216), (700, 184), (800, 192), (880, 230), (930, 300), (944, 390),
    (920, 476), (870, 540), (788, 574), (700, 560), (620, 520), (566, 450),
)  # fmt: skip
_BAR: tuple[Point, ...] = ((322, 372), (380, 392), (440, 398), (500, 392), (556, 372))
_HOUSES: Mapping[str, tuple[Point, Point, str]] = {
    "tower": ((166, 330), (-26, -32), "mm"),
    "oil-store": ((236, 392), (18, 4), "lm"),
    "cottage": ((220, 290), (-24, -26), "mm"),
    "fog-house": ((148, 418), (0, 34), "mm"),
    "hostel": ((770, 286), (22, 0), "lm"),
    "bunkhouse": ((664, 330), (-6, -26), "mm"),
    "tank-house": ((688, 404), (-22, 0), "rm"),
    "packing": ((706, 512), (0, -27), "mm"),
    "office": ((748, 368), (22, -8), "lm"),
    "seal-station": ((850, 470), (-6, 30), "mm"),
    "slip": ((862, 256), (-16, -24), "rm"),
}
"""Every building: its place, the offset of its name, and the name's anchor."""
_WAYS: tuple[tuple[tuple[Point, ...], str, Point], ...] = (
    (((168, 342), (200, 374), (228, 390)), "", (0, 0)),
    (((160, 418), (196, 430), (228, 398)), "way-fog", (232, 440)),
    (((250, 390), (322, 372), *_BAR[1:], (620, 356), (656, 336)), "way-neck", (440, 370)),
    (((672, 340), (684, 366), (688, 394)), "way-bunk", (656, 368)),
    (((762, 296), (724, 348), (698, 396)), "way-hostel", (752, 326)),
    (((838, 466), (780, 432), (704, 408)), "way-seal", (788, 454)),
)
_SECTION: tuple[tuple[str, float], ...] = (
    ("lantern-room", 668),
    ("watch-room", 732),
    ("hall", 800),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class IslandMapSpec:
    """Labels by their keys, and the notes below the map."""

    words: Mapping[str, str]
    notes: tuple[str, ...]


def draw_island_map(spec: IslandMapSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the map."""
    canvas = Image.new("RGB", scale_size(_SIZE), (255, 255, 255))
    pen = _IslandCanvas(canvas, spec.words, fonts)
    _draw_sea(pen, rng)
    for shore in (_ROCK, _FARM):
        line = _waver_line(shore, rng)
        pen.shape(line, _LAND, 0)
        pen.line((*line, line[0]), _SHORE, 3)
    _draw_bar(pen, rng)
    _draw_ways(pen)
    _draw_heaps(pen, rng)
    for key, (at, shift, anchor) in _HOUSES.items():
        pen.draw_house(at, round_=key == "tower")
        pen.write_label(key, (at[0] + shift[0], at[1] + shift[1]), 18, anchor)
    _draw_section(pen)
    _draw_frame(pen, spec.notes)
    drawn = canvas.resize(_SIZE, Image.Resampling.LANCZOS)
    sheet = ImageChops.multiply(make_paper(_SIZE, (246, 242, 228), rng, 0.07), drawn)
    sheet = add_creases(age_edges(sheet, (140, 124, 84), 0.4, rng), across=(0.5,), down=(0.5,))
    return add_vignette(sheet, 0.14)


_PLAIN = TextStyle(size=18, hand="sans")
_BOLD = TextStyle(size=18)
_TIMED = TextStyle(size=16, fill=_RED, ground=(252, 250, 242))
_WATER = TextStyle(size=19, hand="sans", fill=(70, 110, 136))


class _IslandCanvas(Canvas):
    """A canvas with the map's words and houses."""

    def __init__(self, image: Image.Image, words: Mapping[str, str], fonts: Fonts) -> None:
        super().__init__(image, fonts, _INK, 4)
        self._words = words

    def draw_house(self, at: Point, *, round_: bool = False) -> None:
        """Draw a building from above."""
        x, y = at
        if round_:
            self.disc(at, 17, (236, 210, 204), edge=_RED)
            self.disc(at, 7, _RED, 0)
        else:
            self.box((x - 13, y - 10, x + 13, y + 10), (206, 150, 120))
            self.line(((x - 13, y), (x + 13, y)), _INK, 1.5)

    def write_label(
        self, key: str, at: Point, size: int, anchor: str = "mm", look: TextStyle = _PLAIN
    ) -> None:
        """Write a word of the map, line by line."""
        self.write(at, self._words[key], replace(look, size=size, anchor=anchor))


def _waver_line(points: Sequence[Point], rng: Random) -> list[Point]:
    """Return a shoreline: every side split into uneven pieces."""
    found: list[Point] = []
    for (ax, ay), (bx, by) in pairwise([*points, points[0]]):
        for nth in range(5):
            share = nth / 5
            shift = rng.uniform(-5, 5)
            found.append((ax + (bx - ax) * share + shift, ay + (by - ay) * share + shift))
    return found


def _draw_sea(pen: _IslandCanvas, rng: Random) -> None:
    pen.shape(((20, 96), (980, 96), (980, 620), (20, 620)), _SEA, 0)
    for _ in range(90):
        x, y = rng.uniform(40, 940), rng.uniform(116, 600)
        wave = [(x + nth * 4, y + 3 * math.sin(nth * 0.9)) for nth in range(8)]
        pen.line(wave, (146, 182, 200), 1.2)
    for key, at in (("west", (44, 560)), ("strait", (440, 250))):
        pen.write_label(key, at, 19, "lm" if key == "west" else "mm", _WATER)


def _draw_bar(pen: _IslandCanvas, rng: Random) -> None:
    for (ax, ay), (bx, by) in pairwise(_BAR):
        for nth in range(26):
            share = nth / 26
            at = (ax + (bx - ax) * share, ay + (by - ay) * share + rng.uniform(-13, 13))
            pen.disc(at, rng.uniform(3, 6), _STONES, edge=(120, 112, 98))
    pen.write_label("neck", (440, 432), 20, "mm", _BOLD)


def _draw_ways(pen: _IslandCanvas) -> None:
    for points, key, at in _WAYS:
        pen.dashes(points, _RED, 2.4, 11, 0.55)
        if key:
            pen.write_label(key, at, 16, "mm", _TIMED)


def _draw_heaps(pen: _IslandCanvas, rng: Random) -> None:
    """Draw the path of old shells at the oil store and the heap of marked ones at the farm."""
    for nth in range(46):
        at = (196 + nth * 0.98, 360 + nth * 0.66 + rng.uniform(-5, 5))
        pen.disc(at, rng.uniform(2.4, 4), _SHELL, edge=(150, 146, 130))
    for _ in range(40):
        at = (758 + rng.gauss(0, 10), 527 + rng.gauss(0, 6))
        pen.disc(at, rng.uniform(3, 5), (150, 150, 146), edge=_BLUE)


def _draw_section(pen: _IslandCanvas) -> None:
    """Draw the tower in section below the sea, floor by floor, with the minutes to the store."""
    left, right = 60, 168
    pen.write_label("section", (60, 638), 17, "lm", _BOLD)
    for nth, (key, y) in enumerate(_SECTION):
        inset = 14 - nth * 7
        pen.box((left + inset, y - 12, right - inset, y + 50), (246, 238, 226))
        pen.write_label(key, (right + 22, y + 20), 17, "lm")
    pen.disc((114, 690), 14, (252, 222, 120), edge=_INK)
    pen.line(((114, 752), (114, 776)), _INK, 3)
    pen.disc((114, 752), 8, (150, 150, 156), edge=_INK)
    pen.line(((128, 662), (128, 716)), _INK, 2)


def _draw_frame(pen: _IslandCanvas, notes: Sequence[str]) -> None:
    pen.write_label("title", (40, 52), 30, "lm", _BOLD)
    pen.write_label("rock", (60, 200), 23, "lm", _BOLD)
    pen.write_label("farm", (640, 160), 23, "lm", _BOLD)
    pen.line(((20, 96), (980, 96), (980, 620), (20, 620), (20, 96)), _INK, 2)
    pen.line(((930, 168), (930, 116)), _INK, 3)
    pen.shape(((930, 106), (922, 126), (938, 126)), _INK, 0)
    pen.text((930, 186), "N", 20)
    for nth, note in enumerate(notes):
        pen.write((430, 648 + nth * 28), note, replace(_PLAIN, anchor="lm"))
