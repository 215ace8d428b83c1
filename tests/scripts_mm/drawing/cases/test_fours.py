"""Fours that are drawn stroke by stroke: open at the top, or closed."""

from random import Random

from PIL import Image

from scripts_mm.drawing.cases.homing_hour.fours import write_with_fours
from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.ink import Handwriting, blank_mask

LEFT, BASELINE = 20, 100
STILL = Handwriting(sway=0, turn=0)


def write(text: str, *, is_open: bool) -> tuple[Image.Image, float]:
    mask = blank_mask((400, 140))
    font = Fonts("en").get("letter", 60)
    end = write_with_fours(mask, (LEFT, BASELINE), text, font, (STILL, Random(1)), is_open=is_open)
    return mask, end


def width_near_the_top(mask: Image.Image) -> float:
    """Return how far the ink reaches in a row near the top, in widths of the whole figure."""
    box = mask.point([255 if grey > 100 else 0 for grey in range(256)]).getbbox()
    assert box is not None
    row = round(box[1] + (box[3] - box[1]) * 0.22)
    line = mask.crop((0, row, mask.size[0], row + 1)).tobytes()
    inked = [x for x, grey in enumerate(line) if grey > 100]
    return (inked[-1] - inked[0]) / (box[2] - box[0])


def test_the_strokes_of_a_four_meet_at_the_top_only_if_it_is_closed() -> None:
    assert width_near_the_top(write("4", is_open=True)[0]) > 0.6
    assert width_near_the_top(write("4", is_open=False)[0]) < 0.4


def test_a_line_with_fours_goes_on_after_each_of_them() -> None:
    ends = [write(text, is_open=True)[1] for text in ("0", "04", "041", "0414", "0414 x")]
    assert ends == sorted(set(ends))


def test_a_line_without_a_four_does_not_depend_on_its_shape() -> None:
    one, other = (write("0 lead", is_open=is_open)[0] for is_open in (True, False))
    assert one.tobytes() == other.tobytes()
