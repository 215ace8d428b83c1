"""The words in the pictures of "The First Night", in one language."""

from collections.abc import Mapping
from dataclasses import dataclass

from scripts_mm.drawing.documents.checklist import ChecklistSpec
from scripts_mm.drawing.documents.invoice import InvoiceSpec
from scripts_mm.drawing.documents.letter import LetterSpec
from scripts_mm.drawing.documents.printed_log import PrintedLogSpec
from scripts_mm.drawing.documents.report_form import ReportFormSpec
from scripts_mm.drawing.photos.chat_screen import ChatScreenSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstNightWords:
    """All words in the nine pictures, in one language."""

    letter: LetterSpec
    report: ReportFormSpec
    chat: ChatScreenSpec
    invoice: InvoiceSpec
    log: PrintedLogSpec
    checklist: ChecklistSpec
    plan: Mapping[str, str]
    """Labels of the plan by their keys in theatre_plan.py."""
    plan_notes: tuple[str, ...]
    scene_caption: str
    photo_caption: str
    photo_stamp: str
