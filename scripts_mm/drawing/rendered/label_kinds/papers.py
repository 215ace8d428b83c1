"""Signs, pages, maps, scrolls, playing cards."""

import math
from collections.abc import Mapping
from random import Random
from types import MappingProxyType

from scripts_mm.drawing.primitives.canvas import Canvas, TextStyle
from scripts_mm.drawing.primitives.paper import Point
from scripts_mm.drawing.rendered.label_kinds import Painter
from scripts_mm.drawing.rendered.scene_data import Label


def _sign(canvas: Canvas, label: Label, _: Random) -> None:
    wide, tall = label.size
    if label.border:
        inset = label.border
        canvas.box((inset, inset, wide - inset, tall - inset), None, 6, label.border, label.ink)
    _write(canvas, label, (wide / 2, tall / 2))


def _write(canvas: Canvas, label: Label, middle: Point) -> None:
    style = TextStyle(size=label.text_size, hand=label.hand, fill=label.ink)
    if label.text:
        canvas.write(middle, "\n".join(label.text), style)


def _scribble(
    canvas: Canvas, rng: Random, start: Point, length: float, size: float, label: Label
) -> None:
    """Draw a line of a hand too small to read."""
    x, end = start[0], start[0] + length
    while x < end - size:
        word = min(rng.uniform(1.5, 5) * size, end - x)
        points = [
            (x + step * size * 0.28, start[1] + rng.uniform(-0.35, 0.35) * size)
            for step in range(int(word / (size * 0.28)) + 1)
        ]
        if len(points) > 1:
            canvas.line(points, label.ink, max(1, size * 0.14))
        x += word + size * 0.8


def _page(canvas: Canvas, label: Label, rng: Random) -> None:
    """Draw a page of unreadable lines below its heading; `values`: lines and margin in shares."""
    wide, tall = label.size
    count = int(label.values[0]) if label.values else 14
    margin = wide * (label.values[1] if len(label.values) > 1 else 0.1)
    top = tall * (0.2 if label.text else 0.08)
    step = (tall * 0.94 - top) / count
    for nth in range(count):
        y = top + (nth + 0.6) * step
        if label.border:
            canvas.line(
                ((margin * 0.5, y + step * 0.35), (wide - margin * 0.5, y + step * 0.35)),
                label.second,
                1,
            )
        share = rng.uniform(0.55, 1) if (nth + 1) % 5 == 0 else 1
        _scribble(canvas, rng, (margin, y), (wide - 2 * margin) * share, step * 0.5, label)
    _write(canvas, label, (wide / 2, tall * 0.11))


def _rule_paper(canvas: Canvas, label: Label, rng: Random) -> None:
    """Draw a ledger's page: columns of ruled lines with figures and entries."""
    wide, tall = label.size
    for share in (0.12, 0.62, 0.8):
        canvas.line(((wide * share, tall * 0.05), (wide * share, tall * 0.97)), label.second, 1.5)
    count = int(label.values[0]) if label.values else 16
    step = tall * 0.9 / count
    for nth in range(count):
        y = tall * 0.06 + nth * step
        canvas.line(((wide * 0.03, y + step * 0.8), (wide * 0.97, y + step * 0.8)), label.second, 1)
        if nth < count * 0.8:
            for start, length in ((0.15, rng.uniform(0.2, 0.44)), (0.65, 0.1), (0.83, 0.1)):
                _scribble(
                    canvas, rng, (wide * start, y + step * 0.5), wide * length, step * 0.42, label
                )


def _spade(canvas: Canvas, label: Label, _: Random) -> None:
    """Draw a playing card of spades with its letter in two corners."""
    wide, tall = label.size
    canvas.box((6, 6, wide - 6, tall - 6), None, 12, 2, label.ink)
    for at, size in (((wide * 0.5, tall * 0.5), wide * 0.3), ((wide * 0.15, tall * 0.27), 24)):
        _draw_spade(canvas, at, size, label)
    canvas.write(
        (wide * 0.15, tall * 0.13),
        label.text[0],
        TextStyle(size=label.text_size, hand="bold", fill=label.ink),
    )


def _draw_spade(canvas: Canvas, at: Point, size: float, label: Label) -> None:
    x, y = at
    canvas.shape(
        ((x, y - size), (x + size * 0.72, y + size * 0.2), (x - size * 0.72, y + size * 0.2)),
        label.ink,
        0,
    )
    for side in (-1, 1):
        canvas.disc((x + side * size * 0.36, y + size * 0.22), size * 0.37, label.ink, 0)
    foot = ((x, y), (x + size * 0.3, y + size * 0.85), (x - size * 0.3, y + size * 0.85))
    canvas.shape(foot, label.ink, 0)


def _map(canvas: Canvas, label: Label, rng: Random) -> None:
    """Draw a town map without words: plots, streets and a river."""
    wide, tall = label.size
    for _nth in range(90):
        x, y = rng.uniform(0.03, 0.93) * wide, rng.uniform(0.03, 0.93) * tall
        box = (x, y, x + rng.uniform(8, 34), y + rng.uniform(8, 26))
        tint = rng.choice(((214, 190, 150), (196, 202, 164), (222, 206, 176), (204, 176, 150)))
        canvas.box(box, tint, 0, 1, label.ink)
    for share in (0.2, 0.45, 0.75):
        line = [(wide * x / 8, tall * (share + rng.uniform(-0.04, 0.04))) for x in range(9)]
        canvas.line(line, (240, 232, 206), 9)
    river = [(wide * x / 12, tall * (0.86 - 0.6 * x / 12 + 0.06 * math.sin(x))) for x in range(13)]
    canvas.line(river, (138, 170, 184), 22)
    canvas.box((4, 4, wide - 4, tall - 4), None, 0, 3, label.ink)


def _branch(canvas: Canvas, label: Label, rng: Random) -> None:
    """Draw a hanging scroll: a branch with blossoms, in ink."""
    wide, tall = label.size
    canvas.box((8, 8, wide - 8, tall - 8), None, 0, 3, label.ink)
    x, y = wide * 0.3, tall * 0.94
    line: list[Point] = [(x, y)]
    for nth in range(7):
        x = wide * (0.5 + (0.22 if nth % 2 else -0.16) + rng.uniform(-0.08, 0.08))
        y -= tall * 0.115
        line.append((x, y))
    for width, points in ((9, line[:3]), (6, line[2:6]), (3, line[5:])):
        canvas.rod(points, label.ink, width)
    for point in line[1:]:
        for _nth in range(3):
            at = (point[0] + rng.uniform(-40, 40), point[1] + rng.uniform(-34, 34))
            canvas.line((point, at), label.ink, 2)
            for _petal in range(5):
                canvas.disc(
                    (at[0] + rng.uniform(-6, 6), at[1] + rng.uniform(-6, 6)), 5, label.second, 0
                )


PAPERS: Mapping[str, Painter] = MappingProxyType(
    {
        "sign": _sign,
        "page": _page,
        "ruled": _rule_paper,
        "spade": _spade,
        "map": _map,
        "branch": _branch,
    }
)
"""Pictures on paper by the name that scenes use."""
