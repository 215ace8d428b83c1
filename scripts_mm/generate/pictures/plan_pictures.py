"""The floor plan of a case: rooms with common walls and doors on both sides of a passage."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random

from scripts_mm.drawing.plans.floor_plan import (
    FloorPlanSpec,
    PixelBox,
    PlanDoor,
    PlanPath,
    PlanRoom,
)
from scripts_mm.drawing.primitives.paper import Colour
from scripts_mm.generate.pictures.builder import PictureBuilder, PictureDraft
from scripts_mm.generate.world import WorldFact

_LEFT, _RIGHT = 44, 892
_TOP = (72, 100)
"""Upper wall: earliest and latest."""
_DEEP = (258, 276)
"""Depth of a row of rooms."""
_PASSAGE = (92, 108)
_NARROW = 150
"""Minimum width of a room."""
_DOOR, _WALL = 24, 7
_SCENE: Colour = (246, 214, 204)
_COLOURS: tuple[Colour, ...] = ((190, 40, 36), (36, 92, 150), (70, 120, 60), (120, 50, 130))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Slot:
    """A room of the plan: its walls, its door, and the side of the passage."""

    box: PixelBox
    door: int
    """Middle of the door, in pixels from the left."""
    is_upper: bool

    def distance(self, other: "_Slot") -> float:
        """Return the way between two doors along and across the passage."""
        return abs(self.door - other.door) + 80 * (self.is_upper != other.is_upper)


def build_plan(desk: PictureBuilder, facts: Sequence[WorldFact]) -> PictureDraft:
    """Return the plan of the rooms, with the minutes of each way to the scene of the death.

    Rooms further along the passage are further away.
    """
    rng, cast = desk.rng, desk.cast
    top, deep, wide = (rng.randint(*one) for one in (_TOP, _DEEP, _PASSAGE))
    passage = (top + deep, top + deep + wide)
    slots = _sample_slots(len(facts) + 1, (top, passage[1] + deep), passage, rng)
    scene = slots.pop(rng.randrange(len(slots)))
    nearest = sorted(slots, key=scene.distance)
    placed = list(zip(sorted(facts, key=lambda fact: fact.minutes), nearest, strict=True))
    words: dict[str, str] = {"scene": cast.labels[desk.frame.body]}
    rooms = [
        PlanRoom(label="", box=(_LEFT, passage[0], _RIGHT, passage[1]), at=(0, 0)),
        PlanRoom(label="scene", box=scene.box, at=_middle(scene.box), fill=_SCENE, size=22),
    ]
    ways, read, colour = list[PlanPath](), list[str](), rng.choice(_COLOURS)
    for fact, slot in placed:
        name = fact.places[1]
        words[name] = cast.labels[name]
        words[f"way-{name}"] = desk.fill_first("plan", "minutes", n=str(fact.minutes))
        x, y = _middle(slot.box)
        shade = (rng.randint(222, 246), rng.randint(222, 244), rng.randint(206, 240))
        side = 1 if slot.is_upper else -1
        rooms.append(PlanRoom(label=name, box=slot.box, at=(x, y - 40 * side), fill=shade))
        start, end = (x, y), (float(slot.door), (passage[0] + passage[1]) / 2)
        spot = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2 - 14 * side)
        ways.append(PlanPath(points=(start, end), label=f"way-{name}", at=spot, colour=colour))
        read.append(f"{words[name]} - {words['scene']}: {words[f'way-{name}']}")
    title, notes = desk.pick_word("plan", "title"), desk.fill_lines("plan", "notes")
    spec = FloorPlanSpec(
        rooms=tuple(rooms),
        doors=(*(_door(one, passage) for one in (scene, *slots)), _entrance(passage, rng)),
        things=(),
        ways=tuple(ways),
        words=words,
        title=title,
        notes=notes,
        notes_at=(50 + rng.randint(0, 40), 816 + rng.randint(0, 16)),
        size=(960, 924),
    )
    told = desk.join_parts(
        f"{words[fact.places[1]]} {words[f'way-{fact.places[1]}']}" for fact in facts
    )
    return desk.make_draft("media", (title, words["scene"], *read, *notes), "plan", spec, ways=told)


def _sample_slots(
    count: int, ends: tuple[int, int], passage: tuple[int, int], rng: Random
) -> list[_Slot]:
    """Return the rooms on both sides of the passage, each row cut at random places."""
    upper = count // 2 + (count % 2 and rng.randint(0, 1))
    found: list[_Slot] = []
    for number, is_upper in ((upper, True), (count - upper, False)):
        top, bottom = (ends[0], passage[0]) if is_upper else (passage[1], ends[1])
        edges = _cut(number, rng)
        for left, right in pairwise(edges):
            door = rng.randint(left + 2 * _DOOR, right - 2 * _DOOR)
            found.append(_Slot(box=(left, top, right, bottom), door=door, is_upper=is_upper))
    return found


def _cut(count: int, rng: Random) -> list[int]:
    """Return the walls across a row of `count` rooms, from left to right."""
    spare = _RIGHT - _LEFT - count * _NARROW
    cuts = sorted(rng.randint(0, spare) for _ in range(count - 1))
    return [_LEFT, *(_LEFT + at * _NARROW + cut for at, cut in enumerate(cuts, 1)), _RIGHT]


def _door(slot: _Slot, passage: tuple[int, int]) -> PlanDoor:
    y = passage[0] if slot.is_upper else passage[1]
    return PlanDoor(box=(slot.door - _DOOR, y - _WALL, slot.door + _DOOR, y + _WALL))


def _entrance(passage: tuple[int, int], rng: Random) -> PlanDoor:
    """Return the door of the house, at one end of the passage."""
    x, y = rng.choice((_LEFT, _RIGHT)), (passage[0] + passage[1]) // 2
    return PlanDoor(box=(x - _WALL, y - _DOOR, x + _WALL, y + _DOOR))


def _middle(box: PixelBox) -> tuple[float, float]:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
