"""A hand-drawn map of an area: water, paths with walking times, heights, hills and a scale."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Literal

from PIL import Image, ImageDraw

from scripts_mm.drawing.primitives.canvas import round_corners, scale_points, scale_size
from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.ink import wrap_text
from scripts_mm.drawing.primitives.paper import (
    Colour,
    Point,
    Size,
    add_creases,
    add_vignette,
    age_edges,
    make_paper,
)

_INK = (58, 44, 36)
_WATER = (150, 188, 206)
_WATER_LINE = (62, 104, 132)
_PATH = (150, 60, 40)

MapSymbol = Literal["house", "big", "hut", "tower", "stone", "cross", "tree", "none"]


@dataclass(frozen=True, slots=True, kw_only=True)
class MapPlace:
    """A place: its mark, its name (a key of the words) and the name's offset."""

    key: str
    at: Point
    mark: MapSymbol = "house"
    label: Point = (16, 0)
    anchor: str = "lm"


@dataclass(frozen=True, slots=True, kw_only=True)
class MapPath:
    """A way on foot; `key` is that of its walking time, `at` the time's position."""

    points: tuple[Point, ...]
    key: str = ""
    at: Point = (0, 0)
    dashed: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class MapRiver:
    """A river from its first point to its last, with its `widths` in pixels."""

    points: tuple[Point, ...]
    widths: tuple[float, float]
    dry: bool = False
    """Whether it is a channel without water, drawn as two lines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaMapSpec:
    """A map. All points are pixels of the finished sheet; all texts are keys of `words`."""

    words: Mapping[str, str]
    """`title`, `scale`, `north` and every key of spots, paths and names."""
    notes: tuple[str, ...]
    spots: tuple[MapPlace, ...]
    paths: tuple[MapPath, ...]
    rivers: tuple[MapRiver, ...]
    lakes: tuple[tuple[Point, ...], ...] = ()
    hills: tuple[tuple[Point, float], ...] = ()
    """Top and reach (pixels) of every hatched hill."""
    names: tuple[tuple[str, Point, int], ...] = ()
    """Key, place and size of names on the land."""
    bar: tuple[Point, float] = ((60, 60), 100)
    """Left end and length of the scale bar."""
    north: Point = (80, 80)
    notes_at: Point = (60, 900)
    text_size: int = 19
    size: Size = (1000, 1000)


def draw_area_map(spec: AreaMapSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the map."""
    large = Image.new("RGBA", scale_size(spec.size), (0, 0, 0, 0))
    draw = ImageDraw.Draw(large)
    for lake in spec.lakes:
        _fill_area(draw, _waver_line((*lake, lake[0]), rng, 3), _WATER)
    for river in spec.rivers:
        _draw_river(draw, river, rng)
    for top, reach in spec.hills:
        _draw_hill(draw, top, reach, rng)
    for path in spec.paths:
        _draw_path(draw, path, rng)
    for spot in spec.spots:
        _draw_mark(draw, spot)
    _draw_north(draw, spec, fonts)
    _draw_bar(draw, spec, fonts)
    small = large.resize(spec.size, Image.Resampling.LANCZOS)
    sheet = make_paper(spec.size, (238, 228, 200), rng, 0.10)
    sheet.paste(small, (0, 0), small)
    _write_texts(ImageDraw.Draw(sheet), spec, fonts)
    sheet = add_creases(sheet, across=(0.5,), down=(0.33, 0.67))
    return add_vignette(age_edges(sheet, (132, 104, 62), 0.6, rng), 0.12)


def _waver_line(points: Sequence[Point], rng: Random, sway: float) -> list[Point]:
    """Return a hand-drawn line through `points`: rounded and not quite straight."""
    return [
        (x + rng.uniform(-sway, sway) / 2, y + rng.uniform(-sway, sway) / 2)
        for x, y in round_corners(points, 2)
    ]


def _fill_area(draw: ImageDraw.ImageDraw, points: Sequence[Point], fill: Colour) -> None:
    draw.polygon(scale_points(*points), fill=fill)
    draw.line(scale_points(*[*points, points[0]]), fill=_WATER_LINE, width=4)


def _draw_river(draw: ImageDraw.ImageDraw, river: MapRiver, rng: Random) -> None:
    line = _waver_line(river.points, rng, 2)
    steps = max(1, len(line) - 1)
    first, last = river.widths
    edges: tuple[list[Point], list[Point]] = ([], [])
    for nth, (one, other) in enumerate(pairwise(line)):
        turn = math.atan2(other[1] - one[1], other[0] - one[0]) + math.pi / 2
        half = (first + (last - first) * nth / steps) / 2
        shift = (math.cos(turn) * half, math.sin(turn) * half)
        edges[0].append((one[0] + shift[0], one[1] + shift[1]))
        edges[1].append((one[0] - shift[0], one[1] - shift[1]))
    if not river.dry:
        draw.polygon(scale_points(*[*edges[0], *reversed(edges[1])]), fill=_WATER)
    for edge in edges:
        draw.line(
            scale_points(*edge), fill=_INK if river.dry else _WATER_LINE, width=3, joint="curve"
        )


def _draw_hill(draw: ImageDraw.ImageDraw, top: Point, reach: float, rng: Random) -> None:
    """Hatch a hill: short strokes down from the top on all sides."""
    strokes = round(reach / 1.6)
    for ring in (0.45, 0.8):
        for nth in range(strokes):
            turn = 2 * math.pi * (nth + rng.uniform(-0.3, 0.3)) / strokes
            start = reach * ring * rng.uniform(0.9, 1.1)
            end = start + reach * rng.uniform(0.14, 0.24)
            ray = (math.cos(turn), math.sin(turn) * 0.62)
            ends = [(top[0] + ray[0] * far, top[1] + ray[1] * far) for far in (start, end)]
            draw.line(scale_points(*ends), fill=(150, 134, 108), width=2)


