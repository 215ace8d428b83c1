"""What a language says in the pictures of "White Season"."""

from collections.abc import Mapping
from dataclasses import dataclass

from scripts_mm.drawing.cases.white_season.body import BodySpec
from scripts_mm.drawing.cases.white_season.coldlab import ColdLabSpec
from scripts_mm.drawing.chart import ChartSpec
from scripts_mm.drawing.chat import ChatSpec
from scripts_mm.drawing.checklist import ChecklistSpec
from scripts_mm.drawing.invoice import InvoiceSpec
from scripts_mm.drawing.log import LogSpec
from scripts_mm.drawing.report import ReportSpec
from scripts_mm.drawing.tag import TagSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """Everything that can be read in the twelve pictures, in one language."""

    plan: Mapping[str, str]
    """Labels of the plan by their keys in white_season.plan."""
    plan_notes: tuple[str, ...]
    body: BodySpec
    door_log: LogSpec
    sheet: ReportSpec
    round_book: ChecklistSpec
    board: ChatSpec
    cold_strip: ChartSpec
    cold_lab: ColdLabSpec
    tag: TagSpec
    power_log: LogSpec
    wind_strip: ChartSpec
    stock_card: InvoiceSpec
