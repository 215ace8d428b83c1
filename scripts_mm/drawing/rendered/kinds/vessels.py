"""Crockery, bottles and other turned things."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from scripts_mm.drawing.rendered.kinds import Builder, Part
from scripts_mm.drawing.rendered.mesh import (
    Pair,
    make_lathe,
    make_tube,
)
from scripts_mm.drawing.rendered.scene_data import Thing

_WALL = 0.003
"""Thickness of china, in metres."""


def _disc(radius: float, height: float) -> tuple[Pair, ...]:
    return ((0, height), (radius, height))


def _cup(thing: Thing) -> Iterator[Part]:
    """Build a cup of `size` (width, unused, height); `other` fills it up to share `amount`.

    Options: `saucer` below it, `handle` at its right.
    """
    reach, tall = thing.size[0] / 2, thing.size[2]
    lift = 0.008 if "saucer" in thing.options else 0
    low = reach * 0.62
    outside = (
        (0, 0),
        (low * 0.8, 0),
        (low * 0.8, 0.005),
        (low, 0.006),
        (reach * 0.92, tall * 0.5),
        (reach, tall),
        (reach - _WALL, tall),
        (reach * 0.92 - _WALL, tall * 0.5),
        (low - _WALL, 0.012),
        (0, 0.012),
    )
    yield thing.material, make_lathe(outside).move((0, 0, lift))
    if thing.amount:
        level = tall * thing.amount
        width = low + (reach - low) * thing.amount
        yield thing.other, make_lathe(_disc(width - _WALL * 0.6, level)).move((0, 0, lift))
    if "saucer" in thing.options:
        yield thing.material, make_lathe(_plate_profile(reach * 1.75, 0.014))
    if "handle" in thing.options:
        path = (
            (reach * 0.92, 0, tall * 0.82),
            (reach * 1.5, 0, tall * 0.8),
            (reach * 1.6, 0, tall * 0.5),
            (reach * 1.3, 0, tall * 0.28),
            (reach * 0.85, 0, tall * 0.3),
        )
        yield thing.material, make_tube(path, reach * 0.11, 10).move((0, 0, lift))


def _plate_profile(reach: float, rise: float) -> tuple[Pair, ...]:
    return (
        (0, 0),
        (reach * 0.55, 0),
        (reach * 0.6, 0.003),
        (reach, rise),
        (reach, rise + 0.002),
        (reach * 0.62, 0.007),
        (0, 0.006),
    )


def _plate(thing: Thing) -> Iterator[Part]:
    """Build a plate `size[0]` wide; `other` is a low heap of food `amount` high."""
    reach = thing.size[0] / 2
    yield thing.material, make_lathe(_plate_profile(reach, thing.size[2]))
    if thing.amount:
        heap = (
            (0, thing.amount),
            (reach * 0.3, thing.amount * 0.9),
            (reach * 0.55, 0.012),
            (reach * 0.58, 0.006),
        )
        yield thing.other, make_lathe(heap)


def _bowl(thing: Thing) -> Iterator[Part]:
    """Build a bowl of `size` (width, unused, height)."""
    reach, tall = thing.size[0] / 2, thing.size[2]
    low = reach * 0.42
    yield (
        thing.material,
        make_lathe(
            (
                (0, 0),
                (low, 0),
                (low, tall * 0.12),
                (reach * 0.75, tall * 0.45),
                (reach, tall),
                (reach - _WALL, tall),
                (reach * 0.72, tall * 0.48),
                (low * 0.9, tall * 0.2),
                (0, tall * 0.17),
            )
        ),
    )


def _bottle(thing: Thing) -> Iterator[Part]:
    """Build a bottle of `size` (width, unused, height) with its cork ("cork").

    `other` fills it up to share `amount`; `label` is a paper round it between two shares of its
    height, in `profile` as (low, high) pairs, of the material of that name.
    """
    reach, tall = thing.size[0] / 2, thing.size[2]
    neck = reach * 0.36
    glass = (
        (0, 0),
        (reach * 0.94, 0),
        (reach, 0.008),
        (reach, tall * 0.6),
        (reach * 0.85, tall * 0.68),
        (neck, tall * 0.76),
        (neck, tall * 0.93),
        (neck * 1.25, tall * 0.935),
        (neck * 1.25, tall * 0.97),
        (neck, tall * 0.975),
    )
    yield thing.material, make_lathe(glass, 64)
    if thing.amount:
        level = tall * thing.amount
        inner = reach - 0.003
        fill = ((0, 0.006), (inner, 0.008), (inner, level), (0, level))
        yield thing.other, make_lathe(fill, 64)
    cork = ((0, tall * 0.9), (neck * 0.8, tall * 0.9), (neck * 0.9, tall * 1.03), (0, tall * 1.03))
    yield "cork", make_lathe(cork, 32)
    for low, high in thing.profile:
        paper = ((reach + 0.0008, tall * low), (reach + 0.0008, tall * high))
        yield thing.label, make_lathe(paper, 64)


def _pot(thing: Thing) -> Iterator[Part]:
    """Build a pot with lid, spout and handle, `size` (width, unused, height)."""
    reach, tall = thing.size[0] / 2, thing.size[2]
    body = (
        (0, 0),
        (reach * 0.6, 0),
        (reach * 0.98, tall * 0.3),
        (reach, tall * 0.45),
        (reach * 0.7, tall * 0.75),
        (reach * 0.5, tall * 0.8),
        (reach * 0.48, tall * 0.84),
        (reach * 0.2, tall * 0.92),
        (reach * 0.1, tall * 0.93),
        (reach * 0.13, tall),
        (0, tall),
    )
    yield thing.material, make_lathe(body)
    spout = (
        (reach * 0.85, 0, tall * 0.3),
        (reach * 1.3, 0, tall * 0.5),
        (reach * 1.55, 0, tall * 0.82),
    )
    yield thing.material, make_tube(spout, (reach * 0.24, reach * 0.15, reach * 0.1), 14)
    grip = (
        (-reach * 0.85, 0, tall * 0.68),
        (-reach * 1.5, 0, tall * 0.72),
        (-reach * 1.6, 0, tall * 0.45),
        (-reach * 1.3, 0, tall * 0.25),
        (-reach * 0.9, 0, tall * 0.24),
    )
    yield thing.material, make_tube(grip, reach * 0.1, 12)


def _burner(thing: Thing) -> Iterator[Part]:
    """Build an incense burner on three feet with the stump of a stick ("stick")."""
    reach, tall = thing.size[0] / 2, thing.size[2]
    for x, y in ((0, 0.7), (0.6, -0.4), (-0.6, -0.4)):
        foot = make_lathe(((0.006, 0), (0.009, tall * 0.3)), 12)
        yield thing.material, foot.move((x * reach, y * reach, 0))
    yield (
        thing.material,
        make_lathe(
            (
                (0, tall * 0.2),
                (reach * 0.8, tall * 0.25),
                (reach, tall * 0.6),
                (reach * 0.86, tall * 0.9),
                (reach, tall),
                (reach * 0.9, tall),
                (reach * 0.8, tall * 0.8),
            )
        ),
    )
    yield thing.other, make_lathe(((0, tall * 0.92), (reach * 0.86, tall * 0.84)))
    for side in (-1, 1):
        ear = (
            (side * reach * 0.95, 0, tall * 0.7),
            (side * reach * 1.35, 0, tall * 0.95),
            (side * reach * 1.2, 0, tall * 1.15),
            (side * reach * 0.9, 0, tall * 0.98),
        )
        yield thing.material, make_tube(ear, reach * 0.09, 10)
    yield "stick", make_tube(((0, 0, tall * 0.8), (0.003, 0, tall + thing.amount)), 0.0018, 8)


def _lantern(thing: Thing) -> Iterator[Part]:
    """Build a lantern of `size`; `other` is its glowing glass."""
    wide, tall = thing.size[0], thing.size[2]
    reach = wide / 2
    yield thing.material, make_lathe(((0, 0), (reach, 0), (reach, tall * 0.1), (0, tall * 0.1)), 24)
    yield (
        thing.other,
        make_lathe(
            (
                (0, tall * 0.12),
                (reach * 0.5, tall * 0.14),
                (reach * 0.62, tall * 0.4),
                (reach * 0.4, tall * 0.66),
            ),
            24,
        ),
    )
    yield (
        thing.material,
        make_lathe(((reach * 0.95, tall * 0.68), (reach * 0.4, tall * 0.86), (0, tall * 0.9)), 24),
    )
    for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        bar = (
            (x * reach * 0.85, y * reach * 0.85, 0),
            (x * reach * 0.85, y * reach * 0.85, tall * 0.7),
        )
        yield thing.material, make_tube(bar, 0.008, 8)
    ring = make_tube(
        (
            (-reach * 0.5, 0, tall * 0.86),
            (-reach * 0.3, 0, tall * 1.1),
            (0, 0, tall * 1.17),
            (reach * 0.3, 0, tall * 1.1),
            (reach * 0.5, 0, tall * 0.86),
        ),
        0.008,
        8,
    )
    yield thing.material, ring


VESSELS: Mapping[str, Builder] = MappingProxyType(
    {
        "cup": _cup,
        "dish": _plate,
        "bowl": _bowl,
        "bottle": _bottle,
        "pot": _pot,
        "burner": _burner,
        "lantern": _lantern,
    }
)
"""Vessels by the name that scenes use."""
