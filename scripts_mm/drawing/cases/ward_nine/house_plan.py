"""The main house, the covered way and Ward Nine, on one plan."""

from collections.abc import Mapping

from scripts_mm.drawing.plans.floor_plan import (
    FloorPlanSpec,
    PlanDoor,
    PlanObject,
    PlanPath,
    PlanRoom,
)
from scripts_mm.drawing.primitives.paper import Colour

_SICK: Colour = (214, 228, 236)
_WORK: Colour = (236, 230, 206)
_DARK: Colour = (214, 210, 214)
_STEP: Colour = (230, 226, 214)

_ROOMS = (
    PlanRoom(label="sluice", box=(60, 130, 210, 240), at=(135, 185), fill=_DARK),
    PlanRoom(label="room3", box=(210, 130, 390, 240), at=(300, 158), fill=(244, 210, 200), size=22),
    PlanRoom(label="room5", box=(390, 130, 540, 240), at=(465, 185), fill=_SICK, size=22),
    PlanRoom(label="beds", box=(540, 130, 916, 240), at=(728, 160), fill=_SICK),
    PlanRoom(label="", box=(60, 240, 916, 300), at=(0, 0)),
    PlanRoom(label="desk", box=(60, 300, 420, 400), at=(240, 376), fill=_WORK, walls=False),
    PlanRoom(label="", box=(60, 300, 420, 400), at=(0, 0)),
    PlanRoom(label="kitchen", box=(560, 300, 740, 400), at=(650, 350), fill=_WORK),
    PlanRoom(label="linen", box=(740, 300, 916, 400), at=(828, 350), fill=_DARK),
    PlanRoom(label="way", box=(440, 400, 540, 610), at=(640, 500), walls=False),
    PlanRoom(label="ward", box=(0, 0, 0, 0), at=(488, 104), size=23, walls=False),
    PlanRoom(label="main", box=(0, 0, 0, 0), at=(800, 590), size=23, walls=False),
    PlanRoom(label="theatre", box=(60, 612, 250, 740), at=(155, 676), fill=_SICK),
    PlanRoom(label="mess", box=(250, 612, 430, 740), at=(330, 652), fill=_WORK),
    PlanRoom(label="rays", box=(550, 612, 730, 740), at=(640, 676), fill=_DARK),
    PlanRoom(label="board", box=(730, 612, 916, 740), at=(823, 676), fill=_WORK),
    PlanRoom(label="", box=(430, 612, 550, 740), at=(0, 0)),
    PlanRoom(label="basement", box=(250, 770, 550, 880), at=(350, 825), fill=_DARK),
)
_DOORS = (
    PlanDoor(box=(150, 236, 180, 245)),
    PlanDoor(box=(250, 236, 290, 245)),
    PlanDoor(box=(450, 236, 480, 245)),
    PlanDoor(box=(700, 236, 730, 245)),
    PlanDoor(box=(190, 296, 350, 305), look="hatch"),
    PlanDoor(box=(450, 296, 520, 305)),
    PlanDoor(box=(600, 296, 630, 305)),
    PlanDoor(box=(780, 296, 810, 305)),
    PlanDoor(box=(460, 608, 520, 617)),
    PlanDoor(box=(426, 690, 435, 720)),
    PlanDoor(box=(546, 690, 555, 720)),
    PlanDoor(box=(470, 736, 510, 745)),
    PlanDoor(box=(470, 766, 510, 775)),
)


def make_plan_spec(words: Mapping[str, str]) -> FloorPlanSpec:
    """Return the plan in the language of `words`."""
    steps = tuple(
        PlanObject(box=(440, 304 + 14 * nth, 540, 318 + 14 * nth), colour=_STEP)
        for nth in range(22)
    )
    beds = tuple(
        PlanObject(box=(556 + 30 * nth, 184, 576 + 30 * nth, 226), colour=(250, 250, 250))
        for nth in range(12)
    )
    things = (
        PlanObject(box=(160, 316, 320, 354), colour=(176, 140, 98)),
        PlanObject(box=(230, 180, 262, 230), colour=(250, 250, 250)),
        PlanObject(box=(490, 742, 494, 770), colour=(30, 46, 74)),
    )
    far = PlanPath(
        points=((490, 830), (490, 270), (272, 270), (272, 212)),
        label="far",
        at=(580, 566),
    )
    near = PlanPath(
        points=((360, 706), (466, 706), (466, 284), (340, 284), (340, 212)),
        label="near",
        at=(400, 560),
        colour=(24, 96, 130),
    )
    return FloorPlanSpec(
        rooms=_ROOMS,
        doors=_DOORS,
        things=(*steps, *beds, *things),
        ways=(far, near),
        words={**words, "": ""},
        title=words["title"],
        notes=(words["note"],),
        notes_at=(600, 860),
    )
