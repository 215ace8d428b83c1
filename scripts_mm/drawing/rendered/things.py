"""Builds the things of a scene: looks up their kind and puts them in their place."""

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from scripts_mm.drawing.rendered.kinds import Builder, Part
from scripts_mm.drawing.rendered.kinds.bodies import BODIES
from scripts_mm.drawing.rendered.kinds.buildings import BUILDINGS
from scripts_mm.drawing.rendered.kinds.evidence import EVIDENCE
from scripts_mm.drawing.rendered.kinds.exhibits import EXHIBITS
from scripts_mm.drawing.rendered.kinds.fittings import FITTINGS
from scripts_mm.drawing.rendered.kinds.furniture import FURNITURE
from scripts_mm.drawing.rendered.kinds.people import PEOPLE
from scripts_mm.drawing.rendered.kinds.sheets import SHEETS
from scripts_mm.drawing.rendered.kinds.stage import STAGE
from scripts_mm.drawing.rendered.kinds.textiles import TEXTILES
from scripts_mm.drawing.rendered.kinds.vessels import VESSELS
from scripts_mm.drawing.rendered.mesh import rotate
from scripts_mm.drawing.rendered.scene_data import Thing
from scripts_mm.script import ScriptError

KINDS: Mapping[str, Builder] = MappingProxyType(
    {
        **BODIES,
        **BUILDINGS,
        **EVIDENCE,
        **EXHIBITS,
        **FITTINGS,
        **FURNITURE,
        **PEOPLE,
        **SHEETS,
        **STAGE,
        **TEXTILES,
        **VESSELS,
    }
)
"""Every kind of thing by the name that scenes use."""


def build_things(things: Iterable[Thing]) -> Iterator[Part]:
    """Yield the bodies of things in their places. Raises ScriptError for an unknown kind."""
    for thing in things:
        if thing.kind not in KINDS:
            raise ScriptError(f"no kind of thing {thing.kind!r}; there are {', '.join(KINDS)}")
        turned = rotate(thing.turn, thing.tilt, thing.roll)
        for material, mesh in KINDS[thing.kind](thing):
            yield material, mesh.move(thing.at, turned)
