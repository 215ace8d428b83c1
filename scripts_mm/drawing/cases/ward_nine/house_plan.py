"""The plan of the main house, the covered way and Ward Nine, with its repeated objects."""

from dataclasses import replace
from random import Random

from PIL import Image

from scripts_mm.drawing.plans.floor_plan import FloorPlanSpec, PlanObject, draw_floor_plan
from scripts_mm.drawing.primitives.fonts import Fonts


def draw_house_plan(spec: FloorPlanSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the plan with the steps of the covered way and the twelve beds."""
    steps = (
        PlanObject(box=(440, 304 + 14 * nth, 540, 318 + 14 * nth), colour=(230, 226, 214))
        for nth in range(22)
    )
    beds = (
        PlanObject(box=(556 + 30 * nth, 184, 576 + 30 * nth, 226), colour=(250, 250, 250))
        for nth in range(12)
    )
    return draw_floor_plan(replace(spec, things=(*steps, *beds, *spec.things)), fonts, rng)
