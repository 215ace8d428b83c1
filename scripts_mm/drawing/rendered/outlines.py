"""Flat bodies from an outline: a polygon made thick, a strip along a line."""

from collections.abc import Sequence

import numpy as np

from scripts_mm.drawing.rendered.mesh import Array, Faces, Mesh, Pair, join, unit

_CORNERS = 3
"""Corners of a triangle."""


def make_plate(outline: Sequence[Pair], thick: float) -> Mesh:
    """Return a polygon (counter-clockwise, on the ground) made `thick` upwards."""
    ring = np.asarray(outline, dtype=np.float64)
    if _area(ring) < 0:
        ring = ring[::-1]
    faces = _triangulate(ring)
    top = np.column_stack([ring, np.full(len(ring), thick)])
    low = np.column_stack([ring, np.zeros(len(ring))])
    up = np.tile((0.0, 0.0, 1.0), (len(ring), 1))
    caps = [Mesh(top, faces, up, ring), Mesh(low, faces[:, [0, 2, 1]], -up, ring)]
    return join([*caps, _make_rim(ring, thick)])


def make_strip(line: Sequence[Pair], wide: float, closed: bool = False) -> Mesh:
    """Return a flat strip on the ground along a line, such as a tape."""
    middle = np.asarray(line, dtype=np.float64)
    if closed:
        middle = np.concatenate([middle, middle[:1]])
    pieces: list[Mesh] = []
    for nth in range(len(middle) - 1):
        ahead = unit(middle[nth + 1] - middle[nth])
        side = np.array((-ahead[1], ahead[0])) * wide / 2
        start, end = middle[nth] - ahead * wide / 2, middle[nth + 1] + ahead * wide / 2
        ring = np.stack([start - side, end - side, end + side, start + side])
        rise = 0.0008 + 0.0004 * (nth % 2)
        points = np.column_stack([ring, np.full(4, rise)])
        faces = np.array([[0, 1, 2], [0, 2, 3]], dtype=np.int32)
        pieces.append(Mesh(points, faces, np.tile((0.0, 0.0, 1.0), (4, 1)), ring))
    return join(pieces)


def _make_rim(ring: Array, thick: float) -> Mesh:
    pieces: list[Mesh] = []
    for one, two in zip(ring, np.roll(ring, -1, axis=0), strict=True):
        ahead = unit(two - one)
        out = np.array((ahead[1], -ahead[0], 0.0))
        points = np.array([(*one, 0), (*two, 0), (*two, thick), (*one, thick)])
        faces = np.array([[0, 1, 2], [0, 2, 3]], dtype=np.int32)
        pieces.append(Mesh(points, faces, np.tile(out, (4, 1)), points[:, [0, 2]]))
    return join(pieces)


def _area(ring: Array) -> float:
    x, y = ring[:, 0], ring[:, 1]
    return float(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)) / 2)


def _triangulate(ring: Array) -> Faces:
    """Return the triangles of a simple counter-clockwise polygon, by cutting ears."""
    left = list(range(len(ring)))
    faces: list[tuple[int, int, int]] = []
    while len(left) > _CORNERS:
        ear = next((nth for nth in range(len(left)) if _is_ear(ring, left, nth)), 0)
        faces.append((left[ear - 1], left[ear], left[(ear + 1) % len(left)]))
        del left[ear]
    return np.array([*faces, tuple(left)], dtype=np.int32)


def _is_ear(ring: Array, left: list[int], nth: int) -> bool:
    corner = [left[nth - 1], left[nth], left[(nth + 1) % len(left)]]
    if _area(ring[corner]) <= 0:
        return False
    others = [at for at in left if at not in corner]
    if not others:
        return True
    signs = np.stack(
        [_side(ring[corner[k]], ring[corner[(k + 1) % 3]], ring[others]) for k in range(3)]
    )
    return not bool(np.any(np.all(signs >= 0, axis=0)))


def _side(one: Array, two: Array, points: Array) -> Array:
    ahead = two - one
    return ahead[0] * (points[:, 1] - one[1]) - ahead[1] * (points[:, 0] - one[0])
