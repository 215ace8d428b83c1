"""Soft bodies: rods and balls that melt together, with folds, as a closed mesh.

A body is where a distance field is negative. Its surface is found by surface nets: one point in
each cell of a grid that the surface crosses, one quadrilateral at each edge of the grid that it
crosses.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scripts_mm.drawing.rendered.mesh import Array, Faces, Mesh, Vector, unit


@dataclass(frozen=True, slots=True)
class Rod:
    """A rod from `start` to `end` with a radius at each; one ball if they are equal."""

    start: Vector
    end: Vector
    radius: float
    other: float = 0
    """Radius at `end`; 0 is the same as at `start`."""
    hollow: bool = False
    """Whether it is cut out of the others instead."""
    flat: float = 1
    """Depth (y) as a share of the width."""


def make_solid(
    bones: Sequence[Rod], cell: float, blend: float, folds: float = 0, seed: int = 0
) -> Mesh:
    """Return the surface of bones that melt over `blend` metres, with folds of that depth."""
    reach = max(max(bone.radius, bone.other) for bone in bones) + blend + folds + 2 * cell
    ends = np.array([point for bone in bones for point in (bone.start, bone.end)])
    low, high = ends.min(axis=0) - reach, ends.max(axis=0) + reach
    axes: list[Array] = [
        np.arange(low[nth], high[nth] + cell, cell, dtype=np.float64) for nth in range(3)
    ]
    band = 2 * folds + 6 * cell
    field = _measure(bones, axes, blend, band)
    if folds:
        near = np.nonzero(np.abs(field) < band)
        places = [axis[nth] for axis, nth in zip(axes, near, strict=True)]
        field[near] += folds * _wrinkle(places, seed)
    points, faces = _find_surface(field)
    placed = points * cell + low
    normals = _slope(field, points)
    x, y, z = placed.T
    uv = np.column_stack([x + 0.31 * z, z + 0.83 * y])
    return Mesh(placed, _face_outward(placed, faces, normals), normals, uv)


_FAR = 1e3
"""The distance, in metres, at a place that no bone comes near."""


def _measure(bones: Sequence[Rod], axes: Sequence[Array], blend: float, band: float) -> Array:
    """Return the distances to the surface at the grid's nodes, right where they are under `band`.

    A bone counts only in the box that it can influence: most nodes are far from most bones.
    """
    total = np.full([len(axis) for axis in axes], _FAR)
    for bone in bones:
        box = _box(bone, axes, 2 * blend + band)
        cuts = [axis[cut] for axis, cut in zip(axes, box, strict=True)]
        away = _distance(bone, np.meshgrid(*cuts, indexing="ij", sparse=True))
        if bone.hollow:
            total[box] = -_melt(-total[box], away, blend)
        else:
            total[box] = _melt(total[box], away, blend)
    return total


def _box(bone: Rod, axes: Sequence[Array], margin: float) -> tuple[slice, ...]:
    """Return the nodes that may be nearer to a bone than `margin`."""
    radius = max(bone.radius, bone.other) + margin
    cuts: list[slice] = []
    for axis, start, end, reach in zip(
        axes, bone.start, bone.end, (radius, radius * bone.flat, radius), strict=True
    ):
        bounds = np.searchsorted(axis, (min(start, end) - reach, max(start, end) + reach))
        cuts.append(slice(*bounds))
    return tuple(cuts)


def _distance(bone: Rod, places: Sequence[Array]) -> Array:
    """Return the distance to a bone at places, given as their x, y and z."""
    squash = (1, 1 / bone.flat, 1)
    offset = [
        (place - start) * scale
        for place, start, scale in zip(places, bone.start, squash, strict=True)
    ]
    ahead = (np.array(bone.end) - bone.start) * squash
    length = float(ahead @ ahead)
    along = sum(part * step for part, step in zip(offset, ahead, strict=True))
    share = np.clip(along / length, 0, 1) if length else 0
    near = sum((part - share * step) ** 2 for part, step in zip(offset, ahead, strict=True))
    radius = bone.radius + share * ((bone.other or bone.radius) - bone.radius)
    return np.sqrt(near) - radius


def _melt(one: Array, two: Array, blend: float) -> Array:
    """Return the smooth minimum of two distances: Quilez's quadratic polynomial."""
    if blend <= 0:
        return np.minimum(one, two)
    share = np.maximum(blend - np.abs(one - two), 0) / blend
    return np.minimum(one, two) - share * share * blend / 4


