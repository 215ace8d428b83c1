"""The pictures of "Six Bowls of Tea", with their drawing in each language."""

from collections.abc import Mapping
from random import Random

from PIL import Image

from scripts_mm.drawing.cases import Drawing
from scripts_mm.drawing.cases.picture_data import PictureData
from scripts_mm.drawing.cases.six_bowls.alarm_form import AlarmFormSpec, draw_alarm_form
from scripts_mm.drawing.cases.six_bowls.bill import BillSpec, draw_bill
from scripts_mm.drawing.cases.six_bowls.catch_mat import CatchSpec, draw_catch
from scripts_mm.drawing.cases.six_bowls.shift_board import ShiftBoardSpec, draw_shift_board
from scripts_mm.drawing.cases.six_bowls.slips import BlotSpec, LogSlipSpec, draw_blot, draw_slip
from scripts_mm.drawing.cases.six_bowls.tap_wall import TapWallSpec, draw_tap_wall
from scripts_mm.drawing.cases.six_bowls.wrapper import WrapperSpec, draw_wrapper
from scripts_mm.drawing.cases.six_bowls.yard_map import YardMapSpec, draw_yard_map
from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.script import Language

SHARES: Mapping[str, float] = {"notice.png": 0.84, "blot.png": 0.84, "roster.png": 0.94}
"""Scale of the finished pictures relative to the drawn ones."""
SLIPS = ("slip-1", "slip-2", "slip-3", "slip-4")
"""The four slips that are left of the page."""


def drawings(language: Language) -> Mapping[str, Drawing]:
    """Return the drawing of every picture of the script, by file name."""
    data = PictureData("six-bowls", language)
    full = {
        "plan.png": data.draw("plan", YardMapSpec, draw_yard_map),
        "tap.png": data.draw("tap", TapWallSpec, draw_tap_wall),
        "alarm.png": data.draw("alarm", AlarmFormSpec, draw_alarm_form),
        "catch.png": data.draw("catch", CatchSpec, draw_catch),
        "notice.png": data.draw("notice", BillSpec, draw_bill),
        "roster.png": data.draw("roster", ShiftBoardSpec, draw_shift_board),
        "wrapper.png": data.draw("wrapper", WrapperSpec, draw_wrapper),
        **{f"{slip}.png": data.draw(slip, LogSlipSpec, draw_slip) for slip in SLIPS},
        "blot.png": data.draw("blot", BlotSpec, draw_blot),
    }
    return {name: _shrink(draw, SHARES.get(name, 1.0)) for name, draw in full.items()}


def _shrink(draw: Drawing, share: float) -> Drawing:
    """Return the drawing at `share` of its width, for a smaller file."""

    def draw_small(fonts: Fonts, rng: Random) -> Image.Image:
        image = draw(fonts, rng)
        size = (round(image.size[0] * share), round(image.size[1] * share))
        return image.resize(size, Image.Resampling.LANCZOS)

    return draw_small
