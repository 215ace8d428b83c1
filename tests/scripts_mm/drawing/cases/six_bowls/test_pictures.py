"""The torn page of "Six Bowls of Tea": ragged where it was torn, reversed where it was pressed."""

from random import Random

import pytest
from PIL import Image, ImageChops, ImageStat

from scripts_mm.drawing.cases.six_bowls.slips import BlotSpec, LogLines, draw_blot
from scripts_mm.drawing.cases.six_bowls.torn_paper import tear_mask
from scripts_mm.drawing.primitives.fonts import Fonts

SIZE = (300, 200)


def edge_inside(mask: Image.Image, side: str) -> set[int]:
    """Return how far inside the sheet a side begins, in all its places but the corners."""
    width, height = mask.size
    lines = {
        "left": [[(x, y) for x in range(40)] for y in range(30, height - 30)],
        "right": [[(width - 1 - x, y) for x in range(40)] for y in range(30, height - 30)],
        "top": [[(x, y) for y in range(40)] for x in range(30, width - 30)],
        "bottom": [[(x, height - 1 - y) for y in range(40)] for x in range(30, width - 30)],
    }[side]
    return {next(nth for nth, at in enumerate(line) if mask.getpixel(at)) for line in lines}


@pytest.mark.parametrize("torn", ["left", "right", "top", "bottom"])
def test_only_the_torn_side_of_a_sheet_is_ragged(torn: str) -> None:
    mask = tear_mask(SIZE, (torn,), Random(3))
    for side in ("left", "right", "top", "bottom"):
        found = edge_inside(mask, side)
        assert (len(found) > 3) == (side == torn), side
        assert max(found) <= 10, side


def test_the_writing_on_the_pressed_sheet_is_reversed() -> None:
    """A sign that was written on the left is found on the right, and only there."""
    nothing = LogLines(lines=(), start=(0, 0), gap=0, text_size=20)
    spec = BlotSpec(text=nothing, sign=(100, 220), reach=60, size=(500, 320))
    sheet = draw_blot(spec, Fonts("en"), Random(1)).convert("L")
    left, right = (sheet.crop((x - 60, 160, x + 60, 280)) for x in (100, 400))
    assert ImageStat.Stat(right).stddev[0] > 2 * ImageStat.Stat(left).stddev[0]


def test_equal_generators_tear_alike() -> None:
    one, other = (tear_mask(SIZE, ("left",), Random(5)) for _ in range(2))
    assert ImageChops.difference(one, other).getbbox() is None
    another = tear_mask(SIZE, ("left",), Random(6))
    assert ImageChops.difference(one, another).getbbox() is not None
