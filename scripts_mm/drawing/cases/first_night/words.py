"""What a language says in the pictures of "The First Night"."""

from collections.abc import Mapping
from dataclasses import dataclass

from scripts_mm.drawing.chat import ChatSpec
from scripts_mm.drawing.checklist import ChecklistSpec
from scripts_mm.drawing.invoice import InvoiceSpec
from scripts_mm.drawing.letter import LetterSpec
from scripts_mm.drawing.log import LogSpec
from scripts_mm.drawing.report import ReportSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """Everything that can be read in the nine pictures, in one language."""

    letter: LetterSpec
    report: ReportSpec
    chat: ChatSpec
    invoice: InvoiceSpec
    log: LogSpec
    checklist: ChecklistSpec
    plan: Mapping[str, str]
    """Labels of the plan by their keys in first_night_plan."""
    plan_notes: tuple[str, ...]
    scene_caption: str
    photo_caption: str
    photo_stamp: str
