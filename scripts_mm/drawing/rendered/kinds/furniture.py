"""Furniture: tables, chairs, stools, cupboards, shelves, a couch, a bed, a rack."""

from collections.abc import Iterator, Mapping
from itertools import product
from types import MappingProxyType

from scripts_mm.drawing.rendered.kinds import Builder, Part
from scripts_mm.drawing.rendered.mesh import make_ball, make_box, make_lathe, make_tube, rotate
from scripts_mm.drawing.rendered.scene_data import Thing
from scripts_mm.drawing.rendered.solid import Rod, make_solid

_TWO_HANDLES = 0.7
"""Width of a drawer above which it has two handles, in metres."""


def _table(thing: Thing) -> Iterator[Part]:
    """Build a table of `size` with square legs; `radius` is half a leg's width."""
    wide, deep, tall = thing.size
    leg = thing.radius * 2
    yield thing.material, make_box((wide, deep, 0.035), 0.006).move((0, 0, tall - 0.035))
    x, y = wide / 2 - leg * 1.2, deep / 2 - leg * 1.2
    for one, two in product((-1, 1), repeat=2):
        yield thing.material, make_box((leg, leg, tall - 0.035)).move((one * x, two * y, 0))
    for side in (-1, 1):
        apron = make_box((2 * x, 0.022, 0.1))
        yield thing.material, apron.move((0, side * y, tall - 0.135))
        end = make_box((0.022, 2 * y, 0.1))
        yield thing.material, end.move((side * x, 0, tall - 0.135))


def _chair(thing: Thing) -> Iterator[Part]:
    """Build a wooden chair with its back at y > 0; `other` is the seat's material."""
    wide, deep, tall = thing.size
    seat = tall * 0.5
    yield thing.other, make_box((wide, deep, 0.05), 0.015).move((0, 0, seat - 0.03))
    for x, y in product((-1, 1), repeat=2):
        high = tall if y > 0 else seat
        path = (
            (x * wide * 0.46, y * deep * 0.46, 0),
            (x * wide * 0.44, y * deep * 0.44, seat),
            (x * wide * 0.44, deep * 0.52 * (1 if y > 0 else -1), high),
        )
        yield thing.material, make_tube(path, (0.016, 0.02, 0.015), 12)
    for z in (0.22, 0.3):
        for side in (-1, 1):
            bar = (
                (-wide * 0.45, side * deep * 0.45, z * seat * 2),
                (wide * 0.45, side * deep * 0.45, z * seat * 2),
            )
            yield thing.material, make_tube(bar, 0.011, 10)
    for share in (0.68, 0.82, 0.96):
        slat = make_box((wide * 0.9, 0.018, 0.06), 0.006)
        y = deep * (0.44 + 0.08 * (share - 0.5) * 2)
        yield thing.material, slat.move((0, y, tall * share - 0.03))


def _stool(thing: Thing) -> Iterator[Part]:
    """Build a round stool: `size` is its width, unused, its height."""
    reach, tall = thing.size[0] / 2, thing.size[2]
    top = make_lathe(
        (
            (0, tall),
            (reach * 0.9, tall),
            (reach, tall - 0.012),
            (reach, tall - 0.03),
            (reach * 0.9, tall - 0.045),
            (0, tall - 0.045),
        )
    )
    yield thing.material, top
    apron = make_lathe(((reach * 0.8, tall - 0.045), (reach * 0.8, tall - 0.11)))
    yield thing.material, apron
    for x, y in product((-1, 1), repeat=2):
        path = (
            (x * reach * 0.54, y * reach * 0.54, tall - 0.05),
            (x * reach * 0.64, y * reach * 0.64, tall * 0.5),
            (x * reach * 0.6, y * reach * 0.6, 0),
        )
        yield thing.material, make_tube(path, (0.02, 0.018, 0.016), 10)
    ring = [
        (x * reach * 0.6, y * reach * 0.6, tall * 0.3)
        for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]
    for one, two in zip(ring, (*ring[1:], ring[0]), strict=True):
        yield thing.material, make_tube((one, two), 0.01, 8)


def _cabinet(thing: Thing) -> Iterator[Part]:
    """Build a cupboard of `size` with `count` drawers; `other` is the handles' material."""
    wide, deep, tall = thing.size
    yield thing.material, make_box(thing.size, 0.008)
    yield thing.material, make_box((wide + 0.04, deep + 0.03, 0.025)).move((0, 0, tall))
    high = (tall - 0.08) / thing.count
    for nth in range(thing.count):
        z = 0.06 + nth * high
        drawer = make_box((wide - 0.05, 0.02, high - 0.015), 0.006)
        yield thing.material, drawer.move((0, -deep / 2, z))
        for x in (-0.25, 0.25) if wide > _TWO_HANDLES else (0,):
            pull = make_tube(
                ((-0.05, 0, 0), (-0.045, -0.03, -0.008), (0.045, -0.03, -0.008), (0.05, 0, 0)),
                0.006,
                8,
            )
            yield thing.other, pull.move((x * wide, -deep / 2 - 0.01, z + high * 0.55))


