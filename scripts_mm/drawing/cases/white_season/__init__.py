"""The pictures of "White Season", with their drawing in each language."""

from collections.abc import Mapping

from scripts_mm.drawing.cases import Drawing
from scripts_mm.drawing.cases.picture_data import PictureData
from scripts_mm.drawing.documents.checklist import ChecklistSpec, draw_checklist
from scripts_mm.drawing.documents.hanging_tag import HangingTagSpec, draw_hanging_tag
from scripts_mm.drawing.documents.invoice import InvoiceSpec, draw_invoice
from scripts_mm.drawing.documents.printed_log import PrintedLogSpec, draw_printed_log
from scripts_mm.drawing.documents.report_form import ReportFormSpec, draw_report_form
from scripts_mm.drawing.documents.strip_chart import StripChartSpec, draw_strip_chart
from scripts_mm.drawing.photos.chat_screen import ChatScreenSpec, draw_chat_screen
from scripts_mm.drawing.plans.floor_plan import FloorPlanSpec, draw_floor_plan
from scripts_mm.script import Language


def drawings(language: Language) -> Mapping[str, Drawing]:
    """Return the drawing of every picture of the script, by file name."""
    data = PictureData("white-season", language)
    return {
        "plan.png": data.draw("plan", FloorPlanSpec, draw_floor_plan),
        "door-log.png": data.draw("door-log", PrintedLogSpec, draw_printed_log),
        "sheet.png": data.draw("sheet", ReportFormSpec, draw_report_form),
        "round-book.png": data.draw("round-book", ChecklistSpec, draw_checklist),
        "board.png": data.draw("board", ChatScreenSpec, draw_chat_screen),
        "cold-strip.png": data.draw("cold-strip", StripChartSpec, draw_strip_chart),
        "tag.png": data.draw("tag", HangingTagSpec, draw_hanging_tag),
        "power-log.png": data.draw("power-log", PrintedLogSpec, draw_printed_log),
        "wind-strip.png": data.draw("wind-strip", StripChartSpec, draw_strip_chart),
        "stock-card.png": data.draw("stock-card", InvoiceSpec, draw_invoice),
    }
