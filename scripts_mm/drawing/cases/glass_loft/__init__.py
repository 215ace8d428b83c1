"""The pictures of "The Glass Loft", with their drawing in each language."""

from collections.abc import Mapping

from scripts_mm.drawing.cases import Drawing
from scripts_mm.drawing.cases.picture_data import PictureData
from scripts_mm.drawing.documents.checklist import ChecklistSpec, draw_checklist
from scripts_mm.drawing.documents.invoice import InvoiceSpec, draw_invoice
from scripts_mm.drawing.documents.letter import LetterSpec, draw_letter
from scripts_mm.drawing.documents.newspaper import NewspaperSpec, draw_newspaper
from scripts_mm.drawing.documents.receipt import ReceiptSpec, draw_receipt
from scripts_mm.drawing.documents.strip_chart import StripChartSpec, draw_strip_chart
from scripts_mm.drawing.plans.floor_plan import FloorPlanSpec, draw_floor_plan
from scripts_mm.script import Language


def drawings(language: Language) -> Mapping[str, Drawing]:
    """Return the drawing of every picture of the script, by file name."""
    data = PictureData("glass-loft", language)
    return {
        "plan.png": data.draw("plan", FloorPlanSpec, draw_floor_plan),
        "chart.png": data.draw("chart", StripChartSpec, draw_strip_chart),
        "order.png": data.draw("order", ChecklistSpec, draw_checklist),
        "call.png": data.draw("call", ReceiptSpec, draw_receipt),
        "glazier.png": data.draw("glazier", InvoiceSpec, draw_invoice),
        "cutting.png": data.draw("cutting", NewspaperSpec, draw_newspaper),
        "letter.png": data.draw("letter", LetterSpec, draw_letter),
    }
