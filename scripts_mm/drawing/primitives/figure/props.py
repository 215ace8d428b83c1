"""Hats and held objects of drawn persons."""

from collections.abc import Callable, Mapping
from typing import Literal

from scripts_mm.drawing.primitives.figure.figure_canvas import FIGURE_OUTLINE, FigureCanvas
from scripts_mm.drawing.primitives.paper import Colour, Point

Hat = Literal["none", "broad", "flat", "feather", "scarf"]
Prop = Literal[
    "none",
    "rod",
    "spanner",
    "lantern",
    "book",
    "tray",
    "twig",
    "whip",
    "rope",
    "rope-end",
]
"""`rope` hangs from above and ends in the hand; `rope-end` is a torn-off piece."""

_WOOD = (128, 92, 56)
_IRON = (112, 118, 126)
_HEMP = (150, 114, 66)
_RED = (184, 44, 40)
_LEAF = (78, 124, 62)


def _draw_no_hat(brush: FigureCanvas, colour: Colour) -> None:
    """Draw no hat."""


def _draw_broad_hat(brush: FigureCanvas, colour: Colour) -> None:
    brush.oval((0, 7.68), 1.0, 0.2, colour)
    brush.shape(((-0.5, 7.7), (-0.4, 8.25), (0.4, 8.25), (0.5, 7.7)), colour)


def _draw_flat_hat(brush: FigureCanvas, colour: Colour) -> None:
    brush.oval((0, 7.82), 0.62, 0.24, colour)
    brush.shape(((-0.1, 7.72), (0.66, 7.66), (0.6, 7.56), (-0.1, 7.6)), colour)


def _draw_feather_hat(brush: FigureCanvas, colour: Colour) -> None:
    brush.shape(((-0.72, 7.66), (0.72, 7.66), (0.42, 7.8), (0.2, 8.5), (-0.24, 8.5),
                 (-0.44, 7.8)), colour)  # fmt: skip
    brush.line(((0.36, 7.85), (0.72, 8.9)), (214, 208, 190), 0.12)


def _draw_scarf(brush: FigureCanvas, colour: Colour) -> None:
    brush.shape(((-0.58, 7.1), (-0.52, 7.7), (0, 8.0), (0.52, 7.7), (0.58, 7.1), (0.36, 7.58),
                 (-0.36, 7.58)), colour)  # fmt: skip
    brush.shape(((-0.16, 6.78), (0.16, 6.78), (0.3, 6.4), (-0.3, 6.4)), colour)


def _draw_no_prop(brush: FigureCanvas, hand: Point, side: int) -> None:
    """Draw no object."""


def _draw_rod(brush: FigureCanvas, hand: Point, side: int) -> None:
    x = hand[0]
    brush.line(((x, 0.1), (x, 7.9)), (236, 232, 220), 0.2)
    for nth in range(10):
        low = 0.2 + nth * 0.78
        brush.line(((x, low), (x, low + 0.34)), _RED, 0.2)


def _draw_spanner(brush: FigureCanvas, hand: Point, side: int) -> None:
    top = (hand[0] + side * 0.5, hand[1] + 2.3)
    brush.line(((hand[0] - side * 0.12, hand[1] - 0.6), top), FIGURE_OUTLINE, 0.34)
    brush.line(((hand[0] - side * 0.12, hand[1] - 0.6), top), _IRON, 0.26)
    for lean in (-0.42, 0.42):
        brush.line((top, (top[0] + lean, top[1] + 0.28), (top[0] + lean, top[1] + 0.7)), _IRON, 0.3)


def _draw_lantern(brush: FigureCanvas, hand: Point, side: int) -> None:
    x, y = hand
    brush.line((hand, (x, y - 0.5)), FIGURE_OUTLINE, 0.06)
    brush.shape(((x - 0.34, y - 0.5), (x + 0.34, y - 0.5), (x + 0.34, y - 1.3),
                 (x - 0.34, y - 1.3)), (240, 214, 130))  # fmt: skip
    brush.line(((x - 0.38, y - 1.32), (x + 0.38, y - 1.32)), FIGURE_OUTLINE, 0.12)