def _shelf(thing: Thing) -> Iterator[Part]:
    """Build a board on two brackets at a wall."""
    wide, deep, thick = thing.size
    yield thing.material, make_box(thing.size)
    for side in (-1, 1):
        path = ((0, deep / 2, -0.16), (0, deep / 2, 0), (0, -deep * 0.4, 0))
        x = side * wide * 0.38
        yield thing.other, make_tube(path, 0.008, 8).move((x, 0, -0.008))
        brace = make_tube(((0, deep / 2, -0.14), (0, -deep * 0.3, -0.01)), 0.007, 8)
        yield thing.other, brace.move((x, 0, -thick * 0.2))


def _couch(thing: Thing) -> Iterator[Part]:
    """Build an upholstered couch of `size`, facing -y, on wooden feet `radius` high."""
    wide, deep, tall = thing.size
    high = thing.radius
    soft = thing.amount or 0.05
    back = _cushion(
        (-wide * 0.44, deep * 0.34, high + soft), (wide * 0.44, tall - soft), soft * 1.8
    )
    yield thing.material, make_solid(back, 0.022, 0.08, 0.002, 1)
    for side in (-1, 1):
        arm = [
            Rod((side * wide * 0.45, -deep * 0.4, z), (side * wide * 0.45, deep * 0.35, z), 0.09)
            for z in (high + 0.09, high + 0.2, tall * 0.66)
        ]
        yield thing.material, make_solid(arm, 0.022, 0.08, 0.002, 2)
    base = make_box((wide * 0.86, deep * 0.8, 0.14), 0.04)
    yield thing.material, base.move((0, 0, high))
    for side in (-1, 1):
        seat = make_box((wide * 0.41, deep * 0.74, 0.14), 0.05)
        yield thing.material, seat.move((side * wide * 0.208, -deep * 0.06, high + 0.13))
    for x, y in product((-1, 1), repeat=2):
        foot = make_lathe(((0.02, 0), (0.035, high)), 14)
        yield thing.other, foot.move((x * wide * 0.42, y * deep * 0.38, 0))
    for x, z in product((-0.28, 0, 0.28), (0.62, 0.8)):
        button = make_ball(0.014, 12)
        yield thing.other, button.move((x * wide, deep * 0.34 - soft * 1.75, tall * z))


def _cushion(low: tuple[float, float, float], high: tuple[float, float], soft: float) -> list[Rod]:
    """Return bones of an upright slab from a lower left to an upper right corner."""
    x, y, z = low
    rows = [z + (high[1] - z) * share for share in (0, 0.33, 0.66, 1)]
    return [Rod((x, y, row), (high[0], y, row), soft) for row in rows]


def _make_bed(thing: Thing) -> Iterator[Part]:
    """Build an iron bed along x, its head at +x, with a mattress of `other` and a pillow."""
    wide, deep, tall = thing.size
    for end, high in ((-1, tall * 1.5), (1, tall * 1.9)):
        x = end * wide / 2
        for side in (-1, 1):
            y = side * deep / 2
            yield thing.material, make_tube(((x, y, 0.08), (x, y, high)), 0.022, 14)
            wheel = make_lathe(((0, 0), (0.04, 0), (0.04, 0.03), (0, 0.03)), 20)
            yield "rubber", wheel.move((x, y + 0.015, 0.045), rotate(tilt=90))
        for share in (0.55, 1.0):
            bar = ((x, -deep / 2, high * share), (x, deep / 2, high * share))
            yield thing.material, make_tube(bar, 0.018, 12)
        for nth in range(1, 6):
            y = (nth / 6 - 0.5) * deep
            yield thing.material, make_tube(((x, y, high * 0.55), (x, y, high)), 0.009, 8)
    frame = make_box((wide, deep, 0.05))
    yield thing.material, frame.move((0, 0, tall * 0.62))
    mattress = make_box((wide * 0.97, deep * 0.96, 0.15), 0.05)
    yield thing.other, mattress.move((0, 0, tall * 0.62 + 0.05))
    pillow = [
        Rod((wide * 0.36, -deep * 0.28, 0), (wide * 0.36, deep * 0.28, 0), 0.085),
        Rod((wide * 0.44, -deep * 0.28, 0.01), (wide * 0.44, deep * 0.28, 0.01), 0.075),
    ]
    soft = make_solid(pillow, 0.015, 0.09, 0.006, 4)
    yield "sheet", soft.move((-0.02, 0, tall * 0.62 + 0.255))


def _rack(thing: Thing) -> Iterator[Part]:
    """Build a clothes rack of steel rods, `size` (width, depth, height)."""
    wide, deep, tall = thing.size
    for side in (-1, 1):
        x = side * wide / 2
        yield thing.material, make_tube(((x, 0, 0.05), (x, 0, tall)), 0.014, 12)
        yield thing.material, make_tube(((x, -deep / 2, 0.05), (x, deep / 2, 0.05)), 0.014, 12)
    yield thing.material, make_tube(((-wide / 2, 0, tall), (wide / 2, 0, tall)), 0.014, 12)


FURNITURE: Mapping[str, Builder] = MappingProxyType(
    {
        "table": _table,
        "chair": _chair,
        "stool": _stool,
        "cabinet": _cabinet,
        "shelf": _shelf,
        "couch": _couch,
        "bed": _make_bed,
        "rack": _rack,
    }
)
"""Furniture by the name that scenes use."""
