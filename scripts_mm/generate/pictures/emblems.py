"""Emblems: small signs on a heel, a button, a key or a scrap of paper."""

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType

from PIL import ImageDraw

from scripts_mm.drawing.primitives.paper import Colour, Point

MaskColour = Colour | int
"""A colour, or a grey for masks."""


class EmblemPen:
    """A pen in a square from -1 to 1 around a centre; `cut` is the colour of the background."""

    def __init__(
        self,
        draw: ImageDraw.ImageDraw,
        centre: Point,
        reach: float,
        ink: MaskColour,
        cut: MaskColour,
    ) -> None:
        """Draw with `ink` around `centre`, `reach` pixels to each side."""
        self._draw, self._centre, self._reach = draw, centre, reach
        self.ink, self.cut = ink, cut

    def disc(self, x: float, y: float, wide: float, tall: float, *, cut: bool = False) -> None:
        """Fill an ellipse."""
        box = (*self._spot((x - wide, y - tall)), *self._spot((x + wide, y + tall)))
        self._draw.ellipse(box, fill=self.cut if cut else self.ink)

    def shape(self, *points: Point, cut: bool = False) -> None:
        """Fill a polygon."""
        colour = self.cut if cut else self.ink
        self._draw.polygon([self._spot(point) for point in points], fill=colour)

    def line(self, *points: Point, wide: float = 0.16) -> None:
        """Draw a line with round ends."""
        width = max(1, round(wide * self._reach))
        self._draw.line([self._spot(point) for point in points], self.ink, width, "curve")
        for x, y in (points[0], points[-1]):
            self.disc(x, y, wide / 2, wide / 2)

    def bow(self, x: float, y: float, reach: float, turn: tuple[int, int], wide: float) -> None:
        """Draw an arc, in degrees clockwise from the right."""
        box = (*self._spot((x - reach, y - reach)), *self._spot((x + reach, y + reach)))
        self._draw.arc(box, *turn, fill=self.ink, width=max(1, round(wide * self._reach)))

    def _spot(self, point: Point) -> Point:
        return (
            self._centre[0] + point[0] * self._reach,
            self._centre[1] + point[1] * self._reach,
        )


def draw_emblem(name: str, stamp: EmblemPen) -> None:
    """Draw the emblem `name`."""
    EMBLEMS[name](stamp)


def _draw_star(stamp: EmblemPen) -> None:
    points = [
        (math.sin(turn * math.pi / 5) * far, -math.cos(turn * math.pi / 5) * far)
        for turn, far in ((at, 1.0 if at % 2 == 0 else 0.42) for at in range(10))
    ]
    stamp.shape(*points)


def _draw_ring(stamp: EmblemPen) -> None:
    stamp.disc(0, 0, 0.95, 0.95)
    stamp.disc(0, 0, 0.58, 0.58, cut=True)


def _draw_cross(stamp: EmblemPen) -> None:
    stamp.shape((-0.28, -1), (0.28, -1), (0.28, 1), (-0.28, 1))
    stamp.shape((-1, -0.28), (1, -0.28), (1, 0.28), (-1, 0.28))


def _draw_bars(stamp: EmblemPen) -> None:
    for y in (-0.72, 0.0, 0.72):
        stamp.shape((-0.95, y - 0.19), (0.95, y - 0.19), (0.95, y + 0.19), (-0.95, y + 0.19))


def _draw_crescent(stamp: EmblemPen) -> None:
    stamp.disc(0, 0, 0.95, 0.95)
    stamp.disc(0.42, -0.1, 0.78, 0.78, cut=True)


def _draw_swan(stamp: EmblemPen) -> None:
    stamp.disc(0.12, 0.42, 0.78, 0.4)
    stamp.shape((0.5, 0.3), (1.0, -0.12), (0.82, 0.5))
    stamp.line((-0.5, 0.4), (-0.62, 0.0), (-0.4, -0.35), (-0.5, -0.7), wide=0.2)
    stamp.disc(-0.58, -0.74, 0.2, 0.16)
    stamp.shape((-0.72, -0.8), (-1.02, -0.62), (-0.7, -0.64))
    stamp.disc(-0.6, -0.78, 0.04, 0.04, cut=True)


def _draw_anchor(stamp: EmblemPen) -> None:
    stamp.bow(0, -0.76, 0.22, (0, 360), 0.12)
    stamp.line((0, -0.54), (0, 0.86), wide=0.18)
    stamp.line((-0.45, -0.32), (0.45, -0.32), wide=0.16)
    stamp.bow(0, 0.1, 0.82, (20, 160), 0.18)
    stamp.shape((-0.98, 0.46), (-0.68, 0.2), (-0.56, 0.58))
    stamp.shape((0.98, 0.46), (0.68, 0.2), (0.56, 0.58))


def _draw_lyre(stamp: EmblemPen) -> None:
    stamp.line((-0.7, -0.95), (-0.46, -0.4), (-0.66, 0.2), (-0.3, 0.7), wide=0.18)
    stamp.line((0.7, -0.95), (0.46, -0.4), (0.66, 0.2), (0.3, 0.7), wide=0.18)
    stamp.line((-0.62, -0.62), (0.62, -0.62), wide=0.12)
    for x in (-0.24, 0.0, 0.24):
        stamp.line((x, -0.6), (x, 0.66), wide=0.06)
    stamp.line((-0.5, 0.86), (0.5, 0.86), wide=0.26)


def _draw_horseshoe(stamp: EmblemPen) -> None:
    stamp.bow(0, -0.12, 0.86, (140, 400), 0.32)
    stamp.line((-0.58, 0.36), (-0.44, 0.9), wide=0.3)
    stamp.line((0.58, 0.36), (0.44, 0.9), wide=0.3)


