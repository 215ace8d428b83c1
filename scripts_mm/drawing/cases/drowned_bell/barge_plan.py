"""The deck plan of the barge: a blueprint, white on blue."""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from PIL import Image

from scripts_mm.drawing.plans.floor_plan import PixelBox, PlanObject, PlanRoom
from scripts_mm.drawing.primitives.canvas import Canvas, TextStyle, scale_size
from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.paper import (
    Colour,
    Point,
    Size,
    add_creases,
    add_vignette,
    age_edges,
    make_noise,
    shade_image,
)

_BLUE: Colour = (44, 82, 132)
_DECK: Colour = (52, 92, 144)
_WHITE: Colour = (228, 236, 242)


@dataclass(frozen=True, slots=True, kw_only=True)
class BargePlanSpec:
    """The barge from above. Labels are keys of `words`."""

    hull: tuple[Point, ...]
    rooms: tuple[PlanRoom, ...]
    things: tuple[PlanObject, ...]
    below: PixelBox
    """The engine room, dashed."""
    names: tuple[tuple[str, Point], ...]
    """Words in the open, with their places."""
    words: Mapping[str, str]
    title: str
    notes: tuple[str, ...]
    notes_at: Point
    text_size: int = 18
    size: Size = (1000, 640)


def draw_barge_plan(spec: BargePlanSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the blueprint."""
    image = Image.new("RGB", scale_size(spec.size), _BLUE)
    canvas = Canvas(image, fonts, _WHITE)
    _draw_grid(canvas, spec.size)
    canvas.shape(spec.hull, _DECK, 5)
    for room in spec.rooms:
        canvas.box(room.box, room.fill or _DECK, line=4)
        canvas.write(room.at, spec.words[room.label], _letters(spec, "mm"))
    for thing in spec.things:
        _draw_thing(canvas, thing, spec)
    _draw_below(canvas, spec.below)
    for key, at in spec.names:
        canvas.write(at, spec.words[key], _letters(spec, "mm"))
    canvas.write((spec.size[0] / 2, 44), spec.title, TextStyle(size=28, fill=_WHITE))
    x, y = spec.notes_at
    for nth, note in enumerate(spec.notes):
        canvas.write((x, y + 28 * nth), note, _letters(spec, "lm"))
    small = image.resize(spec.size, Image.Resampling.LANCZOS)
    small = shade_image(small, make_noise(spec.size, 110, rng), 0.22)
    small = shade_image(small, make_noise(spec.size, 3, rng), 0.1)
    small = age_edges(small, (150, 170, 190), 0.35, rng)
    return add_vignette(add_creases(small, across=(0.78,), down=(0.36, 0.68)), 0.15)


def _letters(spec: BargePlanSpec, anchor: str) -> TextStyle:
    return TextStyle(size=spec.text_size, hand="sans", fill=_WHITE, anchor=anchor, leading=1.25)


def _draw_grid(canvas: Canvas, size: Size) -> None:
    for x in range(40, size[0], 40):
        canvas.line(((x, 0), (x, size[1])), (54, 94, 146), 1)
    for y in range(40, size[1], 40):
        canvas.line(((0, y), (size[0], y)), (54, 94, 146), 1)


def _draw_thing(canvas: Canvas, thing: PlanObject, spec: BargePlanSpec) -> None:
    if thing.round:
        canvas.oval(thing.box, thing.colour, 3)
    else:
        canvas.box(thing.box, thing.colour, line=3)
    left, top, right, bottom = thing.box
    for nth in range(1, thing.bars):
        x = left + (right - left) * nth / thing.bars
        canvas.line(((x, top), (x, bottom)), width=1)
    if thing.label:
        canvas.write(thing.at, spec.words[thing.label], _letters(spec, thing.anchor))


def _draw_below(canvas: Canvas, box: PixelBox) -> None:
    left, top, right, bottom = box
    corners = ((left, top), (right, top), (right, bottom), (left, bottom), (left, top))
    canvas.dashes(corners, _WHITE, 2.5, 18)
