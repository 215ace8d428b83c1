"""Single sheets of paper that lie on something: letters, forms, slips."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

import numpy as np

from scripts_mm.drawing.rendered.kinds import Builder, Part
from scripts_mm.drawing.rendered.mesh import Mesh, make_panel, rotate, smooth_normals
from scripts_mm.drawing.rendered.scene_data import Thing

_STEPS = 12
"""Steps of a sheet's mesh between two folds."""


def _document(thing: Thing) -> Iterator[Part]:
    """Build a sheet of `size` (width, length, unused) on the ground, its upper edge at +y.

    Its upper and lower ends rise by `amount` metres: in a curl, or along `count` folds if there is
    the option `folded`. Option `upright` stands it up facing -y, still around the origin. The
    label of the material has a `picture`.
    """
    wide, long = thing.size[:2]
    folds = thing.count if "folded" in thing.options else 0
    panel = make_panel(wide, long, steps=_STEPS * (folds + 1) + 1)
    share = panel.uv[:, 1]
    off_middle = np.abs(2 * share - 1)
    if folds:
        flat = 1 - 2 / (folds + 1)
        rise = thing.amount * np.maximum(0, off_middle - flat) / (1 - flat)
        reach = (1 - flat) * long / 2
        shrink = np.sqrt(np.maximum(0, reach**2 - thing.amount**2)) / reach
        far = np.minimum(off_middle, flat) + np.maximum(0, off_middle - flat) * shrink
    else:
        rise, far = thing.amount * off_middle**3, off_middle
    y = np.sign(2 * share - 1) * far * long / 2
    points = np.stack([panel.points[:, 0], y, rise], axis=-1)
    normals = smooth_normals(points, panel.faces)
    sheet = Mesh(points, panel.faces, normals, panel.uv)
    yield thing.material, sheet.move((0, 0, 0), rotate(tilt=90 * ("upright" in thing.options)))


SHEETS: Mapping[str, Builder] = MappingProxyType({"document": _document})
"""Sheets by the name that scenes use."""
