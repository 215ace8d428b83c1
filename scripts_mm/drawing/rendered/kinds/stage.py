"""What stands on a stage: painted waves, a boat, lightning."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

import numpy as np

from scripts_mm.drawing.rendered.kinds import Builder, Part
from scripts_mm.drawing.rendered.mesh import (
    Mesh,
    Vector,
    make_box,
    make_panel,
    make_tube,
    rotate,
    smooth_normals,
)
from scripts_mm.drawing.rendered.outlines import make_plate
from scripts_mm.drawing.rendered.scene_data import Thing


def _lightning(thing: Thing) -> Iterator[Part]:
    """Build a flash of lightning `size[2]` high with branches, made of `count` pieces."""
    rng = np.random.default_rng(thing.seed)
    wide, _, tall = thing.size
    path: list[Vector] = []
    for nth in range(thing.count + 1):
        share = nth / thing.count
        path.append(
            (
                float(rng.uniform(-0.5, 0.5)) * wide * 0.4 - share * wide * 0.6,
                0.0,
                tall * (1 - share),
            )
        )
    yield thing.material, make_tube(path, thing.radius, 6)
    for nth in range(2, thing.count - 1, 3):
        x, y, z = path[nth]
        branch = (
            (x, y, z),
            (x + wide * 0.3, y, z - tall * 0.08),
            (x + wide * 0.42, y, z - tall * 0.17),
        )
        yield thing.material, make_tube(branch, (thing.radius * 0.7, thing.radius * 0.5, 0.004), 6)


def _boat(thing: Thing) -> Iterator[Part]:
    """Build a rowing boat of `size` along x."""
    wide, deep, tall = thing.size
    for side in (-1, 1):
        outline = ((-wide * 0.4, 0), (wide * 0.36, 0), (wide * 0.5, tall), (-wide * 0.5, tall))
        plank = make_plate(outline, 0.03).move((0, 0, 0), rotate(tilt=90))
        yield thing.material, plank.move((0, side * deep / 2, 0))
        rail = make_tube(
            ((-wide * 0.5, side * deep / 2, tall), (wide * 0.5, side * deep / 2, tall)), 0.025, 8
        )
        yield thing.material, rail
    for side in (-1, 1):
        end = make_box((0.03, deep, tall * 1.02), 0.006)
        yield thing.material, end.move((side * wide * 0.45, 0, 0), rotate(roll=side * 14))
    for x in (-0.25, 0.22):
        yield thing.material, make_box((0.22, deep, 0.03)).move((x * wide, 0, tall * 0.55))


def _wave(thing: Thing) -> Iterator[Part]:
    """Build a painted row of waves that stands on a stage, `size` (width, depth, height)."""
    wide, deep, tall = thing.size
    panel = make_panel(wide, tall, steps=120)
    x = panel.points[:, 0]
    share = panel.points[:, 2] / tall
    crest = 0.6 + 0.4 * np.sin(x * thing.count * 0.9 + thing.seed)
    points = panel.points.copy()
    points[:, 2] = tall * share * crest
    points[:, 1] = deep * share * (0.5 + 0.5 * np.cos(x * thing.count * 0.9 + thing.seed + 1))
    uv = points[:, [0, 2]].copy()
    yield thing.material, Mesh(points, panel.faces, smooth_normals(points, panel.faces), uv)


STAGE: Mapping[str, Builder] = MappingProxyType(
    {
        "lightning": _lightning,
        "boat": _boat,
        "wave": _wave,
    }
)
"""Things of a stage by the name that scenes use."""
