"""A limp that can be seen in a camera still: the leg, and the track of wet shoes."""

from dataclasses import replace

import pytest
from PIL import Image, ImageChops

from scripts_mm.drawing.primitives.cctv_figure import BodySide, CctvFigure, draw_cctv_figure
from scripts_mm.drawing.primitives.wet_track import WetTrack, draw_wet_track

ONE = CctvFigure(at=(0.5, 0.9), height=0.6, coat=(150, 40, 40))


@pytest.mark.parametrize("limp", ["left", "right"])
def test_a_dragged_leg_is_seen_on_its_own_side_even_in_a_small_picture(limp: BodySide) -> None:
    ground = Image.new("RGB", (800, 600), (190, 190, 190))
    walking, dragging = (
        draw_cctv_figure(ground, replace(ONE, limp=one)).convert("L").resize((200, 150))
        for one in (None, limp)
    )
    legs = (0, 84, 200, 150)
    seen = ImageChops.difference(walking.crop(legs), dragging.crop(legs)).point(
        [0] * 40 + [255] * 216
    )
    half = {"left": (100, 0, 200, 66), "right": (0, 0, 100, 66)}
    own, other = (sum(seen.crop(half[side]).histogram()[255:]) for side in (limp, _other(limp)))
    assert own > 360
    assert own > 1.5 * other


def _other(side: BodySide) -> BodySide:
    return "right" if side == "left" else "left"


@pytest.mark.parametrize("dragged", [-1.0, 1.0])
def test_wet_shoes_leave_prints_and_a_dragged_foot_one_stripe(dragged: float) -> None:
    track = WetTrack(far=(200, 100), near=(200, 380), horizon=20, gap=60)
    image = draw_wet_track(Image.new("RGB", (400, 400), (230, 230, 230)), track, dragged)

    def dry_spots(side: float) -> int:
        spots = [track.spot(nth / 200, side)[0] for nth in range(20, 190)]
        shades = [image.convert("L").getpixel((round(x), round(y))) for x, y in spots]
        return sum(1 for shade in shades if isinstance(shade, int | float) and shade > 215)

    assert dry_spots(dragged) == 0
    assert dry_spots(-dragged) > 25
