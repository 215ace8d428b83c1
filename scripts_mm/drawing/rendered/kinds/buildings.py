"""Rooms and what is fixed to them: walls, windows, doors, stairs, stoves, pipes."""

from collections.abc import Iterator, Mapping
from math import cos, radians, sin
from types import MappingProxyType

from scripts_mm.drawing.rendered.kinds import Builder, Part
from scripts_mm.drawing.rendered.mesh import make_box, make_lathe, make_panel, make_tube, rotate
from scripts_mm.drawing.rendered.outlines import make_plate
from scripts_mm.drawing.rendered.scene_data import Thing

_THICK = 0.1
"""Thickness of walls and floors, in metres."""


def _room(thing: Thing) -> Iterator[Part]:
    """Build a room of `size` with its back wall at y = `size[1]`, open to the camera.

    `material` is the walls, `other` the floor, "ceiling" the ceiling; `amount` is the height of the
    skirting, of material "trim". Option `open` leaves out the ceiling, `left` and `right` a wall.
    """
    wide, deep, tall = thing.size
    floor = make_box((wide, deep, _THICK), 0.001)
    yield thing.other, floor.move((0, deep / 2, -_THICK))
    wall = make_box((wide, _THICK, tall), 0.001)
    yield thing.material, wall.move((0, deep + _THICK / 2, 0))
    side = make_box((_THICK, deep, tall), 0.001)
    for sign, name in ((-1, "left"), (1, "right")):
        if name not in thing.options:
            yield thing.material, side.move((sign * (wide + _THICK) / 2, deep / 2, 0))
    if "open" not in thing.options:
        yield "ceiling", floor.move((0, deep / 2, tall))
    if thing.amount:
        yield "trim", make_box((wide, 0.02, thing.amount)).move((0, deep - 0.01, 0))
        for sign in (-1, 1):
            trim = make_box((0.02, deep, thing.amount))
            yield "trim", trim.move((sign * (wide / 2 - 0.01), deep / 2, 0))


def _window(thing: Thing) -> Iterator[Part]:
    """Build a window of `size` in a wall, with `count` panes across and two up."""
    wide, deep, tall = thing.size
    bar = 0.045
    yield thing.other, make_panel(wide, tall).move((0, 0.0, 0))
    for nth in range(thing.count + 1):
        x = (nth / thing.count - 0.5) * wide
        thick = bar * (1.6 if nth in (0, thing.count) else 0.7)
        yield thing.material, make_box((thick, deep, tall)).move((x, -deep / 2, 0))
    for share, thick in ((0, 1.6), (0.5, 0.7), (1, 1.6)):
        rail = make_box((wide + bar * 1.6, deep, bar * thick))
        yield thing.material, rail.move((0, -deep / 2 - 0.001, share * tall - bar * thick / 2))
    sill = make_box((wide + 0.2, 0.16, 0.03))
    yield thing.material, sill.move((0, -0.08, -bar - 0.03))


def _casement(thing: Thing) -> Iterator[Part]:
    """Build a window wing of `size`, hinged at x = 0, with a cross bar; `other` is its glass."""
    wide, deep, tall = thing.size
    bar = 0.05
    yield thing.other, make_panel(wide, tall, steps=3).move((wide / 2, 0, 0))
    for x in (bar / 2, wide - bar / 2):
        yield thing.material, make_box((bar, deep, tall)).move((x, 0, 0))
    for share, thick in ((0, bar), (0.5, bar * 0.6), (1, bar)):
        rail = make_box((wide, deep * 0.98, thick))
        yield thing.material, rail.move((wide / 2, 0, share * (tall - thick)))
    handle = make_tube(((0, 0, 0), (0, -0.04, 0), (0, -0.045, -0.1)), 0.009, 8)
    yield "brass", handle.move((wide - bar / 2, -deep / 2, tall * 0.5))


def _pulley(thing: Thing) -> Iterator[Part]:
    """Build a grooved wheel facing -y in its fork."""
    reach = thing.radius
    wheel = make_lathe(
        (
            (0, 0.03),
            (reach * 0.3, 0.03),
            (reach * 0.35, 0.022),
            (reach * 0.8, 0.022),
            (reach, 0.034),
            (reach * 0.9, 0.018),
            (reach, 0.0),
            (0, 0),
        ),
        36,
    )
    yield thing.material, wheel.move((0, 0, 0), rotate(tilt=90))
    yield thing.other, make_box((0.03, 0.008, reach * 1.5)).move((0, -0.04, -0.01))
    yield thing.other, make_box((0.03, 0.06, 0.02)).move((0, -0.015, reach * 1.45))


