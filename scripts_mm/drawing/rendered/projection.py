"""Where a body of a scene is seen on the film."""

from collections.abc import Collection

import numpy as np

from scripts_mm.drawing.primitives.paper import Size
from scripts_mm.drawing.rendered.mesh import Array, unit
from scripts_mm.drawing.rendered.renderer import Window, merge_bodies
from scripts_mm.drawing.rendered.scene_data import Camera, Scene
from scripts_mm.script import ScriptError

_MARGIN = 6
"""Pixels around a body that its light may reach."""


def project(camera: Camera, size: Size, points: Array) -> Array:
    """Return the pixels at which points are seen by a camera."""
    ahead = unit(np.array(camera.aim, dtype=np.float64) - np.array(camera.at))
    right = unit(np.cross(ahead, np.array(camera.up, dtype=np.float64)))
    above = np.cross(right, ahead)
    offset = points - np.array(camera.at)
    focal = size[0] / 2 / np.tan(np.radians(camera.angle / 2))
    away = offset @ ahead
    x = size[0] / 2 + focal * (offset @ right) / away
    y = size[1] / 2 - focal * (offset @ above) / away
    return np.stack([x, y], axis=-1)


def find_window(scene: Scene, labels: Collection[str]) -> Window:
    """Return the part of the film on which the things that carry `labels` are seen."""
    bodies = merge_bodies(scene)
    carriers = [
        bodies[name].points
        for name, material in scene.materials.items()
        if material.label in labels and name in bodies
    ]
    if not carriers:
        raise ScriptError(f"no thing of the scene carries a label of {', '.join(labels)}")
    size = scene.film.size
    seen = project(scene.camera, size, np.concatenate(carriers))
    low = np.clip(np.floor(seen.min(axis=0)) - _MARGIN, 0, np.array(size) - 1).astype(int)
    high = np.clip(np.ceil(seen.max(axis=0)) + _MARGIN, low + 1, size).astype(int)
    return (int(low[0]), int(low[1]), int(high[0] - low[0]), int(high[1] - low[1]))
