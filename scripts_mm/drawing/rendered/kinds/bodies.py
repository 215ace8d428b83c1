"""Plain bodies: boxes, turned bodies, rods, plates, pictures, soft solids, many small pieces."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

import numpy as np

from scripts_mm.drawing.rendered.kinds import Builder, Part
from scripts_mm.drawing.rendered.mesh import (
    make_ball,
    make_box,
    make_lathe,
    make_panel,
    make_round_panel,
    make_terrain,
    make_tube,
    rotate,
)
from scripts_mm.drawing.rendered.outlines import make_plate, make_strip
from scripts_mm.drawing.rendered.scene_data import Thing
from scripts_mm.drawing.rendered.solid import Rod, make_solid

BEVEL = 0.004
"""Radius of an edge where a thing names none, in metres."""


def _box(thing: Thing) -> Iterator[Part]:
    yield thing.material, make_box(thing.size, thing.amount or BEVEL)


def _panel(thing: Thing) -> Iterator[Part]:
    """Build a picture of `size` (width, unused, height), bent by `amount`."""
    yield thing.material, make_panel(thing.size[0], thing.size[2], thing.amount)


def _round_panel(thing: Thing) -> Iterator[Part]:
    yield thing.material, make_round_panel(thing.radius)


def _lathe(thing: Thing) -> Iterator[Part]:
    yield thing.material, make_lathe(thing.profile, 48).scale(thing.size)


def _ball(thing: Thing) -> Iterator[Part]:
    yield thing.material, make_ball(thing.radius).scale(thing.size)


def _tube(thing: Thing) -> Iterator[Part]:
    yield thing.material, make_tube(thing.path, thing.radius, closed=thing.closed)


def _plate(thing: Thing) -> Iterator[Part]:
    yield thing.material, make_plate([(x, y) for x, y, _ in thing.path], thing.amount or 0.002)


def _strip(thing: Thing) -> Iterator[Part]:
    line = [(x, y) for x, y, _ in thing.path]
    yield thing.material, make_strip(line, thing.radius * 2, thing.closed)


def _solid(thing: Thing) -> Iterator[Part]:
    """Build a soft body along a path: `size` is its radius at both ends and its flatness."""
    last = max(1, len(thing.path) - 1)
    radii = np.linspace(thing.size[0], thing.size[1], last + 1)
    bones = [
        Rod(
            thing.path[nth],
            thing.path[min(nth + 1, len(thing.path) - 1)],
            float(radii[nth]),
            float(radii[min(nth + 1, last)]),
            flat=thing.size[2],
        )
        for nth in range(last)
    ]
    cell = max(min(thing.size[:2]) / 5, 0.002)
    yield thing.material, make_solid(bones, cell, cell * 4, thing.amount, thing.seed)


def _terrain(thing: Thing) -> Iterator[Part]:
    """Build rolling ground of `size` with hills of height `amount`; `radius` is a hill's width.

    `pose` has rises: name to (x, y, height) of a bank with a radius of `size[2]` metres.
    """
    rng = np.random.default_rng(thing.seed)
    steps = max(2, thing.count)
    line = np.linspace(-0.5, 0.5, steps)
    x, y = np.meshgrid(line * thing.size[0], line * thing.size[1])
    heights = np.zeros_like(x)
    for nth in range(24):
        across = rng.normal(size=2) / (thing.radius * (1 + nth % 3))
        heights += np.sin(x * across[0] + y * across[1] + rng.uniform(0, 6.3)) / 5
    heights *= thing.amount
    for east, north, rise in thing.pose.values():
        away = np.hypot(x - east, y - north) / thing.size[2]
        heights += rise * np.exp(-(away**2))
    yield thing.material, make_terrain((thing.size[0], thing.size[1]), heights)


def _scatter(thing: Thing) -> Iterator[Part]:
    """Scatter `count` flat pieces up to `radius` wide over a rectangle of `size`.

    Option `chips` makes them thick, `blades` makes them upright blades of height `amount`.
    """
    rng = np.random.default_rng(thing.seed)
    for _ in range(thing.count):
        at = (rng.uniform(-0.5, 0.5) * thing.size[0], rng.uniform(-0.5, 0.5) * thing.size[1], 0)
        wide = thing.radius * rng.uniform(0.35, 1)
        turn = rotate(rng.uniform(0, 360), rng.uniform(-12, 12), rng.uniform(-12, 12))
        if "blades" in thing.options:
            tall = thing.amount * rng.uniform(0.5, 1)
            bend = (wide * rng.uniform(-4, 4), wide * rng.uniform(-4, 4), tall)
            blade = make_tube(
                ((0, 0, 0), (bend[0] / 4, bend[1] / 4, tall * 0.6), bend),
                (wide, wide * 0.8, wide * 0.1),
                3,
            )
            yield thing.material, blade.move(at)
            continue
        corners = np.sort(rng.uniform(0, 2 * np.pi, 5))
        ring = [(wide * float(np.cos(t)), wide * float(np.sin(t))) for t in corners]
        thick = wide * 0.8 if "chips" in thing.options else 0.0015
        yield thing.material, make_plate(ring, thick).move(at, turn)


def _dust(thing: Thing) -> Iterator[Part]:
    """Scatter `count` crumbs up to `radius` wide over a rectangle of `size` but for a clean shape.

    `profile` has the half width and half length of the clean rectangle, and its middle.
    """
    rng = np.random.default_rng(thing.seed)
    (half, deep), middle = thing.profile
    for _ in range(thing.count):
        x, y = rng.normal(0, 0.3, 2) * thing.size[:2]
        wide = thing.radius * rng.uniform(0.3, 1)
        if abs(x - middle[0]) < half + wide and abs(y - middle[1]) < deep + wide:
            continue
        corners = np.sort(rng.uniform(0, 2 * np.pi, 5))
        ring = [(wide * float(np.cos(t)), wide * float(np.sin(t))) for t in corners]
        yield thing.material, make_plate(ring, 0.001).move((float(x), float(y), 0))


BODIES: Mapping[str, Builder] = MappingProxyType(
    {
        "box": _box,
        "panel": _panel,
        "round-panel": _round_panel,
        "lathe": _lathe,
        "ball": _ball,
        "tube": _tube,
        "plate": _plate,
        "strip": _strip,
        "solid": _solid,
        "terrain": _terrain,
        "scatter": _scatter,
        "dust": _dust,
    }
)
"""Plain bodies by the name that scenes use."""
