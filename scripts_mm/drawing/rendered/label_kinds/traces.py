"""Painted and grown surfaces: a backdrop, shells."""

import math
from collections.abc import Mapping
from random import Random
from types import MappingProxyType

from scripts_mm.drawing.primitives.canvas import Canvas
from scripts_mm.drawing.primitives.paper import Point
from scripts_mm.drawing.rendered.label_kinds import Painter
from scripts_mm.drawing.rendered.scene_data import Label


def _backdrop(canvas: Canvas, label: Label, rng: Random) -> None:
    """Draw a painted sky: clouds of the second colour; `values`: where lightning strikes."""
    wide, tall = label.size
    for _nth in range(160):
        at = (rng.uniform(0, wide), rng.uniform(0, tall))
        shade = rng.uniform(0.2, 1)
        tint = tuple(
            round(a + (b - a) * shade) for a, b in zip(label.ground, label.second, strict=True)
        )
        canvas.disc(at, (rng.uniform(20, 90), rng.uniform(8, 30)), (tint[0], tint[1], tint[2]), 0)
    if label.values:
        x, y = label.values[0] * wide, 0.0
        line: list[Point] = [(x, y)]
        while y < tall * 0.8:
            x, y = x + rng.uniform(-0.035, 0.028) * wide, y + rng.uniform(0.05, 0.09) * tall
            line.append((x, y))
        canvas.line(line, label.ink, 7)
        for nth in (2, 4, 6):
            x, y = line[nth]
            canvas.line(
                ((x, y), (x + 0.04 * wide, y + 0.05 * tall), (x + 0.06 * wide, y + 0.12 * tall)),
                label.ink,
                3,
            )


def _flat_shell(canvas: Canvas, label: Label, rng: Random) -> None:
    """Draw the colours of a shell from above; `values`: where its stain runs, degrees from to."""
    wide, tall = label.size
    _draw_rings(canvas, label, rng, (26, 2, 0.46), (500, 5))
    low, high = label.values[0], label.values[1]
    for _nth in range(700):
        turn, far = math.radians(rng.uniform(low, high)), 0.34 + 0.14 * rng.random() ** 0.6
        at = (wide * (0.5 + far * math.cos(turn)), tall * (0.5 + far * math.sin(turn)))
        canvas.disc(at, rng.uniform(0.008, 0.026) * wide, label.second, 0)


def _long_shell(canvas: Canvas, label: Label, rng: Random) -> None:
    """Draw the colours of a frilled shell with a dab of paint at `values`, in shares."""
    wide, tall = label.size
    _draw_rings(canvas, label, rng, (30, 3, 0.48), (420, 6))
    x, y = label.values[0] * wide, label.values[1] * tall
    for _nth in range(60):
        at = (x + rng.gauss(0, 0.05) * wide, y + rng.gauss(0, 0.03) * tall)
        canvas.disc(at, rng.uniform(0.03, 0.075) * wide, label.second, 0)


def _draw_rings(
    canvas: Canvas,
    label: Label,
    rng: Random,
    rings: tuple[int, int, float],
    specks: tuple[int, float],
) -> None:
    """Draw a shell from its rings (number, every how many-th has ink, reach) and specks."""
    wide, tall = label.size
    count, period, reach = rings
    for nth in range(count):
        share = 1 - nth / count
        middle = (wide / 2, tall * (0.5 - 0.27 * (1 - share)))
        tint = label.ground if nth % period else label.ink
        canvas.disc(middle, (wide * reach * share, tall * reach * share), tint, 0)
    for _nth in range(specks[0]):
        at = (rng.uniform(0, wide), rng.uniform(0, tall))
        canvas.disc(at, rng.uniform(1, specks[1]), rng.choice((label.ground, label.ink)), 0)


TRACES: Mapping[str, Painter] = MappingProxyType(
    {
        "backdrop": _backdrop,
        "flat-shell": _flat_shell,
        "long-shell": _long_shell,
    }
)
"""Traces by the name that scenes use."""
