"""A drawn man who stands, from the front: coat, shoes, and a torn rope in a hand."""

from dataclasses import dataclass
from typing import Literal

from PIL import ImageDraw

from scripts_mm.drawing.primitives.figure.figure_canvas import FIGURE_OUTLINE, FigureCanvas
from scripts_mm.drawing.primitives.paper import Colour, Point

Prop = Literal["none", "rope-end"]
"""What a hand holds."""

_HEMP = (150, 114, 66)
_RED = (184, 44, 40)

HEAD_UNITS = 8.0
"""Height of a standing person in units of a head."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnPerson:
    """A person. `right` and `left` are the person's own: `left` is on the right of the picture."""

    coat: Colour
    legs: Colour = (58, 54, 60)
    coat_length: float = 0.35
    """Share of the legs that the coat covers."""
    hair_colour: Colour = (70, 54, 42)
    skin: Colour = (222, 184, 156)
    right: Prop = "none"
    left: Prop = "none"
    right_shoe: Colour | tuple[()] = (40, 34, 32)
    """Empty: barefoot."""
    left_shoe: Colour | tuple[()] = (40, 34, 32)


def draw_figure(draw: ImageDraw.ImageDraw, feet: Point, height: float, person: DrawnPerson) -> None:
    """Draw `person`, `height` pixels tall, with the feet at `feet`."""
    brush = FigureCanvas(draw, feet, height / HEAD_UNITS)
    _draw_legs(brush, person)
    _draw_coat(brush, person, 3.9 - 3.9 * person.coat_length)
    _draw_head(brush, person)
    _draw_arm(brush, person, -1, person.right)
    _draw_arm(brush, person, 1, person.left)


def _draw_legs(brush: FigureCanvas, person: DrawnPerson) -> None:
    shoes = ((-1, person.right_shoe), (1, person.left_shoe))
    for side, shoe in shoes:
        x = side * 0.42
        brush.line(((x, 3.9), (x, 0.2)), person.legs, 0.62)
        brush.oval((x + side * 0.1, 0.14), 0.42, 0.2, shoe or person.skin)


def _draw_coat(brush: FigureCanvas, person: DrawnPerson, hem: float) -> None:
    wide = 0.95 + 0.06 * (3.9 - hem)
    brush.shape(
        ((-0.95, 6.45), (0.95, 6.45), (0.85, 4.6), (wide, hem), (-wide, hem), (-0.85, 4.6)),
        person.coat,
    )
    brush.shape(((-0.32, 6.5), (0.32, 6.5), (0, 5.9)), person.skin)


def _draw_head(brush: FigureCanvas, person: DrawnPerson) -> None:
    brush.line(((0, 6.5), (0, 6.9)), person.skin, 0.42)
    brush.oval((0, 7.32), 0.5, 0.62, person.skin)
    for side in (-1, 1):
        brush.oval((side * 0.19, 7.36), 0.055, 0.06, FIGURE_OUTLINE)
    brush.line(((0, 7.3), (0.06, 7.16)), FIGURE_OUTLINE, 0.04)
    brush.line(((-0.14, 7.0), (0.14, 7.0)), (150, 84, 76), 0.06)
    top = ((-0.52, 7.3), (-0.46, 7.75), (0, 7.98), (0.46, 7.75), (0.52, 7.3), (0.3, 7.62),
           (-0.3, 7.62))  # fmt: skip
    brush.shape(top, person.hair_colour)


def _draw_arm(brush: FigureCanvas, person: DrawnPerson, side: int, hold: Prop) -> None:
    hand = (side * 1.3, 3.75) if hold == "none" else (side * 1.5, 4.5)
    elbow = (side * 1.3, 5.0)
    brush.line(((side * 0.88, 6.18), elbow, hand), FIGURE_OUTLINE, 0.52)
    brush.line(((side * 0.88, 6.18), elbow, hand), person.coat, 0.44)
    if hold == "rope-end":
        _draw_rope_end(brush, hand)
    brush.oval(hand, 0.22, 0.22, person.skin)


def _draw_rope_end(brush: FigureCanvas, hand: Point) -> None:
    x, y = hand
    brush.line(((x, y + 1.1), (x, y - 1.2)), _HEMP, 0.2)
    brush.line(((x, y - 0.3), (x, y - 0.7)), _RED, 0.28)
    brush.line(((x, y + 0.3), (x, y + 0.5)), _RED, 0.28)
    for lean in (-0.2, 0, 0.2):
        brush.line(((x, y + 1.1), (x + lean, y + 1.5)), _HEMP, 0.06)
