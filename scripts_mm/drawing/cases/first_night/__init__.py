"""The pictures of "The First Night", with their drawing in each language."""

from collections.abc import Mapping

from scripts_mm.drawing.cases import Drawing
from scripts_mm.drawing.cases.picture_data import PictureData
from scripts_mm.drawing.documents.checklist import ChecklistSpec, draw_checklist
from scripts_mm.drawing.documents.invoice import InvoiceSpec, draw_invoice
from scripts_mm.drawing.documents.letter import LetterSpec, draw_letter
from scripts_mm.drawing.documents.printed_log import PrintedLogSpec, draw_printed_log
from scripts_mm.drawing.documents.report_form import ReportFormSpec, draw_report_form
from scripts_mm.drawing.photos.chat_screen import ChatScreenSpec, draw_chat_screen
from scripts_mm.drawing.plans.floor_plan import FloorPlanSpec, draw_floor_plan
from scripts_mm.script import Language


def drawings(language: Language) -> Mapping[str, Drawing]:
    """Return the drawing of every picture of the script, by file name."""
    data = PictureData("first-night", language)
    return {
        "plan.png": data.draw("plan", FloorPlanSpec, draw_floor_plan),
        "log.png": data.draw("log", PrintedLogSpec, draw_printed_log),
        "chat.png": data.draw("chat", ChatScreenSpec, draw_chat_screen),
        "report.png": data.draw("report", ReportFormSpec, draw_report_form),
        "invoice.png": data.draw("invoice", InvoiceSpec, draw_invoice),
        "letter.png": data.draw("letter", LetterSpec, draw_letter),
        "running-list.png": data.draw("running-list", ChecklistSpec, draw_checklist),
    }
