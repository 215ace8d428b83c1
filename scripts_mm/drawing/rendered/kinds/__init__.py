"""Things that scenes are made of, each built of bodies with a material."""

from collections.abc import Callable, Iterable

from scripts_mm.drawing.rendered.mesh import Mesh
from scripts_mm.drawing.rendered.scene_data import Thing

Part = tuple[str, Mesh]
"""A material's name and a body made of it."""
Builder = Callable[[Thing], Iterable[Part]]
"""A function that builds a thing around the origin, as it stands on z = 0."""
