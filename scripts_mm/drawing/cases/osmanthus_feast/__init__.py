"""The pictures of "The Osmanthus Feast", with their drawing in each language."""

from collections.abc import Mapping

from scripts_mm.drawing.cases import Drawing
from scripts_mm.drawing.cases.osmanthus_feast.account_page import AccountPageSpec, draw_account_page
from scripts_mm.drawing.cases.osmanthus_feast.letters_and_forms import (
    HandLetterSpec,
    PawnTicketSpec,
    TelegramSpec,
    draw_hand_letter,
    draw_pawn_ticket,
    draw_telegram,
)
from scripts_mm.drawing.cases.osmanthus_feast.sketch import SketchSpec, draw_sketch
from scripts_mm.drawing.cases.picture_data import PictureData
from scripts_mm.drawing.documents.newspaper import NewspaperSpec, draw_newspaper
from scripts_mm.drawing.documents.report_form import ReportFormSpec, draw_report_form
from scripts_mm.drawing.plans.seating_plan import SeatingPlanSpec, draw_seating_plan
from scripts_mm.script import Language


def drawings(language: Language) -> Mapping[str, Drawing]:
    """Return the drawing of every picture of the script, by file name."""
    data = PictureData("osmanthus-feast", language)
    return {
        "seating.png": data.draw("seating", SeatingPlanSpec, draw_seating_plan),
        "sketch.png": data.draw("sketch", SketchSpec, draw_sketch),
        "report.png": data.draw("report", ReportFormSpec, draw_report_form),
        "pharmacy.png": data.draw("pharmacy", AccountPageSpec, draw_account_page),
        "newspaper.png": data.draw("newspaper", NewspaperSpec, draw_newspaper),
        "telegram.png": data.draw("telegram", TelegramSpec, draw_telegram),
        "pawn.png": data.draw("pawn", PawnTicketSpec, draw_pawn_ticket),
        "account.png": data.draw("account", AccountPageSpec, draw_account_page),
        "letter.png": data.draw("letter", HandLetterSpec, draw_hand_letter),
        "note.png": data.draw("note", HandLetterSpec, draw_hand_letter),
    }
