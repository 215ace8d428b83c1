"""A canvas in units of a person's head instead of pixels."""

from collections.abc import Sequence

from PIL import ImageDraw

from scripts_mm.drawing.primitives.paper import Colour, Point

FIGURE_OUTLINE: Colour = (48, 40, 38)
"""The colour of outlines."""


class FigureCanvas:
    """A canvas in units of a head: x to the right and y upwards from between the feet."""

    def __init__(self, draw: ImageDraw.ImageDraw, feet: Point, unit: float) -> None:
        """Set the origin at `feet` (pixels); `unit` is the pixels of a head."""
        self._draw = draw
        self._feet = feet
        self._unit = unit

    def _at(self, point: Point) -> Point:
        return self._feet[0] + point[0] * self._unit, self._feet[1] - point[1] * self._unit

    def shape(self, points: Sequence[Point], fill: Colour) -> None:
        """Fill a polygon and outline it."""
        there = [self._at(point) for point in points]
        self._draw.polygon(there, fill=fill)
        self._draw.line(
            (*there, there[0]), fill=FIGURE_OUTLINE, width=max(1, round(self._unit / 16))
        )

    def line(self, points: Sequence[Point], fill: Colour, width: float) -> None:
        """Draw a line `width` units wide with round ends."""
        there = [self._at(point) for point in points]
        wide = max(1, round(width * self._unit))
        self._draw.line(there, fill=fill, width=wide, joint="curve")
        for x, y in (there[0], there[-1]):
            self._draw.ellipse((x - wide / 2, y - wide / 2, x + wide / 2, y + wide / 2), fill=fill)

    def oval(self, centre: Point, wide: float, tall: float, fill: Colour) -> None:
        """Fill an ellipse of half-axes `wide` and `tall` and outline it."""
        x, y = self._at(centre)
        reach = (wide * self._unit, tall * self._unit)
        box = (x - reach[0], y - reach[1], x + reach[0], y + reach[1])
        self._draw.ellipse(
            box, fill=fill, outline=FIGURE_OUTLINE, width=max(1, round(self._unit / 20))
        )
