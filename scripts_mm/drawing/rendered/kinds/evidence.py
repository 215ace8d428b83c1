"""What the police put down, and the small things that they find."""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from math import cos, pi, sin
from types import MappingProxyType

import numpy as np

from scripts_mm.drawing.rendered.kinds import Builder, Part
from scripts_mm.drawing.rendered.mesh import (
    Pair,
    make_ball,
    make_box,
    make_lathe,
    make_panel,
    make_round_panel,
    make_tube,
    rotate,
)
from scripts_mm.drawing.rendered.outlines import make_plate, make_strip
from scripts_mm.drawing.rendered.scene_data import Thing

_FALLEN: tuple[Pair, ...] = (
    (-0.92, 0.06), (-0.84, 0.13), (-0.72, 0.11), (-0.66, 0.06), (-0.60, 0.16), (-0.42, 0.42),
    (-0.30, 0.50), (-0.22, 0.44), (-0.34, 0.30), (-0.44, 0.19), (-0.10, 0.15), (0.12, 0.17),
    (0.44, 0.30), (0.78, 0.36), (0.90, 0.30), (0.80, 0.22), (0.46, 0.14), (0.24, 0.02),
    (0.50, -0.02), (0.86, -0.06), (0.94, -0.16), (0.82, -0.16), (0.44, -0.14), (0.10, -0.17),
    (-0.36, -0.19), (-0.44, -0.30), (-0.58, -0.50), (-0.68, -0.54), (-0.70, -0.44), (-0.58, -0.26),
    (-0.58, -0.14), (-0.66, -0.06), (-0.80, -0.10), (-0.90, -0.05),
)  # fmt: skip
"""The outline of a person on the ground, head at -x, 1.86 m long."""


_CARD: Pair = (0.115, 0.13)
"""Width and height of a police card, in metres."""


def _marker(thing: Thing) -> Iterator[Part]:
    """Build a folded card with the sign `label` on both sides, `amount` times its usual size."""
    wide, tall = (side * (thing.amount or 1) for side in _CARD)
    for turn in (0, 180):
        leaf = make_panel(wide, tall, steps=3)
        yield (
            f"marker:{thing.label}",
            leaf.move((0, 0, 0), rotate(turn, -18)).move(
                (0, -tall * 0.31 if turn == 0 else tall * 0.31, 0)
            ),
        )


def _outline(thing: Thing) -> Iterator[Part]:
    """Build the taped outline of a person; `size` stretches it, `radius` is half the tape."""
    line = [(x * thing.size[0], y * thing.size[1]) for x, y in _FALLEN]
    yield thing.material, make_strip(line, thing.radius * 2, closed=True)


def _imprint(thing: Thing) -> Iterator[Part]:
    """Build the dark shape of a person who lay on a floor."""
    ring = _round_ring([(x * thing.size[0], y * thing.size[1]) for x, y in _FALLEN])
    yield thing.material, make_plate(ring, 0.0015)


def _round_ring(ring: list[Pair]) -> list[Pair]:
    """Return a polygon with its corners cut twice."""
    for _ in range(2):
        pairs = pairwise([*ring, ring[0]])
        ring = [
            (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share)
            for a, b in pairs
            for share in (0.25, 0.75)
        ]
    return ring


def _key(thing: Thing) -> Iterator[Part]:
    """Build a key that hangs from its ring, `size[2]` long, facing -y."""
    tall = thing.size[2]
    reach = tall * 0.18
    bow = [(reach * cos(t * pi / 8), 0.0, -reach + reach * sin(t * pi / 8)) for t in range(16)]
    yield thing.material, make_tube(bow, tall * 0.035, 8, closed=True)
    yield thing.material, make_tube(((0, 0, -2 * reach), (0, 0, -tall)), tall * 0.035, 8)
    for share, wide in ((0.98, 0.2), (0.86, 0.14)):
        bit = make_box((tall * wide, tall * 0.04, tall * 0.06), 0.001)
        yield thing.material, bit.move((tall * wide / 2, 0, -tall * share))


def _hook(thing: Thing) -> Iterator[Part]:
    """Build a wall hook that points to -y."""
    tall = thing.size[2]
    path = (
        (0, 0, 0),
        (0, -tall * 0.4, -tall * 0.05),
        (0, -tall * 0.7, -tall * 0.3),
        (0, -tall * 0.8, tall * 0.1),
    )
    yield thing.material, make_tube(path, thing.radius, 10)
    yield thing.material, make_ball(thing.radius * 2.2, 12).move((0, 0, -thing.radius * 2.2))


def _clock(thing: Thing) -> Iterator[Part]:
    """Build a round wall clock facing -y, `size[0]` wide; `other` is the dial's picture."""
    reach = thing.size[0] / 2
    rim = make_lathe(
        ((reach * 0.9, 0), (reach, 0.0), (reach, 0.04), (reach * 0.93, 0.055), (reach * 0.88, 0.03))
    )
    yield thing.material, rim.move((0, 0, reach), rotate(tilt=90))
    yield thing.other, make_round_panel(reach * 0.92).move((0, -0.028, reach))


def _binder(thing: Thing) -> Iterator[Part]:
    """Build a binder of `size` with its back to -y; `label` is the sign on it."""
    wide, deep, tall = thing.size
    yield thing.material, make_box(thing.size, 0.006)
    sign = make_panel(wide * 0.62, tall * 0.36, steps=3)
    yield thing.label, sign.move((0, -deep / 2 - 0.001, tall * 0.5))
    ring = make_lathe(((0.009, 0), (0.013, 0.003), (0.013, 0)), 18)
    yield "metal", ring.move((0, -deep / 2, tall * 0.22), rotate(tilt=90))


