"""Cloth: curtains, towels, coats, blankets, table-cloths, flags, hats, ropes."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

import numpy as np

from scripts_mm.drawing.rendered.kinds import Builder, Part
from scripts_mm.drawing.rendered.mesh import (
    Array,
    Mesh,
    make_lathe,
    make_panel,
    make_tube,
    smooth_normals,
    unit,
)
from scripts_mm.drawing.rendered.scene_data import Thing
from scripts_mm.drawing.rendered.solid import Rod, make_solid


def _bend(panel: Mesh, depth: Array) -> Mesh:
    """Return a panel moved forward (to -y) by a depth at each point, in metres, with its cloth."""
    points = panel.points.copy()
    points[:, 1] -= depth
    uv = points[:, [0, 2]].copy()
    return Mesh(points, panel.faces, smooth_normals(points, panel.faces), uv)


def _curtain(thing: Thing) -> Iterator[Part]:
    """Build a hanging cloth of `size` (width, depth of its folds, height) with `count` folds."""
    wide, deep, tall = thing.size
    panel = make_panel(wide, tall, steps=90)
    x, z = panel.points[:, 0] / wide, panel.points[:, 2] / tall
    sway = 0.25 * np.sin(x * 17 + thing.seed) + 0.12 * np.sin(z * 5 + x * 9)
    folds = np.sin(2 * np.pi * (thing.count * x + sway))
    yield thing.material, _bend(panel, deep * 0.5 * folds * (0.7 + 0.3 * (1 - z)))


def _towel(thing: Thing) -> Iterator[Part]:
    """Build a cloth that hangs from one point at its top."""
    wide, deep, tall = thing.size
    panel = make_panel(wide, tall, steps=60)
    points = panel.points.copy()
    z = points[:, 2] / tall
    x = points[:, 0] / wide
    points[:, 0] *= 0.28 + 0.72 * (1 - z) ** 0.7
    gathered = Mesh(points, panel.faces, panel.normals, panel.uv)
    folds = deep * np.cos(2 * np.pi * thing.count * x) * (0.35 + 0.65 * z)
    yield thing.material, _bend(gathered, deep + folds)


def _blanket(thing: Thing) -> Iterator[Part]:
    """Build a cloth over a slab of `size` that hangs down by `amount` at its long sides."""
    wide, deep, high = thing.size
    total = deep + 2 * thing.amount
    panel = make_panel(wide, total, steps=110)
    rng = np.random.default_rng(thing.seed)
    x, across = panel.points[:, 0], panel.points[:, 2] - total / 2
    inside = np.clip(across, -deep / 2, deep / 2)
    over = np.abs(across) - deep / 2
    fall = np.where(over > 0, over, 0)
    folds = np.zeros_like(x)
    for nth in range(9):
        wave = rng.normal(size=2) * (9 + nth)
        folds += np.sin(x * wave[0] + across * wave[1] + rng.uniform(0, 6)) / (4 + nth)
    hang = np.sin(x * 21 + thing.seed) * fall * 0.25
    points = np.stack(
        [
            x + 0.01 * folds,
            inside + np.sign(across) * (0.012 * (fall > 0) + hang + 0.02 * fall),
            high + thing.radius * folds * (fall == 0) - fall,
        ],
        axis=-1,
    )
    uv = np.stack([x, across], axis=-1)
    yield thing.material, Mesh(points, panel.faces, smooth_normals(points, panel.faces), uv)


def _round_cloth(thing: Thing) -> Iterator[Part]:
    """Build a table-cloth on a round table: `size` (width, hang, height of the table)."""
    reach, hang, high = thing.size[0] / 2, thing.size[1], thing.size[2]
    turns = np.linspace(0, 2 * np.pi, 241)
    rings: list[Array] = [
        np.stack(
            [
                reach * share * np.cos(turns),
                reach * share * np.sin(turns),
                np.full_like(turns, high),
            ],
            axis=-1,
        )
        for share in (0.0, 0.5, 0.97, 0.995)
    ]
    for share in np.linspace(0.02, 1, 14):
        folds = 0.055 * share * np.cos(turns * thing.count + 0.6 * np.sin(turns * 3))
        far = reach * (1.002 + 0.03 * share) + folds
        rings.append(
            np.stack(
                [
                    far * np.cos(turns),
                    far * np.sin(turns),
                    high - hang * share * np.ones_like(turns),
                ],
                axis=-1,
            )
        )
    points = np.stack(rings)
    yield thing.material, _loft(points)


def _loft(points: Array) -> Mesh:
    """Return the surface through rings of points."""
    rows, columns, _ = points.shape
    at = np.arange(rows * columns, dtype=np.int32).reshape(rows, columns)
    one, two, three, four = at[:-1, :-1], at[:-1, 1:], at[1:, 1:], at[1:, :-1]
    faces = np.concatenate(
        [
            np.stack([one, three, two], -1).reshape(-1, 3),
            np.stack([one, four, three], -1).reshape(-1, 3),
        ]
    )
    flat = points.reshape(-1, 3)
    return Mesh(flat, faces, smooth_normals(flat, faces), flat[:, :2].copy())


def _coat(thing: Thing) -> Iterator[Part]:
    """Build a coat on a hanger, `size` (width, depth, length), facing -y, top at z = 0."""
    wide, deep, tall = thing.size
    yield "metal", make_tube(((0, 0, 0.0), (0, 0, 0.06), (0.03, 0, 0.09), (0.0, 0, 0.12)), 0.004, 8)
    body = [
        Rod((0, 0, -0.03), (0, 0, -tall * 0.25), wide * 0.3, wide * 0.34, flat=deep / wide),
        Rod((0, 0, -tall * 0.25), (0, 0, -tall), wide * 0.34, wide * 0.46, flat=deep / wide),
    ]
    for side in (-1, 1):
        shoulder = (side * wide * 0.3, 0.0, -0.07)
        elbow = (side * wide * 0.46, 0.0, -tall * 0.34)
        body.append(Rod((0, 0, -0.06), shoulder, wide * 0.12, wide * 0.13))
        body.append(Rod(shoulder, elbow, wide * 0.13, wide * 0.11))
        body.append(Rod(elbow, (side * wide * 0.47, -0.03, -tall * 0.62), wide * 0.11, wide * 0.1))
    yield thing.material, make_solid(body, 0.018, 0.07, 0.010, thing.seed)
    seam = make_tube(
        ((0, -deep * 0.5, -0.14), (0.004, -deep * 0.62, -tall * 0.5), (0, -deep * 0.7, -tall)),
        0.006,
        6,
    )
    yield thing.other, seam


def _hat(thing: Thing) -> Iterator[Part]:
    """Build a hat with a brim `size[0]` wide; `amount` is the height of its crown."""
    reach, high = thing.size[0] / 2, thing.amount
    yield (
        thing.material,
        make_lathe(
            (
                (reach, 0.012),
                (reach * 0.8, 0.004),
                (reach * 0.52, 0.006),
                (reach * 0.5, high * 0.7),
                (reach * 0.42, high * 0.96),
                (reach * 0.2, high),
                (0, high * 0.93),
            ),
            48,
        ),
    )
    yield thing.other, make_lathe(((reach * 0.525, 0.01), (reach * 0.52, 0.045)), 48)


def _flag(thing: Thing) -> Iterator[Part]:
    """Build a waving flag of `size` from x = 0 to the right; `material` carries its picture."""
    wide, deep, tall = thing.size
    panel = make_panel(wide, tall, steps=40)
    x = panel.points[:, 0] / wide + 0.5
    points = panel.points.copy()
    points[:, 0] += wide / 2
    points[:, 1] -= deep * x * np.sin(x * 7 + panel.points[:, 2] * 4)
    yield thing.material, Mesh(points, panel.faces, smooth_normals(points, panel.faces), panel.uv)


def _rope(thing: Thing) -> Iterator[Part]:
    """Build a laid rope along a path: three strands of `radius` wound round each other."""
    line = np.asarray(thing.path, dtype=np.float64)
    pieces: Array = np.linalg.norm(np.diff(line, axis=0), axis=1).astype(np.float64)
    length: Array = np.concatenate([np.zeros(1), np.cumsum(pieces)])
    whole = float(length[-1])
    along: Array = np.linspace(0, whole, max(24, int(whole / (thing.radius * 1.2))))
    middle: Array = np.stack([np.interp(along, length, line[:, nth]) for nth in range(3)], axis=-1)
    ahead: Array = np.asarray(np.gradient(middle, axis=0), dtype=np.float64)
    side: Array = unit(np.cross(ahead, np.array((0.13, 0.2, 1.0))))
    up: Array = unit(np.cross(side, ahead))
    for strand in range(3):
        turn = along / (thing.radius * 2.6) + strand * 2 * np.pi / 3
        path = middle + thing.radius * (side * np.cos(turn)[:, None] + up * np.sin(turn)[:, None])
        points = [(float(x), float(y), float(z)) for x, y, z in path]
        yield thing.material, make_tube(points, thing.radius * 0.9, 7)


TEXTILES: Mapping[str, Builder] = MappingProxyType(
    {
        "curtain": _curtain,
        "towel": _towel,
        "blanket": _blanket,
        "round-cloth": _round_cloth,
        "coat": _coat,
        "hat": _hat,
        "flag": _flag,
        "rope": _rope,
    }
)
"""Cloth by the name that scenes use."""
