"""A plan of a round table in pen and wash: who sat where, every dish, every cup as it was found."""

import math
from dataclasses import dataclass
from random import Random
from typing import Literal

from PIL import Image, ImageChops, ImageDraw

from scripts_mm.drawing.fonts import Fonts
from scripts_mm.drawing.paper import Colour, Point, Size, aged, folded, laid, paper, vignette, wood

_SCALE = 2
_LINE = (44, 40, 52)
_WINE = (214, 150, 40)

CupState = Literal["full", "empty", "broken"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A place at the table, the first one at the top and the others clockwise."""

    name: str
    """Who sat there; line breaks are kept."""
    cup: CupState | None = "empty"
    shells: bool = False
    """Whether remains of the meal lie on the plate."""
    extra: str = ""
    """Something else before the guest, with its name."""
    empty: bool = False
    """A place that was laid, but where nobody sat."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dish:
    """A dish, marked by a letter that the legend explains."""

    mark: str
    turn: float
    """Degrees clockwise from the top."""
    reach: float
    """Share of the table's radius from its middle."""
    colour: Colour
    radius: int = 27


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatingSpec:
    """A table with its places and dishes, and the words around it."""

    title: str
    places: tuple[Place, ...]
    dishes: tuple[Dish, ...]
    legend: tuple[str, ...]
    cups: tuple[tuple[CupState, str], ...]
    """What the three looks of a cup mean, in the language of the plan."""
    sides: tuple[str, str]
    """What lies above and below the table in the room: window, door."""
    note: str = ""
    text_size: int = 20
    size: Size = (960, 860)
    angle: float = -0.7


def seating(spec: SeatingSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the plan."""
    size = (spec.size[0] - 44, spec.size[1] - 44)
    canvas = Image.new("RGB", (size[0] * _SCALE, size[1] * _SCALE), (255, 255, 255))
    pen = _Pen(canvas, fonts)
    middle, radius = (size[0] * 0.405, 96 + (size[1] - 150) * 0.47), size[0] * 0.212
    pen.disc(middle, radius, (246, 240, 226), 3)
    pen.disc(middle, radius * 0.985, None, 1)
    for dish in spec.dishes:
        pen.disc(_at(middle, dish.turn, radius * dish.reach), dish.radius, dish.colour)
        pen.text(_at(middle, dish.turn, radius * dish.reach), dish.mark, 20, "mm")
    for nth, place in enumerate(spec.places):
        _place(pen, place, (middle, radius), 360 * nth / len(spec.places), spec.text_size)
    _words(pen, spec, middle, size)
    drawn = canvas.resize(size, Image.Resampling.LANCZOS)
    sheet = ImageChops.multiply(paper(size, (238, 230, 208), rng, 0.07), drawn)
    sheet = folded(aged(sheet, (150, 124, 82), 0.5, rng), across=(0.5,), down=(0.5,))
    table = wood(spec.size, (92, 62, 44), rng)
    return vignette(laid(sheet, spec.size, spec.angle, table), 0.16)


def _at(middle: Point, turn: float, reach: float) -> Point:
    angle = math.radians(turn)
    return (middle[0] + reach * math.sin(angle), middle[1] - reach * math.cos(angle))


def _place(
    pen: "_Pen", place: Place, table: tuple[Point, float], turn: float, text_size: int
) -> None:
    middle, radius = table
    stool = _at(middle, turn, radius + 34)
    pen.disc(stool, 24, None if place.empty else (206, 186, 156), 2)
    if place.empty:
        for shift in (-14, -5, 4, 13):
            pen.line(((stool[0] + shift - 9, stool[1] + 12), (stool[0] + shift + 9, stool[1] - 12)))
    x, y = _at(middle, turn, radius + 68)
    side = math.sin(math.radians(turn))
    anchor = "lm" if side > 0.3 else "rm" if side < -0.3 else "mm"  # noqa: PLR2004
    down = -math.cos(math.radians(turn)) * (14 if anchor == "mm" else 0)
    pen.text((x, y + down), place.name, text_size, anchor, bold=True)
    bowl = _at(middle, turn, radius * 0.84)
    pen.disc(bowl, 22, (232, 236, 240), 2)
    if place.shells:
        _shells(pen, bowl)
    if place.cup is not None:
        pen.cup(_at(middle, turn + 10.5, radius * 0.80), place.cup)
    if place.extra:
        spot = _at(middle, turn - 10.5, radius * 0.80)
        pen.disc(spot, 12, (150, 206, 140), 2)
        pen.text(spot, place.extra, 17, "mm")


def _shells(pen: "_Pen", bowl: Point) -> None:
    """Draw a crab's shell and two claws on a plate."""
    x, y = bowl
    pen.disc((x, y + 2), 11, (222, 126, 70), 1)
    for side in (-1, 1):
        pen.line(((x + side * 10, y), (x + side * 17, y - 9), (x + side * 12, y - 13)))


def _words(pen: "_Pen", spec: SeatingSpec, middle: Point, size: Size) -> None:
    pen.text((size[0] / 2, 44), spec.title, 28, "mm", bold=True)
    pen.line(((60, 70), (size[0] - 60, 70)))
    pen.text((middle[0], 94), spec.sides[0], 18, "mm")
    pen.text((middle[0], size[1] - 64), spec.sides[1], 18, "mm")
    left, y = size[0] * 0.79, 150.0
    for line in spec.legend:
        pen.text((left, y), line, spec.text_size, "lm")
        y += spec.text_size * 1.5
    y += 20
    for state, meaning in spec.cups:
        pen.cup((left + 12, y), state)
        pen.text((left + 36, y), meaning, spec.text_size, "lm")
        y += 38
    if spec.note:
        pen.text((size[0] / 2, size[1] - 30), spec.note, 17, "mm")


class _Pen:
    """Draws at the large scale what is given at the finished one."""

    def __init__(self, canvas: Image.Image, fonts: Fonts) -> None:
        self._draw = ImageDraw.Draw(canvas)
        self._fonts = fonts

    def disc(self, at: Point, radius: float, fill: Colour | None, line: int = 2) -> None:
        """Draw a circle round `at`."""
        x, y = at[0] * _SCALE, at[1] * _SCALE
        reach = radius * _SCALE
        box = (x - reach, y - reach, x + reach, y + reach)
        self._draw.ellipse(box, fill=fill, outline=_LINE, width=line)

    def line(self, points: tuple[Point, ...]) -> None:
        """Draw a line through points."""
        large = [(x * _SCALE, y * _SCALE) for x, y in points]
        self._draw.line(large, fill=_LINE, width=3, joint="curve")

    def cup(self, at: Point, state: CupState) -> None:
        """Draw a cup from above: full of wine, empty, or crossed out."""
        self.disc(at, 12, (255, 255, 255), 3)
        if state == "full":
            self.disc(at, 9, _WINE, 1)
        if state == "broken":
            x, y = at
            self.line(((x - 14, y - 14), (x + 14, y + 14)))
            self.line(((x - 14, y + 14), (x + 14, y - 14)))

    def text(self, at: Point, text: str, size: int, anchor: str, *, bold: bool = False) -> None:
        """Write lines of text round `at`."""
        font = self._fonts.get("bold" if bold else "note", size * _SCALE)
        lines = text.split("\n")
        for nth, line in enumerate(lines):
            y = at[1] + (nth - (len(lines) - 1) / 2) * size * 1.2
            self._draw.text((at[0] * _SCALE, y * _SCALE), line, _LINE, font, anchor=anchor)
