"""Odd things of single cases: crabs, core tubes, icicles, shells, a bell tongue, a bird."""

from collections.abc import Iterator, Mapping
from math import cos, pi, sin
from types import MappingProxyType

import numpy as np

from scripts_mm.drawing.rendered.kinds import Builder, Part
from scripts_mm.drawing.rendered.mesh import (
    Array,
    Mesh,
    make_ball,
    make_box,
    make_lathe,
    make_panel,
    make_tube,
    rotate,
    smooth_normals,
)
from scripts_mm.drawing.rendered.scene_data import Thing
from scripts_mm.drawing.rendered.solid import Rod, make_solid


def _crab(thing: Thing) -> Iterator[Part]:
    """Build a cooked crab `size[0]` wide."""
    reach = thing.size[0] / 2
    body = [Rod((-reach * 0.35, 0, 0.012), (reach * 0.35, 0, 0.012), reach * 0.34, flat=1.2)]
    yield thing.material, make_solid(body, 0.006, 0.01, 0.002, thing.seed)
    for side in (-1, 1):
        for nth in range(4):
            y = reach * (0.3 - 0.2 * nth)
            leg = (
                (side * reach * 0.4, y, 0.014),
                (side * reach * 0.85, y * 1.7, 0.03),
                (side * reach * 1.05, y * 2.1, 0.0),
            )
            yield thing.material, make_tube(leg, (0.006, 0.005, 0.002), 7)
        claw = (
            (side * reach * 0.4, reach * 0.35, 0.016),
            (side * reach * 0.7, reach * 0.8, 0.022),
            (side * reach * 0.3, reach * 1.0, 0.012),
        )
        yield thing.material, make_tube(claw, (0.007, 0.013, 0.003), 8)


def _patch(thing: Thing) -> Iterator[Part]:
    """Build a paper of `size` on the front of a round thing of `radius`."""
    panel = make_panel(thing.size[0], thing.size[2], steps=40)
    turn = panel.points[:, 0] / thing.radius
    points = np.stack(
        [thing.radius * np.sin(turn), -thing.radius * np.cos(turn), panel.points[:, 2]], axis=-1
    )
    normals = np.stack([np.sin(turn), -np.cos(turn), np.zeros_like(turn)], axis=-1)
    yield thing.material, Mesh(points, panel.faces, normals, panel.uv)


def _core_tubes(thing: Thing) -> Iterator[Part]:
    """Build tubes that lie on a shelf with their ends to -y, in `count` places.

    `path` is (number, place, unused) of each; the sign on its end is `label` and the number.
    """
    wide, deep, tall = thing.size
    reach = min(tall, wide / thing.count) / 2 * 0.92
    wall = ((reach * 0.82, 0), (reach, 0), (reach, deep), (reach * 0.82, deep))
    for number, place, _ in thing.path:
        at = ((place + 0.5) / thing.count * wide - wide / 2, deep / 2, reach)
        turned = rotate(tilt=90)
        yield thing.material, make_lathe(wall).move(at, turned)
        end = make_lathe(((0, deep - 0.02), (reach * 0.83, deep - 0.02)))
        yield thing.other, end.move(at, turned)
        sign = make_panel(reach * 1.5, reach * 0.9, steps=3)
        yield f"{thing.label}{number:.0f}", sign.move((at[0], -deep / 2 - 0.004, reach * 0.55))


def _icicles(thing: Thing) -> Iterator[Part]:
    """Build `count` icicles up to `amount` long that hang in a circle or row of `radius`."""
    rng = np.random.default_rng(thing.seed)
    for nth in range(thing.count):
        turn = nth * 2.4
        far = thing.radius * np.sqrt(rng.uniform(0.1, 1))
        long = thing.amount * rng.uniform(0.4, 1)
        wide = long * 0.1 + 0.004
        cone = make_lathe(((0.001, -long), (wide * 0.6, -long * 0.4), (wide, 0), (0, 0.002)), 14)
        x, y = far * np.cos(turn) * thing.size[0], far * np.sin(turn) * thing.size[1]
        yield thing.material, cone.move((x, y, 0))


def _tongue(thing: Thing) -> Iterator[Part]:
    """Build a bell's tongue lying along y, its ring at +y: `size` is its width and length.

    `label` is the picture of what is cast on its ball.
    """
    wide, long = thing.size[0], thing.size[1]
    reach = wide / 2
    profile = (
        (0.018, -long * 0.5),
        (0.022, -long * 0.34),
        (reach * 0.6, -long * 0.31),
        (reach, -long * 0.2),
        (reach, -long * 0.14),
        (reach * 0.62, -long * 0.03),
        (0.03, 0.0),
        (0.017, long * 0.36),
        (0.02, long * 0.38),
    )
    shaft = make_lathe(((0, -long * 0.5), *profile, (0, long * 0.38)), 40)
    yield thing.material, shaft.move((0, 0, reach), rotate(tilt=-90))
    ring = [
        (0.036 * cos(t * pi / 10), long * 0.43 + 0.036 * sin(t * pi / 10), reach) for t in range(20)
    ]
    yield thing.material, make_tube(ring, 0.013, 12, closed=True)
    plate = make_box((reach * 1.25, reach * 0.62, 0.012), 0.004)
    at = (0, -long * 0.17, reach * 1.94)
    yield thing.material, plate.move(at)
    sign = make_panel(reach * 1.2, reach * 0.54, steps=3)
    yield thing.label, sign.move((0, at[1] - reach * 0.27, at[2] + 0.0126), rotate(tilt=-90))


