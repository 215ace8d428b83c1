"""A drawn person from the front: posture, clothes, hat, hair and held objects."""

from dataclasses import dataclass
from typing import Literal

from PIL import ImageDraw

from scripts_mm.drawing.primitives.figure.figure_canvas import FIGURE_OUTLINE, FigureCanvas
from scripts_mm.drawing.primitives.figure.props import DRAW_HAT, DRAW_PROP, Hat, Prop
from scripts_mm.drawing.primitives.paper import Colour, Point

Posture = Literal["standing", "sitting"]
Hair = Literal["none", "short", "bun", "braid"]

HEAD_UNITS = 8.0
"""Height of a standing person in units of a head."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnPerson:
    """A person. `right` and `left` are the person's own: `left` is on the right of the picture."""

    coat: Colour
    legs: Colour = (58, 54, 60)
    posture: Posture = "standing"
    coat_length: float = 0.35
    """Share of the legs that the coat covers."""
    skirt: bool = False
    hat: Hat = "none"
    hat_colour: Colour = (90, 70, 50)
    hair: Hair = "short"
    hair_colour: Colour = (70, 54, 42)
    skin: Colour = (222, 184, 156)
    beard: bool = False
    buttons: int = 0
    right: Prop = "none"
    left: Prop = "none"
    right_shoe: Colour | tuple[()] = (40, 34, 32)
    """Empty: barefoot."""
    left_shoe: Colour | tuple[()] = (40, 34, 32)
    size: float = 1.0
    """Height as a share of a standing adult's."""


def draw_figure(draw: ImageDraw.ImageDraw, feet: Point, height: float, person: DrawnPerson) -> None:
    """Draw `person` with the feet at `feet`; `height` (pixels) is that of a standing adult."""
    brush = FigureCanvas(draw, feet, height * person.size / HEAD_UNITS)
    sits = person.posture == "sitting"
    _draw_legs(brush, person, 2.15 if sits else 3.9)
    body = brush.shift_up(-1.75 if sits else 0)
    _draw_back_hair(body, person)
    _draw_coat(body, person, 3.4 if sits else 3.9 - 3.9 * person.coat_length)
    _draw_head(body, person)
    DRAW_HAT[person.hat](body, person.hat_colour)
    _draw_arm(body, person, -1, person.right)
    _draw_arm(body, person, 1, person.left)


def _draw_legs(brush: FigureCanvas, person: DrawnPerson, hip: float) -> None:
    shoes = ((-1, person.right_shoe), (1, person.left_shoe))
    for side, shoe in shoes:
        x = side * 0.42
        if person.skirt:
            brush.line(((x, 0.7), (x, 0.15)), person.skin, 0.3)
        else:
            brush.line(((x, hip), (x, 0.2)), person.legs, 0.62)
        brush.oval((x + side * 0.1, 0.14), 0.42, 0.2, shoe or person.skin)
    if person.skirt:
        hem = 0.55
        brush.shape(((-0.75, hip + 0.2), (0.75, hip + 0.2), (1.15, hem), (-1.15, hem)), person.legs)
    elif person.posture == "sitting":
        brush.shape(((-0.8, hip), (0.8, hip), (0.85, 1.5), (-0.85, 1.5)), person.legs)


def _draw_coat(brush: FigureCanvas, person: DrawnPerson, hem: float) -> None:
    wide = 0.95 + 0.06 * (3.9 - hem)
    brush.shape(
        ((-0.95, 6.45), (0.95, 6.45), (0.85, 4.6), (wide, hem), (-wide, hem), (-0.85, 4.6)),
        person.coat,
    )
    brush.shape(((-0.32, 6.5), (0.32, 6.5), (0, 5.9)), person.skin)
    if person.buttons:
        brush.line(((0, 5.9), (0, hem)), FIGURE_OUTLINE, 0.04)
    for nth in range(person.buttons):
        brush.oval((0.16, 5.6 - nth * 0.55), 0.09, 0.09, (222, 214, 190))


def _draw_head(brush: FigureCanvas, person: DrawnPerson) -> None:
    brush.line(((0, 6.5), (0, 6.9)), person.skin, 0.42)
    brush.oval((0, 7.32), 0.5, 0.62, person.skin)
    for side in (-1, 1):
        brush.oval((side * 0.19, 7.36), 0.055, 0.06, FIGURE_OUTLINE)
    brush.line(((0, 7.3), (0.06, 7.16)), FIGURE_OUTLINE, 0.04)
    brush.line(((-0.14, 7.0), (0.14, 7.0)), (150, 84, 76), 0.06)
    if person.beard:
        brush.shape(((-0.42, 7.12), (0.42, 7.12), (0.2, 6.55), (-0.2, 6.55)), person.hair_colour)
    if person.hair == "none":
        return
    top = ((-0.52, 7.3), (-0.46, 7.75), (0, 7.98), (0.46, 7.75), (0.52, 7.3), (0.3, 7.62),
           (-0.3, 7.62))  # fmt: skip
    brush.shape(top, person.hair_colour)


def _draw_back_hair(brush: FigureCanvas, person: DrawnPerson) -> None:
    if person.hair == "bun":
        brush.oval((0, 8.02), 0.3, 0.26, person.hair_colour)
    if person.hair == "braid":
        brush.line(((0.4, 7.5), (0.62, 6.6), (0.6, 5.6)), person.hair_colour, 0.26)


def _draw_arm(brush: FigureCanvas, person: DrawnPerson, side: int, hold: Prop) -> None:
    hand = (side * 1.3, 3.75) if hold == "none" else (side * 1.5, 4.5)
    if hold == "rope":
        hand = (side * 1.45, 6.9)
    elbow = (side * 1.3, 5.0) if hold != "rope" else (side * 1.7, 5.9)
    brush.line(((side * 0.88, 6.18), elbow, hand), FIGURE_OUTLINE, 0.52)
    brush.line(((side * 0.88, 6.18), elbow, hand), person.coat, 0.44)
    DRAW_PROP[hold](brush, hand, side)
    brush.oval(hand, 0.22, 0.22, person.skin)
