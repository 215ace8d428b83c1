"""Openings of a floor plan: a bare gap, a door with its leaf, a hatch."""

from random import Random
from typing import Literal

import pytest
from PIL import Image, ImageStat

from scripts_mm.drawing.plans.floor_plan import (
    FloorPlanSpec,
    PlanDoor,
    PlanRoom,
    draw_floor_plan,
)
from scripts_mm.drawing.primitives.fonts import Fonts

WALL = (100, 400, 500, 800)
"""A room whose upper wall has the opening."""
MARGIN = 12
"""Table round the sheet, in pixels."""


def drawn(look: Literal["open", "hatch", "gap"] | None) -> Image.Image:
    doors = () if look is None else (PlanDoor(box=(260, 394, 340, 406), look=look),)
    plan = FloorPlanSpec(
        rooms=(PlanRoom(label="", box=WALL, at=(300, 600)),), doors=doors, things=(), ways=(),
        words={}, title="House", notes=(), notes_at=(100, 900),
    )  # fmt: skip
    return draw_floor_plan(plan, Fonts("en"), Random(1)).convert("L")


def darkest(image: Image.Image, box: tuple[int, int, int, int]) -> float:
    """Return the darkest grey of a box of the plan."""
    left, top, right, bottom = (edge + MARGIN for edge in box)
    return ImageStat.Stat(image.crop((left, top, right, bottom))).extrema[0][0]


@pytest.mark.slow
def test_a_wall_without_an_opening_is_dark_and_a_gap_is_paper() -> None:
    opening = (270, 396, 330, 404)
    assert darkest(drawn(None), opening) < 90
    assert darkest(drawn("gap"), opening) > 150


@pytest.mark.slow
def test_only_a_door_has_a_leaf() -> None:
    leaf = (256, 420, 264, 470)
    assert darkest(drawn("open"), leaf) < 90
    assert darkest(drawn("gap"), leaf) > 150
    assert darkest(drawn("hatch"), leaf) > 150
