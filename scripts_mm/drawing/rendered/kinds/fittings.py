"""Fittings of houses and machines: straps, nails, wheels, a glass roof."""

from collections.abc import Iterator, Mapping
from math import cos, pi, sin
from types import MappingProxyType

import numpy as np

from scripts_mm.drawing.rendered.kinds import Builder, Part
from scripts_mm.drawing.rendered.mesh import (
    Pair,
    Vector,
    make_ball,
    make_box,
    make_lathe,
    make_tube,
    rotate,
)
from scripts_mm.drawing.rendered.outlines import make_plate
from scripts_mm.drawing.rendered.scene_data import Thing


def _strap(thing: Thing) -> Iterator[Part]:
    """Build an iron strap over a bolt along x, screwed to the wall above and below."""
    wide, deep, tall = thing.size
    yield thing.material, make_box((wide, 0.006, tall), 0.002).move((0, -0.003, -tall / 2))
    bridge = [
        (wide / 2, -0.004, -0.024),
        (wide / 2, -deep * 0.8, -0.02),
        (wide / 2, -deep * 1.15, 0),
        (wide / 2, -deep * 0.8, 0.02),
        (wide / 2, -0.004, 0.024),
    ]
    for step in np.linspace(-wide, 0, 7):
        path = [(x + float(step), y, z) for x, y, z in bridge]
        yield thing.material, make_tube(path, wide * 0.1, 8)
    for side in (-1, 1):
        screw = make_lathe(((0.007, 0), (0.006, 0.004), (0, 0.005)), 20)
        at = (0, -0.006, side * tall * 0.38)
        yield thing.other, screw.move(at, rotate(tilt=90))
        slot = make_box((0.011, 0.002, 0.0016), 0.0004)
        yield "black", slot.move((0, -0.0108, side * tall * 0.38 - 0.0008), rotate(roll=0))


def _nail(thing: Thing) -> Iterator[Part]:
    """Build a nail in a wall: `size` is the width of its head and how far it stands out."""
    reach, out = thing.size[0], thing.size[1]
    nail = make_lathe(
        (
            (reach * 0.4, 0),
            (reach * 0.4, out),
            (reach, out),
            (reach, out + 0.002),
            (0, out + 0.003),
        ),
        14,
    )
    yield thing.material, nail.move((0, 0, 0), rotate(tilt=90))


def _gear(thing: Thing) -> Iterator[Part]:
    """Build a toothed wheel of `radius` on the ground, `amount` thick, with `count` teeth."""
    ring: list[Pair] = []
    for nth in range(thing.count):
        for step, far in ((0.0, 1.0), (0.28, 1.0), (0.42, 0.9), (0.86, 0.9)):
            turn = 2 * pi * (nth + step) / thing.count
            ring.append((thing.radius * far * cos(turn), thing.radius * far * sin(turn)))
    yield thing.material, make_plate(ring, thing.amount)
    rim = make_lathe(
        (
            (thing.radius * 0.62, thing.amount),
            (thing.radius * 0.64, thing.amount * 1.5),
            (thing.radius * 0.74, thing.amount * 1.5),
            (thing.radius * 0.76, thing.amount),
        )
    )
    yield thing.material, rim


def _coil(thing: Thing) -> Iterator[Part]:
    """Build `count` tight turns of a line `amount` thick round an upright of `radius`."""
    for nth in range(thing.count):
        reach = thing.radius + 0.0016 * (nth % 2)
        ring = [
            (reach * cos(t * pi / 14), reach * sin(t * pi / 14), nth * thing.amount * 1.5)
            for t in range(28)
        ]
        yield thing.material, make_tube(ring, thing.amount * 0.72, 8, closed=True)


def _swung_door(thing: Thing) -> Iterator[Part]:
    """Build a round door of `radius`, facing -y, that reaches left from its hinge at x = 0."""
    reach = thing.radius
    leaf = make_lathe(
        ((reach, 0), (reach, 0.01), (reach * 0.92, 0.016), (reach * 0.86, 0.01), (0, 0.01)), 48
    )
    yield thing.material, leaf.move((-reach, 0, 0), rotate(tilt=90))
    back = make_lathe(((0, -0.001), (reach, -0.001)), 48)
    yield thing.other, back.move((-reach, 0, 0), rotate(tilt=90))
    knob = make_ball(reach * 0.09, 16)
    yield thing.other, knob.move((-reach * 1.8, -0.02, -reach * 0.09))
    hinge = make_lathe(((0.012, -0.04), (0.012, 0.04)), 16)
    yield thing.other, hinge


