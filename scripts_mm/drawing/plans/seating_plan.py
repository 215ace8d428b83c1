"""A plan of a round table in pen and wash: guests, dishes, and cups as found."""

import math
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
    make_wood,
    place_on_table,
)

_LINE = (44, 40, 52)
_WINE = (214, 150, 40)
_THIN = 1.5
_MARK = 27
"""Size of the marks on the dishes and of the legend: legible at half the picture's width."""

CupState = Literal["full", "empty", "broken"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePlace:
    """A place at the table; the first one is at the top, the others follow clockwise."""

    name: str
    """Name of the guest; line breaks are kept."""
    cup: CupState | None = "empty"
    shells: bool = False
    """Whether remains of the meal are on the plate."""
    extra: str = ""
    """Name of another object in front of the guest."""
    empty: bool = False
    """Whether the place was laid but unoccupied."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableDish:
    """A dish, marked by a letter of the legend."""

    mark: str
    turn: float
    """Degrees clockwise from the top."""
    reach: float
    """Distance from the table's centre, as a share of its radius."""
    colour: Colour
    radius: int = 27


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatingPlanSpec:
    """A table with its places and dishes, and the words around it."""

    title: str
    places: tuple[TablePlace, ...]
    dishes: tuple[TableDish, ...]
    legend: tuple[str, ...]
    cups: tuple[tuple[CupState, str], ...]
    """Legend of the three looks of a cup, in the language of the plan."""
    sides: tuple[str, str]
    """Labels of the sides of the room above and below the table: window, door."""
    note: str = ""
    text_size: int = 20
    size: Size = (960, 860)
    angle: float = -0.7


def draw_seating_plan(spec: SeatingPlanSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the plan."""
    size = (spec.size[0] - 44, spec.size[1] - 44)
    canvas = Image.new("RGB", scale_size(size), (255, 255, 255))
    pen = Canvas(canvas, fonts, _LINE)
    middle, radius = (size[0] * 0.405, 96 + (size[1] - 150) * 0.47), size[0] * 0.212
    pen.disc(middle, radius, (246, 240, 226), 3)
    pen.disc(middle, radius * 0.985, None, 1)
    for dish in spec.dishes:
        pen.disc(_polar_point(middle, dish.turn, radius * dish.reach), dish.radius, dish.colour)
        pen.write(
            _polar_point(middle, dish.turn, radius * dish.reach),
            dish.mark,
            TextStyle(size=_MARK, hand="note"),
        )
    for nth, place in enumerate(spec.places):
        _draw_place(pen, place, (middle, radius), 360 * nth / len(spec.places), spec.text_size)
    _write_words(pen, spec, middle, size)
    drawn = canvas.resize(size, Image.Resampling.LANCZOS)
    sheet = ImageChops.multiply(make_paper(size, (238, 230, 208), rng, 0.07), drawn)
    sheet = add_creases(age_edges(sheet, (150, 124, 82), 0.5, rng), across=(0.5,), down=(0.5,))
    table = make_wood(spec.size, (92, 62, 44), rng)
    return add_vignette(place_on_table(sheet, spec.size, spec.angle, table), 0.16)


def _polar_point(middle: Point, turn: float, reach: float) -> Point:
    angle = math.radians(turn)
    return (middle[0] + reach * math.sin(angle), middle[1] - reach * math.cos(angle))


def _draw_place(
    pen: Canvas, place: TablePlace, table: tuple[Point, float], turn: float, text_size: int
) -> None:
    middle, radius = table
    stool = _polar_point(middle, turn, radius + 34)
    pen.disc(stool, 24, None if place.empty else (206, 186, 156), 2)
    if place.empty:
        for shift in (-14, -5, 4, 13):
            pen.line(
                ((stool[0] + shift - 9, stool[1] + 12), (stool[0] + shift + 9, stool[1] - 12)),
                width=_THIN,
            )
    x, y = _polar_point(middle, turn, radius + 68)
    side = math.sin(math.radians(turn))
    anchor = "lm" if side > 0.3 else "rm" if side < -0.3 else "mm"  # noqa: PLR2004
    down = -math.cos(math.radians(turn)) * (14 if anchor == "mm" else 0)
    pen.write((x, y + down), place.name, TextStyle(size=text_size, hand="bold", anchor=anchor))
    bowl = _polar_point(middle, turn, radius * 0.84)
    pen.disc(bowl, 22, (232, 236, 240), 2)
    if place.shells:
        _draw_shells(pen, bowl)
    if place.cup is not None:
        _draw_cup(pen, _polar_point(middle, turn + 10.5, radius * 0.80), place.cup)
    if place.extra:
        spot = _polar_point(middle, turn - 12, radius * 0.80)
        pen.disc(spot, 16, (150, 206, 140), 2)
        pen.write(spot, place.extra, TextStyle(size=_MARK - 3, hand="note"))


def _draw_shells(pen: Canvas, bowl: Point) -> None:
    """Draw a crab's shell and two claws on a plate."""
    x, y = bowl
    pen.disc((x, y + 2), 11, (222, 126, 70), 1)
    for side in (-1, 1):
        pen.line(((x + side * 10, y), (x + side * 17, y - 9), (x + side * 12, y - 13)), width=_THIN)


def _write_words(pen: Canvas, spec: SeatingPlanSpec, middle: Point, size: Size) -> None:
    pen.write((size[0] / 2, 44), spec.title, TextStyle(size=28, hand="bold"))
    pen.line(((60, 70), (size[0] - 60, 70)), width=_THIN)
    side = TextStyle(size=18, hand="note")
    pen.write((middle[0], 94), spec.sides[0], side)
    pen.write((middle[0], size[1] - 64), spec.sides[1], side)
    left, y = size[0] * 0.785, 134.0
    for line in spec.legend:
        pen.write((left, y), line, TextStyle(size=_MARK, hand="note", anchor="lm"))
        y += _MARK * 1.42
    y += 20
    for state, meaning in spec.cups:
        _draw_cup(pen, (left + 12, y), state)
        pen.write((left + 36, y), meaning, TextStyle(size=_MARK, hand="note", anchor="lm"))
        y += 40
    if spec.note:
        pen.write((size[0] / 2, size[1] - 30), spec.note, TextStyle(size=17, hand="note"))


def _draw_cup(pen: Canvas, at: Point, state: CupState) -> None:
    """Draw a cup from above: full of wine, empty, or crossed out."""
    pen.disc(at, 12, (255, 255, 255), 3)
    if state == "full":
        pen.disc(at, 9, _WINE, 1)
    if state == "broken":
        x, y = at
        pen.line(((x - 14, y - 14), (x + 14, y + 14)), width=_THIN)
        pen.line(((x - 14, y + 14), (x + 14, y - 14)), width=_THIN)