def _door(thing: Thing) -> Iterator[Part]:
    """Build a shut door of `size` with its frame and a handle; `count` panels."""
    wide, deep, tall = thing.size
    yield thing.material, make_box((wide, deep, tall)).move((0, 0, 0))
    for nth in range(thing.count):
        high = (tall - 0.2) / thing.count - 0.12
        z = 0.16 + nth * (high + 0.12)
        for side in (-1, 1):
            inner = make_box((wide * 0.32, 0.016, high), 0.008)
            yield thing.material, inner.move((side * wide * 0.22, -deep / 2, z))
    for side in (-1, 1):
        post = make_box((0.09, deep + 0.06, tall + 0.09))
        yield thing.other, post.move((side * (wide / 2 + 0.045), 0, 0))
    yield thing.other, make_box((wide + 0.18, deep + 0.06, 0.09)).move((0, 0, tall))
    knob = make_lathe(((0.0, 0.07), (0.024, 0.06), (0.028, 0.045), (0.012, 0.03), (0.012, 0)))
    turned = rotate(tilt=90)
    yield "knob", knob.move((wide * 0.42, -deep / 2, tall * 0.48), turned)


def _stove(thing: Thing) -> Iterator[Part]:
    """Build an iron stove with its pipe; `size` is width, depth and height of the body."""
    wide, deep, tall = thing.size
    body = make_box((wide, deep, tall), 0.03)
    yield thing.material, make_box((wide * 1.6, deep * 1.7, 0.02)).move((0, 0, 0))
    yield thing.material, body.move((0, 0, 0.12))
    for x in (-1, 1):
        for y in (-1, 1):
            leg = make_lathe(((0.018, 0), (0.03, 0.13)), 16)
            yield thing.material, leg.move((x * wide * 0.36, y * deep * 0.36, 0.015))
    top = make_box((wide * 1.12, deep * 1.12, 0.03), 0.01)
    yield thing.material, top.move((0, 0, tall + 0.12))
    door = make_box((wide * 0.56, 0.03, tall * 0.3), 0.008)
    yield thing.material, door.move((0, -deep / 2, tall * 0.5 + 0.12))
    for nth in range(4):
        slot = make_box((wide * 0.09, 0.01, tall * 0.16), 0.003)
        x = (nth - 1.5) * wide * 0.125
        yield thing.other, slot.move((x, -deep / 2 - 0.012, tall * 0.57 + 0.12))
    latch = make_tube(((0, 0, 0), (0.06, -0.03, -0.02), (0.1, -0.03, -0.02)), 0.008)
    yield thing.material, latch.move((wide * 0.2, -deep / 2, tall * 0.62 + 0.12))
    low = make_box((wide * 0.6, 0.02, tall * 0.13), 0.006)
    yield thing.material, low.move((0, -deep / 2, tall * 0.18 + 0.12))
    pipe = make_lathe(((thing.radius, 0), (thing.radius, thing.amount)), 28)
    yield thing.material, pipe.move((0, deep * 0.15, tall + 0.15))
    for share in (0.25, 0.7):
        ring = make_lathe(
            (
                (thing.radius, 0),
                (thing.radius + 0.008, 0.01),
                (thing.radius + 0.008, 0.04),
                (thing.radius, 0.05),
            ),
            28,
        )
        yield thing.material, ring.move((0, deep * 0.15, tall + 0.15 + share * thing.amount))


def _spiral_stair(thing: Thing) -> Iterator[Part]:
    """Build an iron spiral stair with `count` steps, `size` (width, unused, height)."""
    reach, tall = thing.size[0] / 2, thing.size[2]
    yield thing.material, make_tube(((0, 0, 0), (0, 0, tall)), 0.045, 16)
    rail: list[tuple[float, float, float]] = []
    for nth in range(thing.count):
        turn = nth * 27 + thing.amount
        near, far = (radians(turn), radians(turn + 30))
        z = (nth + 1) * tall / (thing.count + 1)
        step = [
            (0.03 * cos(near), 0.03 * sin(near)),
            (reach * cos(near), reach * sin(near)),
            (reach * cos(far), reach * sin(far)),
            (0.03 * cos(far), 0.03 * sin(far)),
        ]
        yield thing.material, make_plate(step, 0.03).move((0, 0, z))
        foot = (reach * 0.96 * cos(near), reach * 0.96 * sin(near), z)
        head = (foot[0], foot[1], z + 0.9)
        yield thing.material, make_tube((foot, head), 0.011, 8)
        rail.append(head)
    yield thing.material, make_tube(rail, 0.018, 10)


def _fence(thing: Thing) -> Iterator[Part]:
    """Build posts with rails over `size[0]` metres, `size[2]` high, `count` posts."""
    wide, deep, tall = thing.size
    for nth in range(thing.count):
        x = (nth / (thing.count - 1) - 0.5) * wide
        yield thing.material, make_box((deep, deep, tall)).move((x, 0, 0))
    for share in (0.55, 1.0):
        yield thing.material, make_box((wide + deep, deep * 0.8, deep)).move((0, 0, tall * share))


BUILDINGS: Mapping[str, Builder] = MappingProxyType(
    {
        "room": _room,
        "window": _window,
        "casement": _casement,
        "pulley": _pulley,
        "door": _door,
        "stove": _stove,
        "spiral-stair": _spiral_stair,
        "fence": _fence,
    }
)
"""Rooms and their fixtures by the name that scenes use."""