def _wrinkle(places: Sequence[Array], seed: int) -> Array:
    """Return heights of folds that mostly hang down: seven sine waves of 1 / 3.5, up to 2."""
    rng = np.random.default_rng(seed)
    total = np.zeros(places[0].shape)
    for _ in range(7):
        across = rng.normal(size=3) * (26, 26, 9)
        wave = sum(place * step for place, step in zip(places, across, strict=True))
        total += np.sin(wave + rng.uniform(0, 6.3)) / 3.5
    return total


_EDGES = tuple(
    (one, one | 1 << axis) for axis in range(3) for one in range(8) if not one & 1 << axis
)
"""The edges of a cell as pairs of corners; a corner's bits are its steps along x, y and z."""


def _find_surface(field: Array) -> tuple[Array, Faces]:
    """Return points in grid steps and triangles of the surface of a distance field."""
    inside = [_corner(field, nth) < 0 for nth in range(8)]
    mixed = np.logical_or.reduce(inside) & ~np.logical_and.reduce(inside)
    cells = np.argwhere(mixed)
    values = np.stack([_corner(field, nth)[mixed] for nth in range(8)], axis=-1)
    points = cells + _mean_crossing(values)
    number = np.full(mixed.shape, -1, dtype=np.int32)
    number[mixed] = np.arange(len(cells), dtype=np.int32)
    quads = [_quads(field, number, axis) for axis in range(3)]
    ring = np.concatenate(quads)
    return points, np.concatenate([ring[:, [0, 1, 2]], ring[:, [0, 2, 3]]]).astype(np.int32)


def _corner(field: Array, nth: int) -> Array:
    cut = tuple(slice(1, None) if nth & 1 << axis else slice(0, -1) for axis in range(3))
    return field[cut]


def _mean_crossing(values: Array) -> Array:
    total = np.zeros((len(values), 3))
    count = np.zeros((len(values), 1))
    for one, two in _EDGES:
        first, second = values[:, one], values[:, two]
        crosses = (first < 0) != (second < 0)
        share = np.where(crosses, first / np.where(crosses, first - second, 1), 0)
        steps = [np.array([nth >> axis & 1 for axis in range(3)], float) for nth in (one, two)]
        at = steps[0] + share[:, None] * (steps[1] - steps[0])
        total += np.where(crosses[:, None], at, 0)
        count += crosses[:, None]
    return total / count


def _quads(field: Array, number: Faces, axis: int) -> Faces:
    """Return the cells around each grid edge along `axis` that the surface crosses."""
    one, two = (other for other in range(3) if other != axis)
    near = np.moveaxis(field, (axis, one, two), (0, 1, 2))
    cells = np.moveaxis(number, (axis, one, two), (0, 1, 2))
    crosses = (near[:-1] < 0) != (near[1:] < 0)
    at = np.argwhere(crosses[:, 1:-1, 1:-1])
    a, b, c = at[:, 0], at[:, 1], at[:, 2]
    return np.stack(
        [cells[a, b, c], cells[a, b + 1, c], cells[a, b + 1, c + 1], cells[a, b, c + 1]], axis=1
    )


def _slope(field: Array, points: Array) -> Array:
    """Return the direction in which the field grows at points in grid steps."""
    steps = np.stack(np.gradient(field), axis=-1)
    low = np.clip(np.floor(points).astype(int), 0, np.array(field.shape) - 2)
    share = points - low
    total = np.zeros((len(points), 3))
    for nth in range(8):
        step = np.array([nth >> axis & 1 for axis in range(3)])
        weight = np.prod(np.where(step, share, 1 - share), axis=1)
        at = low + step
        total += weight[:, None] * steps[at[:, 0], at[:, 1], at[:, 2]]
    return unit(total)


def _face_outward(points: Array, faces: Faces, normals: Array) -> Faces:
    one, two, three = (points[faces[:, nth]] for nth in range(3))
    wrong = np.sum(np.cross(two - one, three - one) * normals[faces[:, 0]], axis=1) < 0
    faces[wrong] = faces[wrong][:, [0, 2, 1]]
    return faces
