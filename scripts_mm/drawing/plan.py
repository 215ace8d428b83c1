"""A floor plan in ink on drawing paper: rooms, doors, things, and ways with their lengths."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Literal

from PIL import Image, ImageChops, ImageDraw

from scripts_mm.drawing.fonts import Fonts
from scripts_mm.drawing.paper import (
    Colour,
    Point,
    Size,
    aged,
    folded,
    laid,
    paper,
    vignette,
)

_WALL = (30, 46, 74)
_SCALE = 2
"""Pixels drawn for a pixel of the finished plan, so that lines come out smooth."""

Box = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels of the finished plan."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """A room: its walls, its name and where the name stands."""

    label: str
    box: Box
    at: Point
    fill: Colour | None = None
    size: int = 19
    walls: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Door:
    """An opening in a wall: a gap with a leaf, or a hatch."""

    box: Box
    look: Literal["open", "hatch"] = "open"


@dataclass(frozen=True, slots=True, kw_only=True)
class Thing:
    """Something that stands in the house, with a name beside it."""

    box: Box
    colour: Colour
    label: str = ""
    at: Point = (0, 0)
    anchor: str = "lm"
    round: bool = False
    bars: int = 0
    """Weights in a rack, drawn as bars."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """A way on foot, dashed, with its length."""

    points: tuple[Point, ...]
    label: str
    at: Point
    colour: Colour = (190, 40, 36)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanSpec:
    """A floor plan. Labels are looked up in `words`, so that one plan serves every language."""

    rooms: tuple[Room, ...]
    doors: tuple[Door, ...]
    things: tuple[Thing, ...]
    ways: tuple[Way, ...]
    words: Mapping[str, str]
    title: str
    notes: tuple[str, ...]
    notes_at: Point
    size: Size = (1000, 960)


def plan(spec: PlanSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the plan."""
    size = (spec.size[0] - 24, spec.size[1] - 24)
    large = (size[0] * _SCALE, size[1] * _SCALE)
    canvas = Image.new("RGB", large, (255, 255, 255))
    pen = _Pen(canvas, spec.words, fonts)
    for room in spec.rooms:
        pen.room(room)
    for door in spec.doors:
        pen.door(door)
    for thing in spec.things:
        pen.thing(thing)
    for way in spec.ways:
        pen.way(way)
    pen.text((size[0] / 2, 34), spec.title, 29, "mm", bold=True)
    for nth, note in enumerate(spec.notes):
        x, y = spec.notes_at
        pen.text((x, y + 27 * nth), note, 18, "lm")
    drawn = canvas.resize(size, Image.Resampling.LANCZOS)
    sheet = ImageChops.multiply(paper(size, (240, 238, 224), rng, 0.10), drawn)
    sheet = folded(aged(sheet, (150, 140, 108), 0.35, rng), across=(0.5,), down=(0.33, 0.67))
    table = paper(spec.size, (96, 92, 88), rng, 0.2)
    return vignette(laid(sheet, spec.size, 0.0, table), 0.12)


class _Pen:
    """Draws at the large scale what is given at the finished one."""

    def __init__(self, canvas: Image.Image, words: Mapping[str, str], fonts: Fonts) -> None:
        self._draw = ImageDraw.Draw(canvas)
        self._words = words
        self._fonts = fonts

    def room(self, room: Room) -> None:
        if room.fill is not None:
            self._draw.rectangle(_large(room.box), fill=room.fill)
        if room.walls:
            self._draw.rectangle(_large(room.box), outline=_WALL, width=5 * _SCALE)
        if room.label:
            self.text(room.at, self._words[room.label], room.size, "mm")

    def door(self, door: Door) -> None:
        left, top, right, bottom = door.box
        self._draw.rectangle(_large(door.box), fill=(255, 255, 255))
        match door.look:
            case "open":
                wide, tall = right - left, bottom - top
                leaf = (
                    (left, top, left, top + wide) if wide > tall else (left, top, left + tall, top)
                )
                self._draw.line(_large(leaf), fill=_WALL, width=2 * _SCALE)
            case "hatch":
                self._draw.rectangle(_large(door.box), fill=(250, 226, 150), outline=_WALL, width=2)

    def thing(self, thing: Thing) -> None:
        box = _large(thing.box)
        shape = self._draw.ellipse if thing.round else self._draw.rectangle
        shape(box, fill=thing.colour, outline=_WALL, width=_SCALE)
        left, top, right, bottom = box
        for nth in range(1, thing.bars):
            x = left + (right - left) * nth / thing.bars
            self._draw.line((x, top, x, bottom), fill=_WALL, width=_SCALE)
        if thing.label:
            self.text(thing.at, self._words[thing.label], 17, thing.anchor)

    def way(self, way: Way) -> None:
        for start, end in pairwise(way.points):
            self._dashes(start, end, way.colour)
        x, y = way.points[-1]
        self._draw.ellipse(_large((x - 5, y - 5, x + 5, y + 5)), fill=way.colour)
        x, y = way.points[0]
        self._draw.ellipse(
            _large((x - 5, y - 5, x + 5, y + 5)), outline=way.colour, width=2 * _SCALE
        )
        font = self._fonts.get("sans-bold", 18 * _SCALE)
        at = (way.at[0] * _SCALE, way.at[1] * _SCALE)
        text = self._words[way.label]
        box = self._draw.textbbox(at, text, font, anchor="mm")
        self._draw.rectangle((box[0] - 6, box[1] - 4, box[2] + 6, box[3] + 4), fill=(255, 255, 255))
        self._draw.text(at, text, way.colour, font, anchor="mm")

    def text(self, at: Point, text: str, size: int, anchor: str, *, bold: bool = False) -> None:
        font = self._fonts.get("sans-bold" if bold else "sans", size * _SCALE)
        for nth, line in enumerate(lines := text.split("\n")):
            y = at[1] + (nth - (len(lines) - 1) / 2) * size * 1.25
            spot = (at[0] * _SCALE, y * _SCALE)
            self._draw.text(spot, line, (24, 34, 56), font, anchor=anchor)

    def _dashes(self, start: Point, end: Point, colour: Colour) -> None:
        reach = ((end[0] - start[0]) ** 2 + (end[1] - start[1]) ** 2) ** 0.5
        count = max(1, round(reach / 13))
        for nth in range(count):
            near, far = nth / count, (nth + 0.6) / count
            line = (
                start[0] + (end[0] - start[0]) * near,
                start[1] + (end[1] - start[1]) * near,
                start[0] + (end[0] - start[0]) * far,
                start[1] + (end[1] - start[1]) * far,
            )
            self._draw.line(_large(line), fill=colour, width=3 * _SCALE)


def _large(box: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    return (box[0] * _SCALE, box[1] * _SCALE, box[2] * _SCALE, box[3] * _SCALE)