def _draw_path(draw: ImageDraw.ImageDraw, path: MapPath, rng: Random) -> None:
    line = _waver_line(path.points, rng, 1.5)
    if not path.dashed:
        draw.line(scale_points(*line), fill=_PATH, width=5, joint="curve")
        return
    gone = 0.0
    for one, other in pairwise(line):
        length = math.dist(one, other)
        pieces = max(1, round(length / 2))
        for nth in range(pieces):
            if gone % 15 < 9:  # noqa: PLR2004 - nine pixels of line, six of gap
                ends = [
                    (
                        one[0] + (other[0] - one[0]) * share / pieces,
                        one[1] + (other[1] - one[1]) * share / pieces,
                    )
                    for share in (nth, nth + 1)
                ]
                draw.line(scale_points(*ends), fill=_PATH, width=6)
            gone += length / pieces


def _draw_mark(draw: ImageDraw.ImageDraw, spot: MapPlace) -> None:
    x, y = spot.at
    if spot.mark in ("house", "big", "hut"):
        half = {"house": 10, "big": 17, "hut": 8}[spot.mark]
        box = [(x - half, y - half * 0.5), (x + half, y + half * 0.7)]
        draw.rectangle(
            tuple(side for point in scale_points(*box) for side in point), fill=(196, 96, 72)
        )
        roof = [(x - half - 3, y - half * 0.5), (x, y - half * 1.3), (x + half + 3, y - half * 0.5)]
        draw.polygon(scale_points(*roof), fill=(120, 56, 44))
    elif spot.mark == "tower":
        wall = [(x - 8, y + 14), (x - 8, y - 14), (x, y - 30), (x + 8, y - 14), (x + 8, y + 14)]
        draw.polygon(scale_points(*wall), fill=(196, 96, 72), outline=_INK)
    elif spot.mark == "stone":
        stone = [(x - 7, y + 9), (x - 5, y - 9), (x + 5, y - 9), (x + 7, y + 9)]
        draw.polygon(scale_points(*stone), fill=(160, 160, 158), outline=_INK)
    elif spot.mark == "cross":
        for ends in ([(x - 9, y - 9), (x + 9, y + 9)], [(x - 9, y + 9), (x + 9, y - 9)]):
            draw.line(scale_points(*ends), fill=(20, 50, 140), width=9)
    elif spot.mark == "tree":
        draw.line(scale_points(*[(x, y), (x, y + 14)]), fill=_INK, width=5)
        box = scale_points(*[(x - 11, y - 16), (x + 11, y + 5)])
        draw.ellipse(tuple(side for point in box for side in point), fill=(110, 140, 84))


def _draw_north(draw: ImageDraw.ImageDraw, spec: AreaMapSpec, fonts: Fonts) -> None:
    x, y = spec.north
    draw.line(scale_points(*[(x, y + 44), (x, y - 30)]), fill=_INK, width=5)
    draw.polygon(scale_points(*[(x - 10, y - 16), (x, y - 46), (x + 10, y - 16)]), fill=_INK)
    at = scale_points(*[(x, y - 62)])[0]
    draw.text(at, spec.words["north"], _INK, fonts.get("bold", 44), anchor="mm")


def _draw_bar(draw: ImageDraw.ImageDraw, spec: AreaMapSpec, fonts: Fonts) -> None:
    (x, y), length = spec.bar
    for nth in range(4):
        box = scale_points(*[(x + length * nth / 4, y - 4), (x + length * (nth + 1) / 4, y + 4)])
        fill = _INK if nth % 2 == 0 else (238, 228, 200)
        draw.rectangle(tuple(side for point in box for side in point), fill=fill, outline=_INK)
    at = scale_points(*[(x + length / 2, y - 18)])[0]
    draw.text(at, spec.words["scale"], _INK, fonts.get("sans", 34), anchor="mm")


def _write_texts(draw: ImageDraw.ImageDraw, spec: AreaMapSpec, fonts: Fonts) -> None:
    font = fonts.get("sans", spec.text_size)
    halo = (240, 232, 208)
    for key, at, size in spec.names:
        draw.text(at, spec.words[key], (88, 96, 104), fonts.get("letter", size), anchor="mm")
    for spot in spec.spots:
        at = (spot.at[0] + spot.label[0], spot.at[1] + spot.label[1])
        text = spec.words[spot.key]
        lines = text.split("\n")
        for nth, line in enumerate(lines):
            y = at[1] + (nth - (len(lines) - 1) / 2) * spec.text_size * 1.2
            draw.text((at[0], y), line, _INK, font, spot.anchor, stroke_width=3, stroke_fill=halo)
    strong = fonts.get("sans-bold", spec.text_size)
    for path in spec.paths:
        if path.key:
            draw.text(path.at, spec.words[path.key], _PATH, strong, "mm", stroke_width=3,
                      stroke_fill=halo)  # fmt: skip
    draw.text((spec.size[0] / 2, 48), spec.words["title"], _INK, fonts.get("bold", 32), anchor="mm")
    x, y = spec.notes_at
    for note in spec.notes:
        for line in wrap_text(note, font, spec.size[0] - 2 * x):
            draw.text((x, y), line, _INK, font, anchor="lm")
            y += spec.text_size * 1.35
