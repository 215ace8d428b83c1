"""Dials, charts, scales and gauges."""

import math
from collections.abc import Mapping
from random import Random
from types import MappingProxyType

from scripts_mm.drawing.primitives.canvas import Canvas, TextStyle
from scripts_mm.drawing.primitives.paper import Point
from scripts_mm.drawing.rendered.label_kinds import Painter
from scripts_mm.drawing.rendered.scene_data import Label

_QUARTERS = 4
"""Number of figures of a dial that has only those of the quarters."""
_FIGURES = ("XII", "I", "II", "III", "IIII", "V", "VI", "VII", "VIII", "IX", "X", "XI")


def _dial(canvas: Canvas, label: Label, _: Random) -> None:
    """Draw a clock's face; `values`: hour and minute, then 1 for Roman figures or 4 for four."""
    wide = label.size[0]
    middle, reach = (wide / 2, label.size[1] / 2), wide * 0.47
    figures = int(label.values[2]) if label.values[2:] else 0
    canvas.disc(middle, reach, None, 3, label.ink)
    for nth in range(60):
        near = reach * (0.86 if nth % 5 == 0 else 0.93)
        ends = [_at(middle, far, nth * 6) for far in (near, reach * 0.97)]
        canvas.line(ends, label.ink, 3 if nth % 5 == 0 else 1)
    for nth, figure in enumerate(_FIGURES):
        if figures and nth % (3 if figures == _QUARTERS else 1) == 0:
            canvas.write(
                _at(middle, reach * 0.72, nth * 30),
                figure,
                TextStyle(size=label.text_size, hand="bold", fill=label.ink),
            )
    hour, minute = label.values[0], label.values[1]
    _hand(canvas, label, middle, (reach * 0.5, (hour % 12 + minute / 60) * 30, wide * 0.03))
    _hand(canvas, label, middle, (reach * 0.8, minute * 6, wide * 0.02))
    canvas.disc(middle, wide * 0.03, label.ink, 0)


def _at(middle: Point, reach: float, degrees: float) -> Point:
    turn = math.radians(degrees)
    return (middle[0] + reach * math.sin(turn), middle[1] - reach * math.cos(turn))


def _hand(canvas: Canvas, label: Label, middle: Point, measure: tuple[float, float, float]) -> None:
    length, degrees, wide = measure
    canvas.line(
        (_at(middle, -length * 0.15, degrees), _at(middle, length, degrees)), label.ink, wide
    )


def _chart(canvas: Canvas, label: Label, _: Random) -> None:
    """Draw a recorder's curve on squares; `values`: heights from left to right, 0 to 1."""
    wide, tall = label.size
    for nth in range(1, 13):
        canvas.line(((wide * nth / 13, 0), (wide * nth / 13, tall)), label.second, 1)
    for nth in range(1, 8):
        canvas.line(((0, tall * nth / 8), (wide, tall * nth / 8)), label.second, 1)
    last = max(1, len(label.values) - 1)
    line = [
        (wide * (0.04 + 0.92 * nth / last), tall * (0.92 - 0.84 * height))
        for nth, height in enumerate(label.values)
    ]
    canvas.line(line, label.ink, max(2, wide * 0.012))


def _ruler(canvas: Canvas, label: Label, _: Random) -> None:
    """Draw a scale; `values`: its length, the step of its figures, then 1 if it stands upright."""
    wide, tall = label.size
    length, step = label.values[0], label.values[1]
    upright = bool(label.values[2:])
    long, across = (tall, wide) if upright else (wide, tall)

    def place(along: float, over: float) -> Point:
        return (over, along) if upright else (along, tall - over)

    for nth in range(int(length) + 1):
        x = long * (0.04 + 0.92 * nth / length)
        far = 0.5 if nth % step == 0 else 0.3
        canvas.line((place(x, 2), place(x, across * far)), label.ink, 2)
    for nth, figure in enumerate(label.text):
        along = long * (0.04 + 0.92 * min(nth * step + (step if upright else 0), length) / length)
        canvas.write(
            place(along, across * 0.72),
            figure,
            TextStyle(size=label.text_size, hand="sans", fill=label.ink),
        )


def _staff(canvas: Canvas, label: Label, _: Random) -> None:
    """Draw a water gauge: bands of two colours with figures, the highest first."""
    wide, tall = label.size
    count = 16
    for nth in range(count):
        tint = label.second if nth % 4 == 0 else label.ink
        if nth % 2 == 0:
            canvas.box((0, tall * nth / count, wide * 0.5, tall * (nth + 1) / count), tint, 0, 0)
    for nth, figure in enumerate(label.text):
        at = (wide * 0.75, tall * (0.12 + 0.5 * nth))
        canvas.write(at, figure, TextStyle(size=label.text_size, fill=label.ink))


INSTRUMENTS: Mapping[str, Painter] = MappingProxyType(
    {
        "dial": _dial,
        "chart": _chart,
        "ruler": _ruler,
        "staff": _staff,
    }
)
"""Pictures on instruments by the name that scenes use."""
