"""The pictures of "The Drowned Bell", with their drawing in each language."""

from collections.abc import Mapping

from scripts_mm.drawing.cases import Drawing
from scripts_mm.drawing.cases.drowned_bell.barge_plan import BargePlanSpec, draw_barge_plan
from scripts_mm.drawing.cases.drowned_bell.brass_plate import BrassPlateSpec, draw_brass_plate
from scripts_mm.drawing.cases.drowned_bell.contour_map import ContourMapSpec, draw_contour_map
from scripts_mm.drawing.cases.drowned_bell.marks_card import MarksCardSpec, draw_marks_card
from scripts_mm.drawing.cases.drowned_bell.notebook import NotebookSpec, draw_notebook
from scripts_mm.drawing.cases.drowned_bell.slate import SlateSpec, draw_slate
from scripts_mm.drawing.cases.drowned_bell.sounding_line import SoundingLineSpec, draw_line
from scripts_mm.drawing.cases.drowned_bell.valve_box import ValveBoxSpec, draw_valve_box
from scripts_mm.drawing.cases.drowned_bell.water_gauge import WaterGaugeSpec, draw_water_gauge
from scripts_mm.drawing.cases.picture_data import PictureData
from scripts_mm.drawing.documents.register_page import RegisterPageSpec, draw_register_page
from scripts_mm.drawing.documents.typescript import TypescriptSpec, draw_typescript
from scripts_mm.script import Language


def drawings(language: Language) -> Mapping[str, Drawing]:
    """Return the drawing of every picture of the script, by file name."""
    data = PictureData("drowned-bell", language)
    return {
        "plan.png": data.draw("plan", BargePlanSpec, draw_barge_plan),
        "village.png": data.draw("village", ContourMapSpec, draw_contour_map),
        "gauge.png": data.draw("gauge", WaterGaugeSpec, draw_water_gauge),
        "line.png": data.draw("line", SoundingLineSpec, draw_line),
        "valve.png": data.draw("valve", ValveBoxSpec, draw_valve_box),
        "marks.png": data.draw("marks", MarksCardSpec, draw_marks_card),
        "plate.png": data.draw("plate", BrassPlateSpec, draw_brass_plate),
        "slate.png": data.draw("slate", SlateSpec, draw_slate),
        "notebook.png": data.draw("notebook", NotebookSpec, draw_notebook),
        "gatebook.png": data.draw("gatebook", RegisterPageSpec, draw_register_page),
        "letter.png": data.draw("letter", TypescriptSpec, draw_typescript),
    }
