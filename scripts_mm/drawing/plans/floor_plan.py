"""A floor plan in ink on drawing paper: rooms, doors, objects, and ways with their lengths."""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Literal

from PIL import Image, ImageChops

from scripts_mm.drawing.primitives.canvas import Canvas, TextStyle, scale_size
from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.paper import (
    Colour,
    Point,
    Size,
    add_creases,
    add_vignette,
    age_edges,
    make_paper,
    place_on_table,
)

_WALL = (30, 46, 74)
_LETTERS = (24, 34, 56)
_WHITE = (255, 255, 255)

PixelBox = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels of the finished plan."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRoom:
    """A room: its walls, its name and the name's position."""

    label: str
    box: PixelBox
    at: Point
    fill: Colour | None = None
    size: int = 19
    walls: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanDoor:
    """An opening in a wall: with a door leaf, a hatch, or a bare gap."""

    box: PixelBox
    look: Literal["open", "hatch", "gap"] = "open"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanObject:
    """An object in the house, with its name next to it."""

    box: PixelBox
    colour: Colour
    label: str = ""
    at: Point = (0, 0)
    anchor: str = "lm"
    round: bool = False
    bars: int = 0
    """Number of weights in a rack, drawn as bars."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanPath:
    """A way on foot, dashed, with its length."""

    points: tuple[Point, ...]
    label: str
    at: Point
    colour: Colour = (190, 40, 36)


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorPlanSpec:
    """A floor plan. Labels are keys of `words`, so that one plan serves every language."""

    rooms: tuple[PlanRoom, ...]
    doors: tuple[PlanDoor, ...]
    things: tuple[PlanObject, ...]
    ways: tuple[PlanPath, ...]
    words: Mapping[str, str]
    title: str
    notes: tuple[str, ...]
    notes_at: Point
    size: Size = (1000, 960)


def draw_floor_plan(spec: FloorPlanSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the plan."""
    size = (spec.size[0] - 24, spec.size[1] - 24)
    canvas = Image.new("RGB", scale_size(size), _WHITE)
    pen = _FloorPlanPen(canvas, spec.words, fonts)
    for room in spec.rooms:
        pen.draw_room(room)
    for door in spec.doors:
        pen.draw_door(door)
    for thing in spec.things:
        pen.draw_thing(thing)
    for way in spec.ways:
        pen.draw_way(way)
    pen.draw_text((size[0] / 2, 34), spec.title, 29, "mm", bold=True)
    for nth, note in enumerate(spec.notes):
        x, y = spec.notes_at
        pen.draw_text((x, y + 27 * nth), note, 18, "lm")
    drawn = canvas.resize(size, Image.Resampling.LANCZOS)
    sheet = ImageChops.multiply(make_paper(size, (240, 238, 224), rng, 0.10), drawn)
    sheet = add_creases(
        age_edges(sheet, (150, 140, 108), 0.35, rng), across=(0.5,), down=(0.33, 0.67)
    )
    table = make_paper(spec.size, (96, 92, 88), rng, 0.2)
    return add_vignette(place_on_table(sheet, spec.size, 0.0, table), 0.12)


class _FloorPlanPen:
    """A pen for the parts of a plan, with the words of its language."""

    def __init__(self, image: Image.Image, words: Mapping[str, str], fonts: Fonts) -> None:
        self._canvas = Canvas(image, fonts, _WALL)
        self._words = words

    def draw_room(self, room: PlanRoom) -> None:
        if room.fill is not None:
            self._canvas.box(room.box, room.fill, line=0)
        if room.walls:
            self._canvas.box(room.box, None, line=10)
        if room.label:
            self.draw_text(room.at, self._words[room.label], room.size, "mm")

    def draw_door(self, door: PlanDoor) -> None:
        left, top, right, bottom = door.box
        self._canvas.box(door.box, _WHITE, line=0)
        match door.look:
            case "open":
                wide, tall = right - left, bottom - top
                end = (left, top + wide) if wide > tall else (left + tall, top)
                self._canvas.line(((left, top), end))
            case "hatch":
                self._canvas.box(door.box, (250, 226, 150))
            case "gap":
                pass

    def draw_thing(self, thing: PlanObject) -> None:
        if thing.round:
            self._canvas.oval(thing.box, thing.colour)
        else:
            self._canvas.box(thing.box, thing.colour)
        left, top, right, bottom = thing.box
        for nth in range(1, thing.bars):
            x = left + (right - left) * nth / thing.bars
            self._canvas.line(((x, top), (x, bottom)), width=1)
        if thing.label:
            self.draw_text(thing.at, self._words[thing.label], 17, thing.anchor)

    def draw_way(self, way: PlanPath) -> None:
        self._canvas.dashes(way.points, way.colour, 3)
        self._canvas.disc(way.points[-1], 5, way.colour, 0)
        self._canvas.disc(way.points[0], 5, None, 4, way.colour)
        letters = TextStyle(size=18, fill=way.colour, ground=_WHITE)
        self._canvas.write(way.at, self._words[way.label], letters)

    def draw_text(
        self, at: Point, text: str, size: int, anchor: str, *, bold: bool = False
    ) -> None:
        hand = "sans-bold" if bold else "sans"
        letters = TextStyle(size=size, hand=hand, fill=_LETTERS, anchor=anchor, leading=1.25)
        self._canvas.write(at, text, letters)
