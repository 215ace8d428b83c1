"""A supersampled canvas: drawn larger than the finished picture, for smooth lines.

`Canvas` takes coordinates in pixels of the finished picture; only the width of an outline is in
drawn pixels, so that it can be half a finished pixel. For drawing directly with Pillow there are
`scale_size`, `scale_points` and `scale_box`.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from PIL import Image, ImageDraw

from scripts_mm.drawing.primitives.fonts import Fonts, Hand
from scripts_mm.drawing.primitives.paper import Colour, Point, Size

SCALE = 2
"""Supersampling: pixels drawn per pixel of the finished picture, per side."""
OUTLINE_COLOUR: Colour = (38, 30, 28)
"""The colour of outlines."""
MARKER_COLOUR: Colour = (250, 214, 40)
"""The yellow of the police's numbered cards."""

Box = tuple[float, float, float, float]
"""Left, top, right, bottom in pixels of the finished picture."""
_GROUND = (6, 4)
"""Margin of the card around letters, in drawn pixels."""


def scale_size(size: Size) -> Size:
    """Return a finished size in drawn pixels."""
    return (size[0] * SCALE, size[1] * SCALE)


def scale_points(*points: Point) -> list[Point]:
    """Return finished points in drawn pixels."""
    return [(x * SCALE, y * SCALE) for x, y in points]


def scale_box(box: Box) -> Box:
    """Return a finished box in drawn pixels."""
    return (box[0] * SCALE, box[1] * SCALE, box[2] * SCALE, box[3] * SCALE)


def round_corners(points: Sequence[Point], times: int) -> list[Point]:
    """Return the line through `points` with every corner cut off `times` times."""
    line = list(points)
    for _ in range(times):
        cut = [line[0]]
        for (ax, ay), (bx, by) in pairwise(line):
            cut.append((ax * 0.75 + bx * 0.25, ay * 0.75 + by * 0.25))
            cut.append((ax * 0.25 + bx * 0.75, ay * 0.25 + by * 0.75))
        line = [*cut, line[-1]]
    return line


@dataclass(frozen=True, slots=True, kw_only=True)
class TextStyle:
    """The style of words on a canvas."""

    size: int
    hand: Hand = "sans-bold"
    fill: Colour | None = None
    """None: the colour of the canvas's outlines."""
    anchor: str = "mm"
    """Pillow's anchor of every line."""
    leading: float = 1.2
    """Distance between two lines, in text sizes."""
    ground: Colour | None = None
    """The colour of a card behind the words; None: no card."""


class Canvas:
    """A canvas that takes finished coordinates and draws at the large scale."""

    def __init__(
        self, image: Image.Image, fonts: Fonts, edge: Colour = OUTLINE_COLOUR, line: int = 2
    ) -> None:
        """Draw on `image` (already large); outlines have colour `edge` and `line` drawn pixels."""
        self._draw = ImageDraw.Draw(image)
        self._fonts = fonts
        self._edge = edge
        self._line = line

    def _outline(self, line: int | None, edge: Colour | None) -> tuple[Colour | None, int]:
        width = self._line if line is None else line
        return ((edge or self._edge) if width else None, width * SCALE // 2)

    def box(
        self,
        box: Box,
        fill: Colour | None,
        radius: int = 0,
        line: int | None = None,
        edge: Colour | None = None,
    ) -> None:
        """Fill a rectangle, with rounded corners if `radius`, and outline it."""
        outline, width = self._outline(line, edge)
        self._draw.rounded_rectangle(
            scale_box(box), radius * SCALE, fill=fill, outline=outline, width=width
        )

    def oval(
        self, box: Box, fill: Colour | None, line: int | None = None, edge: Colour | None = None
    ) -> None:
        """Fill the ellipse in a box and outline it."""
        outline, width = self._outline(line, edge)
        self._draw.ellipse(scale_box(box), fill=fill, outline=outline, width=width)

    def disc(
        self,
        at: Point,
        reach: float | Point,
        fill: Colour | None,
        line: int | None = None,
        edge: Colour | None = None,
    ) -> None:
        """Fill the circle (or ellipse, for two half-axes) around a centre and outline it."""
        wide, tall = reach if isinstance(reach, tuple) else (reach, reach)
        self.oval((at[0] - wide, at[1] - tall, at[0] + wide, at[1] + tall), fill, line, edge)

    def shape(
        self,
        points: Sequence[Point],
        fill: Colour | None,
        line: int | None = None,
        edge: Colour | None = None,
    ) -> None:
        """Fill a polygon and outline it."""
        outline, width = self._outline(line, edge)
        self._draw.polygon(scale_points(*points), fill=fill, outline=outline, width=width)

    def line(self, points: Sequence[Point], fill: Colour | None = None, width: float = 2) -> None:
        """Draw a line through points with square ends."""
        wide = round(width * SCALE)
        self._draw.line(scale_points(*points), fill or self._edge, wide, joint="curve")

    def rod(self, points: Sequence[Point], fill: Colour, width: float) -> None:
        """Draw a line through points with round ends and corners."""
        self.line(points, fill, width)
        for at in points:
            self.disc(at, width / 2, fill, 0)

    def arc(self, box: Box, turns: tuple[float, float], fill: Colour, width: float = 2) -> None:
        """Draw the piece of an ellipse between two angles (degrees, clockwise from the right)."""
        self._draw.arc(scale_box(box), *turns, fill=fill, width=round(width * SCALE))

    def dashes(
        self,
        points: Sequence[Point],
        fill: Colour,
        width: float = 2,
        pitch: float = 13,
        share: float = 0.6,
    ) -> None:
        """Draw a dashed line: about a dash every `pitch` pixels, each `share` of its piece."""
        for start, end in pairwise(points):
            count = max(1, round(math.dist(start, end) / pitch))
            across, down = end[0] - start[0], end[1] - start[1]
            for nth in range(count):
                near, far = nth / count, (nth + share) / count
                dash = (
                    (start[0] + across * near, start[1] + down * near),
                    (start[0] + across * far, start[1] + down * far),
                )
                self.line(dash, fill, width)

    def text(self, at: Point, text: str, size: int, fill: Colour | None = None) -> None:
        """Write bold letters centred on a point."""
        self.write(at, text, TextStyle(size=size, fill=fill))

    def write(self, at: Point, text: str, letters: TextStyle) -> None:
        """Write lines at a place, vertically centred on it."""
        font = self._fonts.get(letters.hand, letters.size * SCALE)
        lines = text.split("\n")
        for nth, line in enumerate(lines):
            y = at[1] + (nth - (len(lines) - 1) / 2) * letters.size * letters.leading
            spot = (at[0] * SCALE, y * SCALE)
            if letters.ground is not None:
                left, top, right, bottom = self._draw.textbbox(
                    spot, line, font, anchor=letters.anchor
                )
                wide, tall = _GROUND
                card = (left - wide, top - tall, right + wide, bottom + tall)
                self._draw.rectangle(card, fill=letters.ground)
            self._draw.text(spot, line, letters.fill or self._edge, font, anchor=letters.anchor)

    def marker(self, at: Point, sign: str) -> None:
        """Draw a yellow card with a sign."""
        x, y = at
        card = ((x - 17, y + 16), (x - 11, y - 18), (x + 11, y - 18), (x + 17, y + 16))
        self.shape(card, MARKER_COLOUR)
        self.text(at, sign, 21)
