"""The pictures of "Ward Nine", with their drawing in each language."""

from collections.abc import Mapping

from scripts_mm.drawing.cases import Drawing
from scripts_mm.drawing.cases.picture_data import PictureData
from scripts_mm.drawing.cases.ward_nine.house_plan import draw_house_plan
from scripts_mm.drawing.cases.ward_nine.slip import SlipSpec, draw_slip
from scripts_mm.drawing.documents.autopsy import AutopsySpec, draw_autopsy
from scripts_mm.drawing.documents.hanging_tag import HangingTagSpec, draw_hanging_tag
from scripts_mm.drawing.documents.letter import LetterSpec, draw_letter
from scripts_mm.drawing.documents.printed_log import PrintedLogSpec, draw_printed_log
from scripts_mm.drawing.documents.strip_chart import StripChartSpec, draw_strip_chart
from scripts_mm.drawing.photos.xray import XraySpec, draw_xray
from scripts_mm.drawing.plans.floor_plan import FloorPlanSpec
from scripts_mm.script import Language


def drawings(language: Language) -> Mapping[str, Drawing]:
    """Return the drawing of every picture of the script, by file name."""
    data = PictureData("ward-nine", language)
    return {
        "plan.png": data.draw("plan", FloorPlanSpec, draw_house_plan),
        "xray.png": data.draw("xray", XraySpec, draw_xray),
        "body.png": data.draw("body", AutopsySpec, draw_autopsy),
        "thermo.png": data.draw("thermo", StripChartSpec, draw_strip_chart),
        "belt.png": data.draw("belt", HangingTagSpec, draw_hanging_tag),
        "slip.png": data.draw("slip", SlipSpec, draw_slip),
        "notes.png": data.draw("notes", LetterSpec, draw_letter),
        "handover.png": data.draw("handover", PrintedLogSpec, draw_printed_log),
    }
