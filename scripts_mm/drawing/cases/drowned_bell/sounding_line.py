"""The sounding line on the deck: brown, white, brown, between a ring and a holed leather."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random

from PIL import Image

from scripts_mm.drawing.cases.drowned_bell.photo_style import print_photo
from scripts_mm.drawing.primitives.canvas import Canvas, TextStyle, round_corners, scale_size
from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.paper import Colour, Point, Size

_VIEW: Size = (900, 640)
_OLD: Colour = (126, 94, 60)
_OLD_DARK: Colour = (84, 60, 38)
_NEW: Colour = (238, 234, 222)
_NEW_DARK: Colour = (186, 180, 164)
_BLUE: Colour = (44, 74, 150)
_CHALK: Colour = (232, 232, 226)
_SPLICE = 34
"""Half the length of a splice in pixels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SoundingLineSpec:
    """The rope: its bends, the lengths of its pieces, and the words in chalk next to them."""

    bends: tuple[Point, ...]
    pieces: tuple[float, float, float]
    """Metres of old, new and old rope."""
    chalk: tuple[tuple[str, Point], ...]
    caption: str


def draw_line(spec: SoundingLineSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the photograph."""
    image = Image.new("RGB", scale_size(_VIEW), (118, 108, 96))
    canvas = Canvas(image, fonts)
    _draw_planks(canvas, rng)
    path = _walk(spec.bends)
    first = round(len(path) * spec.pieces[0] / sum(spec.pieces))
    last = round(len(path) * (spec.pieces[0] + spec.pieces[1]) / sum(spec.pieces))
    for x, y in path[::6]:
        canvas.disc((x + 5, y + 7), 9, (74, 66, 58), 0)
    _draw_rope(canvas, path[: first + 1], (_OLD, _OLD_DARK), rng, fray=True)
    _draw_rope(canvas, path[first : last + 1], (_NEW, _NEW_DARK), rng, fray=False)
    _draw_rope(canvas, path[last:], (_OLD, _OLD_DARK), rng, fray=True)
    for joint in (first, last):
        _draw_splice(canvas, path, joint)
    _draw_ring(canvas, path[0])
    _draw_leather(canvas, path[-1])
    for words, at in spec.chalk:
        canvas.write(at, words, TextStyle(size=44, hand="note", fill=_CHALK))
    return print_photo(image, _VIEW, spec.caption, fonts, rng)


def _draw_planks(canvas: Canvas, rng: Random) -> None:
    for row in range(9):
        y = row * 76 - 20
        tone = round(126 + rng.uniform(-10, 10))
        canvas.box((-10, y, 910, y + 72), (tone, tone - 10, tone - 24), line=0)
        canvas.box((-10, y + 71, 910, y + 77), (48, 42, 38), line=0)
        for _ in range(9):
            x = rng.uniform(0, 860)
            at = y + rng.uniform(8, 64)
            canvas.line(((x, at), (x + rng.uniform(40, 160), at)), (tone - 22, tone - 30, 86), 1)
        for x in (120 + 40 * (row % 3), 640 - 50 * (row % 2)):
            canvas.disc((x, y + 36), 5, (70, 62, 56), 1)


def _walk(bends: Sequence[Point]) -> list[Point]:
    """Return points one pixel apart along a smooth line through the bends."""
    line = round_corners(bends, 4)
    path: list[Point] = []
    for one, other in pairwise(line):
        steps = max(1, round(math.dist(one, other)))
        path += [
            (one[0] + (other[0] - one[0]) * nth / steps, one[1] + (other[1] - one[1]) * nth / steps)
            for nth in range(steps)
        ]
    return [*path, line[-1]]


def _draw_rope(
    canvas: Canvas, path: Sequence[Point], tones: tuple[Colour, Colour], rng: Random, *, fray: bool
) -> None:
    canvas.rod(path[::4], tones[1], 15)
    canvas.rod(path[::4], tones[0], 11)
    for at in range(0, len(path) - 9, 8):
        (ax, ay), (bx, by) = path[at], path[at + 8]
        turn = math.atan2(by - ay, bx - ax) + 0.9
        reach = (6.5 * math.cos(turn), 6.5 * math.sin(turn))
        canvas.line(((ax - reach[0], ay - reach[1]), (ax + reach[0], ay + reach[1])), tones[1], 2)
        if fray and rng.random() < 0.5:  # noqa: PLR2004 - hairs at every second strand
            angle = rng.uniform(0, 2 * math.pi)
            end = (ax + 13 * math.cos(angle), ay + 13 * math.sin(angle))
            canvas.line(((ax, ay), end), (150, 120, 84), 1)


def _draw_splice(canvas: Canvas, path: Sequence[Point], joint: int) -> None:
    """Draw the slim joint, tapered at both ends and wound with thread."""
    for step in range(-_SPLICE, _SPLICE + 1, 3):
        (ax, ay), (bx, by) = path[joint + step], path[joint + step + 1]
        turn = math.atan2(by - ay, bx - ax) + math.pi / 2
        half = 11 - 5 * abs(step) / _SPLICE
        ends = (
            (ax - half * math.cos(turn), ay - half * math.sin(turn)),
            (ax + half * math.cos(turn), ay + half * math.sin(turn)),
        )
        canvas.line(ends, _BLUE if step % 2 else (84, 112, 182), 2.6)


def _draw_ring(canvas: Canvas, at: Point) -> None:
    for reach, tone in ((19, (112, 84, 36)), (16, (214, 180, 92))):
        canvas.disc(at, reach, tone, 2)
    canvas.disc(at, 9, (112, 98, 82), 2)


def _draw_leather(canvas: Canvas, at: Point) -> None:
    x, y = at
    canvas.shape(
        ((x - 12, y - 14), (x + 16, y - 30), (x + 66, y - 26), (x + 74, y + 20), (x + 20, y + 26),
         (x - 10, y + 12)), (96, 58, 36), 4,
    )  # fmt: skip
    canvas.disc((x + 42, y - 2), 13, (122, 112, 98), 4)