def _tray(thing: Thing) -> Iterator[Part]:
    """Build a flat tray of `size` with a rim."""
    wide, deep, tall = thing.size
    yield thing.material, make_box((wide, deep, 0.004), 0.002)
    for side in (-1, 1):
        yield thing.material, make_box((0.008, deep, tall), 0.003).move((side * wide / 2, 0, 0))
        yield thing.material, make_box((wide, 0.008, tall), 0.003).move((0, side * deep / 2, 0))


def _shell(thing: Thing) -> Iterator[Part]:
    """Build half an oyster shell of `size` on the ground, its hinge at +y, with growth rings.

    `count` rings; `amount` is the depth of its frills, as a share of its radius.
    """
    wide, long, tall = thing.size
    rng = np.random.default_rng(thing.seed)
    phases = rng.uniform(0, 6.3, 5)
    turns = np.linspace(0, 2 * np.pi, 161)
    shares = np.linspace(0.02, 1, 90)
    wave = sum(np.sin(turns * (3 + 4 * nth) + phases[nth]) / (1 + nth) for nth in range(5))
    rows: list[Array] = []
    for share in shares:
        edge = 1 + thing.amount * share * wave
        x = share * edge * np.cos(turns) * wide / 2
        y = share * edge * np.sin(turns) * long / 2 + (1 - share) * long * 0.36
        ridge = np.abs(np.sin(share * thing.count * np.pi + 0.5 * wave)) * tall * 0.16 * share
        z = tall * (1 - share**2.2) + ridge * (1 + 0.6 * wave) + 0.001
        rows.append(np.stack([x, y, z], axis=-1))
    points = np.stack(rows)
    flat = points.reshape(-1, 3)
    count = len(turns)
    at = np.arange(len(flat), dtype=np.int32).reshape(len(shares), count)
    one, two, three, four = at[:-1, :-1], at[:-1, 1:], at[1:, 1:], at[1:, :-1]
    faces = np.concatenate(
        [
            np.stack([one, three, two], -1).reshape(-1, 3),
            np.stack([one, four, three], -1).reshape(-1, 3),
        ]
    )
    uv = np.stack([flat[:, 0] / wide * 0.8 + 0.5, flat[:, 1] / long * 0.8 + 0.5], axis=-1)
    yield thing.material, Mesh(flat, faces, smooth_normals(flat, faces), uv)


def _pigeon(thing: Thing) -> Iterator[Part]:
    """Build a sitting pigeon, 30 cm long, that looks to -y."""
    scale = thing.size
    body = [
        Rod((0, -0.04, 0.09), (0, 0.07, 0.075), 0.06, 0.045),
        Rod((0, 0.07, 0.07), (0, 0.17, 0.05), 0.03, 0.012, flat=1),
    ]
    yield thing.material, make_solid(body, 0.008, 0.03).scale(scale)
    throat = [Rod((0, -0.06, 0.12), (0, -0.085, 0.175), 0.04, 0.03)]
    yield thing.other, make_solid(throat, 0.007, 0.02).scale(scale)
    head = make_ball(0.032, 18).move((0, -0.095, 0.16)).scale(scale)
    yield thing.material, head
    beak = make_tube(((0, -0.12, 0.19), (0, -0.15, 0.183)), (0.009, 0.002), 8).scale(scale)
    yield thing.parts["beak"], beak
    for side in (-1, 1):
        eye = make_ball(0.006, 10).move((side * 0.026, -0.108, 0.19)).scale(scale)
        yield "eye", eye
        leg = make_tube(((side * 0.025, -0.01, 0.04), (side * 0.03, -0.02, 0)), 0.005, 8).scale(
            scale
        )
        yield thing.parts["beak"], leg
        wing = [Rod((side * 0.052, -0.03, 0.095), (side * 0.03, 0.14, 0.07), 0.028, 0.01)]
        yield thing.material, make_solid(wing, 0.007, 0.01, 0.002, 3).scale(scale)


EXHIBITS: Mapping[str, Builder] = MappingProxyType(
    {
        "crab": _crab,
        "lathe-patch": _patch,
        "core-tubes": _core_tubes,
        "icicles": _icicles,
        "tongue": _tongue,
        "tray": _tray,
        "shell": _shell,
        "pigeon": _pigeon,
    }
)
"""Odd things by the name that scenes use."""
