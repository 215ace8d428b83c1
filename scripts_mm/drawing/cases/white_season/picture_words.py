"""The words in the pictures of "White Season", in one language."""

from collections.abc import Mapping
from dataclasses import dataclass

from scripts_mm.drawing.cases.white_season.body import BodySpec
from scripts_mm.drawing.cases.white_season.cold_lab import ColdLabSpec
from scripts_mm.drawing.documents.checklist import ChecklistSpec
from scripts_mm.drawing.documents.hanging_tag import HangingTagSpec
from scripts_mm.drawing.documents.invoice import InvoiceSpec
from scripts_mm.drawing.documents.printed_log import PrintedLogSpec
from scripts_mm.drawing.documents.report_form import ReportFormSpec
from scripts_mm.drawing.documents.strip_chart import StripChartSpec
from scripts_mm.drawing.photos.chat_screen import ChatScreenSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class WhiteSeasonWords:
    """All words in the twelve pictures, in one language."""

    plan: Mapping[str, str]
    """Labels of the plan by their keys in station_plan.py."""
    plan_notes: tuple[str, ...]
    body: BodySpec
    door_log: PrintedLogSpec
    sheet: ReportFormSpec
    round_book: ChecklistSpec
    board: ChatScreenSpec
    cold_strip: StripChartSpec
    cold_lab: ColdLabSpec
    tag: HangingTagSpec
    power_log: PrintedLogSpec
    wind_strip: StripChartSpec
    stock_card: InvoiceSpec