def _book(thing: Thing) -> Iterator[Part]:
    """Build a closed book of `size` lying down; `other` is the paper."""
    wide, deep, thick = thing.size
    yield thing.other, make_box((wide - 0.008, deep - 0.012, thick - 0.006)).move((0, 0, 0.003))
    for z in (0, thick - 0.003):
        yield thing.material, make_box((wide, deep, 0.003), 0.001).move((0, 0, z))
    yield thing.material, make_box((0.004, deep, thick), 0.001).move((-wide / 2, 0, 0))


def _open_book(thing: Thing) -> Iterator[Part]:
    """Build an open book of `size` (width, depth, thickness); `label` and `other` are its pages."""
    wide, deep, thick = thing.size
    yield thing.material, make_box((wide + 0.02, deep + 0.016, 0.006), 0.002)
    for side, name in ((-1, thing.label), (1, thing.other)):
        for layer in range(4):
            rise = thick * (layer + 1) / 4
            page = make_panel(wide / 2, deep, 0, 16)
            bent = page.points.copy()
            share = (page.points[:, 0] * side + wide / 4) / (wide / 2)
            bent[:, 1] = -rise * (1 - (1 - share) ** 6) * (1 - 0.18 * share)
            leaf = type(page)(bent, page.faces, page.normals, page.uv)
            yield name, leaf.move((side * wide / 4, -deep / 2, 0.006), rotate(tilt=-90))
        block = make_box((wide / 2 - 0.02, deep - 0.01, thick * 0.75), 0.004)
        yield "paper", block.move((side * (wide / 4 + 0.006), 0, 0.005))


def _star(thing: Thing) -> Iterator[Part]:
    """Build the cracks of a struck pane: `count` crooked rays up to `radius` long, flat."""
    rng = np.random.default_rng(thing.seed)
    for nth in range(thing.count):
        turn = 2 * pi * (nth + rng.uniform(-0.3, 0.3)) / thing.count
        line: list[Pair] = [(0.0, 0.0)]
        for share in np.linspace(0.25, rng.uniform(0.6, 1), 4):
            turn += rng.uniform(-0.16, 0.16)
            far = thing.radius * float(share)
            line.append((far * cos(turn), far * sin(turn)))
        yield thing.material, make_strip(line, thing.amount)
    hub = make_lathe(((0.004, 0.0), (0.006, 0.001), (0.004, 0.001)), 16)
    yield thing.material, hub


def _weight(thing: Thing) -> Iterator[Part]:
    """Build a stage weight along x: a thick iron rod with a ring of `other` and a handle."""
    long, reach = thing.size[0], thing.size[2] / 2
    body = make_lathe(
        (
            (0, 0),
            (reach * 0.9, 0),
            (reach, 0.01),
            (reach, long - 0.01),
            (reach * 0.9, long),
            (0, long),
        ),
        40,
    )
    turned = rotate(roll=90)
    yield thing.material, body.move((-long / 2, 0, reach), turned)
    band = make_lathe(
        (
            (reach + 0.001, 0),
            (reach + 0.002, 0.001),
            (reach + 0.002, long * 0.13),
            (reach + 0.001, long * 0.13),
        ),
        40,
    )
    yield thing.other, band.move((-long * 0.28, 0, reach), turned)
    grip = (
        (long * 0.5, 0, reach * 1.5),
        (long * 0.62, 0, reach * 1.5),
        (long * 0.62, 0, reach * 0.5),
        (long * 0.5, 0, reach * 0.5),
    )
    yield thing.material, make_tube(grip, reach * 0.16, 10)
    sign = make_panel(long * 0.34, reach * 1.3, -0.012, 12)
    yield thing.label, sign.move((long * 0.14, -reach - 0.0005, reach * 0.36))


def _lead_weight(thing: Thing) -> Iterator[Part]:
    """Build a paperweight of lead with a handle of wire."""
    wide, deep, tall = thing.size
    yield thing.material, make_box((wide, deep, tall), 0.012)
    grip = (
        (-wide * 0.3, 0, tall),
        (-wide * 0.25, 0, tall * 1.8),
        (wide * 0.25, 0, tall * 1.8),
        (wide * 0.3, 0, tall),
    )
    yield thing.other, make_tube(grip, 0.005, 10)


def _bulb_mirror(thing: Thing) -> Iterator[Part]:
    """Build a make-up mirror facing -y with bulbs round it; `other` is the glass."""
    wide, deep, tall = thing.size
    rim = 0.075
    for side in (-1, 1):
        post = make_box((rim, deep, tall), 0.008)
        yield thing.material, post.move((side * (wide - rim) / 2, 0, 0))
    for z in (0, tall - rim):
        yield thing.material, make_box((wide, deep, rim), 0.008).move((0, -0.001, z))
    yield thing.other, make_box((wide - rim, 0.008, tall - rim), 0.001).move((0, 0, rim / 2))
    spots = [((nth / 5 - 0.5) * (wide - rim), tall - rim / 2) for nth in range(6)]
    spots += [
        (side * (wide - rim) / 2, tall * share) for side in (-1, 1) for share in (0.2, 0.42, 0.64)
    ]
    for x, z in spots:
        yield "bulb", make_ball(0.026, 16).move((x, -deep / 2 - 0.022, z - 0.026))


EVIDENCE: Mapping[str, Builder] = MappingProxyType(
    {
        "marker": _marker,
        "outline": _outline,
        "imprint": _imprint,
        "key": _key,
        "hook": _hook,
        "clock": _clock,
        "binder": _binder,
        "book": _book,
        "open-book": _open_book,
        "star": _star,
        "weight": _weight,
        "lead-weight": _lead_weight,
        "bulb-mirror": _bulb_mirror,
    }
)
"""Evidence and small things by the name that scenes use."""