def _draw_sun(stamp: EmblemPen) -> None:
    stamp.disc(0, 0, 0.5, 0.5)
    for at in range(12):
        turn = at * math.pi / 6
        near, far = (math.cos(turn), math.sin(turn)), (math.cos(turn) * 0.95, math.sin(turn) * 0.95)
        stamp.line((near[0] * 0.66, near[1] * 0.66), far, wide=0.12)


def _draw_bell(stamp: EmblemPen) -> None:
    stamp.disc(0, -0.5, 0.42, 0.42)
    stamp.shape((-0.42, -0.5), (0.42, -0.5), (0.56, 0.3), (0.88, 0.62), (-0.88, 0.62), (-0.56, 0.3))
    stamp.disc(0, 0.78, 0.2, 0.2)
    stamp.disc(0, -0.94, 0.12, 0.12)


def _draw_fish(stamp: EmblemPen) -> None:
    stamp.disc(-0.14, 0, 0.76, 0.44)
    stamp.shape((0.44, 0.0), (0.98, -0.5), (0.84, 0.0), (0.98, 0.5))
    stamp.disc(-0.56, -0.1, 0.09, 0.09, cut=True)
    stamp.shape((-0.1, -0.4), (0.26, -0.78), (0.34, -0.3))


def _draw_clover(stamp: EmblemPen) -> None:
    for x, y in ((0, -0.5), (-0.47, 0.16), (0.47, 0.16)):
        stamp.disc(x, y, 0.44, 0.44)
    stamp.shape((-0.09, 0.1), (0.09, 0.1), (0.16, 0.98), (-0.16, 0.98))


def _draw_heart(stamp: EmblemPen) -> None:
    stamp.disc(-0.42, -0.36, 0.48, 0.48)
    stamp.disc(0.42, -0.36, 0.48, 0.48)
    stamp.shape((-0.84, -0.12), (0.84, -0.12), (0, 0.95))


def _draw_eight(stamp: EmblemPen) -> None:
    stamp.bow(0, -0.46, 0.48, (0, 360), 0.2)
    stamp.bow(0, 0.46, 0.5, (0, 360), 0.2)


def _draw_oak(stamp: EmblemPen) -> None:
    for x, y, reach in ((0, -0.68, 0.26), (-0.3, -0.36, 0.26), (0.3, -0.36, 0.26),
                        (-0.38, 0.06, 0.28), (0.38, 0.06, 0.28), (-0.24, 0.44, 0.22),
                        (0.24, 0.44, 0.22), (0, 0.0, 0.34), (0, -0.3, 0.3),
                        (0, 0.36, 0.26)):  # fmt: skip
        stamp.disc(x, y, reach, reach)
    stamp.line((0, 0.4), (0, 1.0), wide=0.1)


def _draw_crown(stamp: EmblemPen) -> None:
    stamp.shape((-0.9, 0.6), (-0.9, -0.42), (-0.44, 0.1), (0, -0.7), (0.44, 0.1), (0.9, -0.42),
                (0.9, 0.6))  # fmt: skip
    for x, y in ((-0.9, -0.52), (0, -0.8), (0.9, -0.52)):
        stamp.disc(x, y, 0.14, 0.14)
    stamp.shape((-0.9, 0.68), (0.9, 0.68), (0.9, 0.88), (-0.9, 0.88))


def _draw_rose(stamp: EmblemPen) -> None:
    for at in range(5):
        turn = at * 2 * math.pi / 5 - math.pi / 2
        stamp.disc(math.cos(turn) * 0.52, math.sin(turn) * 0.52, 0.44, 0.44)
    stamp.disc(0, 0, 0.4, 0.4, cut=True)
    stamp.disc(0, 0, 0.26, 0.26)


def _draw_square(stamp: EmblemPen) -> None:
    stamp.shape((-0.82, -0.82), (0.82, -0.82), (0.82, 0.82), (-0.82, 0.82))


def _draw_diamond(stamp: EmblemPen) -> None:
    stamp.shape((0, -1), (0.72, 0), (0, 1), (-0.72, 0))


def _draw_triangle(stamp: EmblemPen) -> None:
    stamp.shape((0, -0.92), (0.96, 0.78), (-0.96, 0.78))


def _draw_hexagon(stamp: EmblemPen) -> None:
    points = [(math.cos(at * math.pi / 3), math.sin(at * math.pi / 3)) for at in range(6)]
    stamp.shape(*points)


def _draw_studs(stamp: EmblemPen) -> None:
    stamp.disc(0, 0, 0.7, 0.7)
    for at in range(3):
        turn = at * 2 * math.pi / 3 - math.pi / 2
        stamp.disc(math.cos(turn) * 0.84, math.sin(turn) * 0.84, 0.2, 0.2)


EMBLEMS: Mapping[str, Callable[[EmblemPen], None]] = MappingProxyType(
    {
        "star": _draw_star,
        "ring": _draw_ring,
        "cross": _draw_cross,
        "diamond": _draw_diamond,
        "bars": _draw_bars,
        "triangle": _draw_triangle,
        "crescent": _draw_crescent,
        "square": _draw_square,
        "swan": _draw_swan,
        "anchor": _draw_anchor,
        "lyre": _draw_lyre,
        "horseshoe": _draw_horseshoe,
        "sun": _draw_sun,
        "bell": _draw_bell,
        "fish": _draw_fish,
        "clover": _draw_clover,
        "heart": _draw_heart,
        "eight": _draw_eight,
        "oak": _draw_oak,
        "crown": _draw_crown,
        "rose": _draw_rose,
        "hexagon": _draw_hexagon,
        "studs": _draw_studs,
    }
)  # fmt: skip
"""Every emblem by its name."""