def _draw_book(brush: FigureCanvas, hand: Point, side: int) -> None:
    x, y = hand[0] - side * 0.3, hand[1] + 0.25
    brush.shape(((x - 0.55, y + 0.45), (x + 0.55, y + 0.45), (x + 0.55, y - 0.35),
                 (x - 0.55, y - 0.35)), (126, 52, 48))  # fmt: skip
    brush.line(((x, y + 0.45), (x, y - 0.35)), (232, 224, 204), 0.06)


def _draw_tray(brush: FigureCanvas, hand: Point, side: int) -> None:
    x, y = hand[0] - side * 0.5, hand[1] + 0.1
    brush.oval((x, y), 1.35, 0.42, _WOOD)
    brush.oval((x, y + 0.06), 1.15, 0.3, (222, 206, 168))
    for nth in range(7):
        brush.oval((x - 0.9 + nth * 0.3, y + 0.08 + 0.1 * (nth % 2)), 0.13, 0.09, (250, 246, 230))


def _draw_twig(brush: FigureCanvas, hand: Point, side: int) -> None:
    x, y = hand
    brush.line(((x, y - 0.5), (x + side * 0.5, y + 1.9)), _WOOD, 0.09)
    for nth in range(5):
        at = (x + side * (0.1 + nth * 0.1), y + 0.3 + nth * 0.38)
        brush.oval((at[0] + (0.24 if nth % 2 else -0.24), at[1]), 0.26, 0.15, _LEAF)


def _draw_whip(brush: FigureCanvas, hand: Point, side: int) -> None:
    x, y = hand
    top = (x + side * 0.5, y + 2.6)
    brush.line(((x, y - 0.4), top), _WOOD, 0.12)
    brush.line((top, (x + side * 1.1, y + 2.2), (x + side * 0.9, y + 1.2)), FIGURE_OUTLINE, 0.05)


def _draw_rope(brush: FigureCanvas, hand: Point, side: int) -> None:
    brush.line(((hand[0], hand[1]), (hand[0], hand[1] + 6)), _HEMP, 0.16)
    brush.line(((hand[0], hand[1] - 0.6), (hand[0], hand[1] + 0.6)), _RED, 0.28)
    brush.line(((hand[0], hand[1] - 0.9), (hand[0], hand[1] - 1.3)), _HEMP, 0.16)


def _draw_rope_end(brush: FigureCanvas, hand: Point, side: int) -> None:
    x, y = hand
    brush.line(((x, y + 1.1), (x, y - 1.2)), _HEMP, 0.2)
    brush.line(((x, y - 0.3), (x, y - 0.7)), _RED, 0.28)
    brush.line(((x, y + 0.3), (x, y + 0.5)), _RED, 0.28)
    for lean in (-0.2, 0, 0.2):
        brush.line(((x, y + 1.1), (x + lean, y + 1.5)), _HEMP, 0.06)


DRAW_HAT: Mapping[Hat, Callable[[FigureCanvas, Colour], None]] = {
    "none": _draw_no_hat,
    "broad": _draw_broad_hat,
    "flat": _draw_flat_hat,
    "feather": _draw_feather_hat,
    "scarf": _draw_scarf,
}
"""The drawing function of every hat."""
DRAW_PROP: Mapping[Prop, Callable[[FigureCanvas, Point, int], None]] = {
    "none": _draw_no_prop,
    "rod": _draw_rod,
    "spanner": _draw_spanner,
    "lantern": _draw_lantern,
    "book": _draw_book,
    "tray": _draw_tray,
    "twig": _draw_twig,
    "whip": _draw_whip,
    "rope": _draw_rope,
    "rope-end": _draw_rope_end,
}
"""The drawing function of every object: brush, place of the hand, side (-1: person's right)."""
