"""Triangle meshes of simple bodies, in metres: x to the right, y away from the camera, z up.

Texture coordinates are metres along the surface, so a pattern has the same scale on every body;
those of a `panel` run from 0 to 1, for a picture.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Faces = NDArray[np.int32]
Vector = tuple[float, float, float]
"""x, y, z in metres."""
Pair = tuple[float, float]

_STEEP = 0.9
"""Rise of a path of length 1 above which it counts as upright."""
_SHARP = 0.64
"""Cosine of the angle above which two pieces of a profile meet in an edge."""


@dataclass(frozen=True, slots=True)
class Mesh:
    """Points with their normals and texture coordinates, and triangles of points."""

    points: Array
    faces: Faces
    normals: Array
    uv: Array

    def move(self, at: Sequence[float], rotation: Array | None = None) -> "Mesh":
        """Return the mesh turned by `rotation` and then moved by `at`."""
        turn = np.eye(3) if rotation is None else rotation
        points = self.points @ turn.T + np.asarray(at, dtype=np.float64)
        return Mesh(points, self.faces, self.normals @ turn.T, self.uv)

    def scale(self, factors: Sequence[float]) -> "Mesh":
        """Return the mesh stretched along the axes."""
        by = np.asarray(factors, dtype=np.float64)
        return Mesh(self.points * by, self.faces, unit(self.normals / by), self.uv)


def unit(vectors: NDArray[np.floating[Any]]) -> Array:
    """Return vectors of length 1; a zero vector stays."""
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.where(length == 0, 1, length), dtype=np.float64)


def rotate(turn: float = 0, tilt: float = 0, roll: float = 0) -> Array:
    """Return the rotation by `roll` about y, then `tilt` about x, then `turn` about z, degrees."""
    a, b, c = np.radians((turn, tilt, roll))
    about_z = np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])
    about_x = np.array([[1, 0, 0], [0, np.cos(b), -np.sin(b)], [0, np.sin(b), np.cos(b)]])
    about_y = np.array([[np.cos(c), 0, np.sin(c)], [0, 1, 0], [-np.sin(c), 0, np.cos(c)]])
    return about_z @ about_x @ about_y


def smooth_normals(points: Array, faces: Faces) -> Array:
    """Return the mean normal of the triangles around each point, by area."""
    one, two, three = (points[faces[:, nth]] for nth in range(3))
    flat = np.cross(two - one, three - one)
    total = np.zeros_like(points)
    for nth in range(3):
        np.add.at(total, faces[:, nth], flat)
    return unit(total)


def join(meshes: Sequence[Mesh]) -> Mesh:
    """Return several meshes as one."""
    starts = np.cumsum([0, *(len(mesh.points) for mesh in meshes[:-1])])
    return Mesh(
        np.concatenate([mesh.points for mesh in meshes]),
        np.concatenate(
            [mesh.faces + start for mesh, start in zip(meshes, starts, strict=True)]
        ).astype(np.int32),
        np.concatenate([mesh.normals for mesh in meshes]),
        np.concatenate([mesh.uv for mesh in meshes]),
    )


def _grid_faces(rows: int, columns: int) -> Faces:
    """Return the triangles of a grid of points, row by row."""
    at = np.arange(rows * columns, dtype=np.int32).reshape(rows, columns)
    one, two, three, four = at[:-1, :-1], at[:-1, 1:], at[1:, 1:], at[1:, :-1]
    lower = np.stack([one, two, three], axis=-1).reshape(-1, 3)
    upper = np.stack([one, three, four], axis=-1).reshape(-1, 3)
    return np.concatenate([lower, upper])


def make_box(size: Vector, bevel: float = 0.004) -> Mesh:
    """Return a box that stands on z = 0, with its edges rounded by `bevel`."""
    half = np.asarray(size, dtype=np.float64) / 2
    inset = min(bevel, *(half * 0.9))
    corners = np.array(list(product((-1, 1), repeat=3)), dtype=np.float64)
    points: list[Array] = []
    normals: list[Array] = []
    uv: list[Array] = []
    for corner, axis in product(corners, range(3)):
        lowered = half - inset * (np.arange(3) != axis)
        points.append(corner * lowered)
        normals.append(corner * (np.arange(3) == axis))
        across = [nth for nth in range(3) if nth != axis]
        uv.append(points[-1][np.array(across)])
    at = {
        (tuple(corner), axis): nth for nth, (corner, axis) in enumerate(product(corners, range(3)))
    }
    faces = [*_main_faces(at), *_edge_faces(at), *([3 * n, 3 * n + 1, 3 * n + 2] for n in range(8))]
    raised = np.array(points) + np.array((0, 0, half[2]))
    ordered = _outward(np.array(points), np.array(faces, dtype=np.int32))
    return Mesh(raised, ordered, np.array(normals), np.array(uv))


_Corner = tuple[tuple[float, ...], int]


def _main_faces(at: dict[_Corner, int]) -> list[list[int]]:
    faces: list[list[int]] = []
    for axis, side in product(range(3), (-1, 1)):
        ring: list[int] = []
        for one, two in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
            corner = [one, two]
            corner.insert(axis, side)
            ring.append(at[tuple(map(float, corner)), axis])
        faces += [[ring[0], ring[1], ring[2]], [ring[0], ring[2], ring[3]]]
    return faces


def _edge_faces(at: dict[_Corner, int]) -> list[list[int]]:
    faces: list[list[int]] = []
    for along, one, two in product(range(3), (-1, 1), (-1, 1)):
        ends: list[tuple[float, ...]] = []
        for end in (-1, 1):
            corner = [one, two]
            corner.insert(along, end)
            ends.append(tuple(map(float, corner)))
        first, second = (axis for axis in range(3) if axis != along)
        a, b = at[ends[0], first], at[ends[1], first]
        c, d = at[ends[1], second], at[ends[0], second]
        faces += [[a, b, c], [a, c, d]]
    return faces


def _outward(points: Array, faces: Faces) -> Faces:
    """Return the triangles of a convex body around the origin, all seen from outside."""
    one, two, three = (points[faces[:, nth]] for nth in range(3))
    inside = np.sum(np.cross(two - one, three - one) * (one + two + three), axis=1) < 0
    faces[inside] = faces[inside][:, [0, 2, 1]]
    return faces


def make_lathe(profile: Sequence[Pair], around: int = 40) -> Mesh:
    """Return the body that a profile of (radius, height) makes when it turns about z."""
    line = np.asarray(profile, dtype=np.float64)
    steps = unit(np.diff(line, axis=0))
    out = np.stack([steps[:, 1], -steps[:, 0]], axis=1)
    pieces = [_lathe_piece(line, out, nth, around) for nth in range(len(steps))]
    return join(pieces)


def _lathe_piece(line: Array, out: Array, nth: int, around: int) -> Mesh:
    ends = np.stack([_joint_normal(out, nth, nth - 1), _joint_normal(out, nth, nth + 1)])
    turns = np.linspace(0, 2 * np.pi, around + 1)
    circle = np.stack([np.cos(turns), np.sin(turns)], axis=1)
    rows = line[nth : nth + 2]
    points = np.stack(
        [np.column_stack([circle * radius, np.full(around + 1, z)]) for radius, z in rows]
    )
    normals = np.stack(
        [np.column_stack([circle * across, np.full(around + 1, up)]) for across, up in ends]
    )
    length = np.linalg.norm(np.diff(line, axis=0), axis=1)
    start = length[:nth].sum()
    wide = float(line[:, 0].max())
    uv = np.stack(
        [
            np.column_stack([turns * wide, np.full(around + 1, s)])
            for s in (start, start + length[nth])
        ]
    )
    return Mesh(
        points.reshape(-1, 3), _grid_faces(2, around + 1), normals.reshape(-1, 3), uv.reshape(-1, 2)
    )


def _joint_normal(out: Array, nth: int, other: int) -> Array:
    """Return the normal of piece `nth` where it meets `other`: shared unless they make an edge."""
    if not 0 <= other < len(out) or float(out[nth] @ out[other]) < _SHARP:
        return out[nth]
    return unit(out[nth] + out[other])


def make_ball(radius: float, around: int = 28) -> Mesh:
    """Return a ball that stands on z = 0."""
    turns = np.linspace(-np.pi / 2, np.pi / 2, around // 2 + 1)
    profile = [(radius * float(np.cos(t)), radius * (1 + float(np.sin(t)))) for t in turns]
    return make_lathe(profile, around)


def make_tube(
    path: Sequence[Vector], radius: float | Sequence[float], around: int = 12, closed: bool = False
) -> Mesh:
    """Return a round rod along a path, with flat ends unless it is `closed`."""
    line = np.asarray(path, dtype=np.float64)
    if closed:
        line = np.concatenate([line, line[:1]])
    wide = np.broadcast_to(np.asarray(radius, dtype=np.float64), (len(line),))
    ahead = unit(np.gradient(line, axis=0))
    if closed:
        ahead[0] = ahead[-1] = unit(line[1] - line[-2])
    turns = np.linspace(0, 2 * np.pi, around + 1)
    side = _frames(ahead)
    up = np.cross(ahead, side)
    normals = side[:, None] * np.cos(turns)[:, None] + up[:, None] * np.sin(turns)[:, None]
    points = line[:, None] + normals * wide[:, None, None]
    run = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))])
    uv = np.stack(np.broadcast_arrays(turns * float(wide.max()), run[:, None]), axis=-1)
    rod = Mesh(
        points.reshape(-1, 3),
        _grid_faces(len(line), around + 1),
        normals.reshape(-1, 3),
        uv.reshape(-1, 2),
    )
    if closed:
        return rod
    return join([rod, _disc(points[0][::-1], -ahead[0]), _disc(points[-1], ahead[-1])])


def _frames(ahead: Array) -> Array:
    """Return a side vector at each point of a path that turns as little as possible."""
    helper = np.array((0.0, 0, 1) if abs(ahead[0][2]) < _STEEP else (1.0, 0, 0))
    sides = [unit(np.cross(ahead[0], helper))]
    for direction in ahead[1:]:
        side = sides[-1] - direction * (sides[-1] @ direction)
        sides.append(unit(side))
    return np.stack(sides)


def _disc(ring: Array, normal: Array) -> Mesh:
    count = len(ring)
    points = np.concatenate([ring, ring.mean(axis=0, keepdims=True)])
    near = np.arange(count - 1, dtype=np.int32)
    faces = np.stack([near, near + 1, np.full_like(near, count)], axis=1)
    return Mesh(points, faces, np.tile(normal, (count + 1, 1)), points[:, :2].copy())


def make_panel(wide: float, tall: float, curl: float = 0, steps: int = 24) -> Mesh:
    """Return an upright picture on z = 0, facing -y; `curl` bends its sides forward, in metres."""
    share = np.linspace(0, 1, steps)
    across, up = np.meshgrid(share, share)
    bend = -curl * (2 * across - 1) ** 2 - curl * 0.3 * up**3
    points = np.stack([(across - 0.5) * wide, bend, up * tall], axis=-1).reshape(-1, 3)
    faces = _grid_faces(steps, steps)
    uv = np.stack([across, up], axis=-1).reshape(-1, 2)
    return Mesh(points, faces, smooth_normals(points, faces), uv)


def make_round_panel(radius: float, around: int = 48) -> Mesh:
    """Return an upright round picture with its middle at the origin, facing -y."""
    turns = np.linspace(0, 2 * np.pi, around + 1)
    far = np.stack([np.cos(turns), np.zeros_like(turns), np.sin(turns)], axis=-1)
    points = np.stack([far * 0, far * radius])
    faces = _grid_faces(2, around + 1)
    uv = np.stack([points[..., 0], points[..., 2]], axis=-1) / (2 * radius) + 0.5
    flat = points.reshape(-1, 3)
    return Mesh(flat, faces, np.tile((0.0, -1.0, 0.0), (len(flat), 1)), uv.reshape(-1, 2))


def make_terrain(size: Pair, heights: Array) -> Mesh:
    """Return the ground of `size` around the origin with a grid of heights, first row in front."""
    rows, columns = heights.shape
    x, y = np.meshgrid(np.linspace(-0.5, 0.5, columns), np.linspace(-0.5, 0.5, rows))
    points = np.stack([x * size[0], y * size[1], heights], axis=-1).reshape(-1, 3)
    faces = _grid_faces(rows, columns)
    return Mesh(points, faces, smooth_normals(points, faces), points[:, :2].copy())