def _glass_roof(thing: Thing) -> Iterator[Part]:
    """Build a roof of panes of `size` (width, thickness, slope): `count` across, `amount` up.

    It lies on the ground, its lower edge at y = 0. All panes are old but the one in the middle,
    whose putty carries one thumb print after another.
    """
    wide, thick, slope = thing.size
    rows = int(thing.amount)
    rng = np.random.default_rng(thing.seed)
    across, up = wide / thing.count, slope / rows
    for column in range(thing.count + 1):
        bar = make_box((0.045, slope, 0.05), 0.006)
        yield thing.material, bar.move((column * across - wide / 2, slope / 2, 0))
    for row in range(rows + 1):
        bar = make_box((wide, 0.04, 0.04), 0.006)
        yield thing.material, bar.move((0, row * up, 0))
    for row in range(rows):
        for column in range(thing.count):
            middle = ((column + 0.5) * across - wide / 2, (row + 0.5) * up, thick)
            new = (column, row) == (thing.count // 2, rows // 2)
            yield from _pane(thing, middle, (across - 0.05, up - 0.045), new)
            if not new:
                yield from _weather(thing, middle, (across, up), rng)


def _pane(thing: Thing, at: Vector, size: Pair, new: bool) -> Iterator[Part]:
    wide, deep = size
    glass = make_box((wide, deep, 0.006), 0.001)
    yield (thing.parts["clear"] if new else thing.other), glass.move(at)
    edge = 0.075 if new else 0.05
    name = thing.parts["new-putty" if new else "putty"]
    for side in (-1, 1):
        along = make_box((edge, deep, 0.02), 0.008)
        yield name, along.move((at[0] + side * (wide - edge) / 2, at[1], at[2]))
        over = make_box((wide, edge, 0.021), 0.008)
        yield name, over.move((at[0], at[1] + side * (deep - edge) / 2, at[2]))
    if new:
        yield from _thumb_prints(thing, at, (wide - edge, deep - edge))


def _thumb_prints(thing: Thing, at: Vector, size: Pair) -> Iterator[Part]:
    """Yield prints all round the putty: shallow ovals with their long side across it."""
    spots = [((nth + 0.5) / 9 - 0.5, side, True) for nth in range(9) for side in (-0.5, 0.5)]
    spots += [((nth + 0.5) / 9 - 0.5, side, False) for nth in range(9) for side in (-0.5, 0.5)]
    for along, side, level in spots:
        x, y = (along, side) if level else (side, along)
        place = (at[0] + x * size[0], at[1] + y * size[1], at[2] + 0.0175)
        oval = make_ball(0.02, 18).scale((1.25, 0.95, 0.18) if level else (0.95, 1.25, 0.18))
        yield thing.parts["print"], oval.move(place)


def _weather(thing: Thing, at: Vector, size: Pair, rng: np.random.Generator) -> Iterator[Part]:
    """Yield the moss at a pane's lower edge and the drops on it."""
    for _ in range(7):
        x = at[0] + rng.uniform(-0.42, 0.42) * size[0]
        tuft = make_ball(rng.uniform(0.014, 0.034), 12).scale((1.6, 1, 0.5))
        yield thing.parts["moss"], tuft.move((x, at[1] - size[1] * rng.uniform(0.4, 0.44), at[2]))
    for _ in range(10):
        x, y = (rng.uniform(-0.4, 0.4) * side for side in size)
        drop = make_ball(rng.uniform(0.006, 0.012), 12).scale((1, 1.5, 0.5))
        yield thing.parts["drop"], drop.move((at[0] + x, at[1] + y, at[2] + 0.007))


FITTINGS: Mapping[str, Builder] = MappingProxyType(
    {
        "strap": _strap,
        "nail": _nail,
        "gear": _gear,
        "coil": _coil,
        "swung-door": _swung_door,
        "glass-roof": _glass_roof,
    }
)
"""Fittings by the name that scenes use."""
