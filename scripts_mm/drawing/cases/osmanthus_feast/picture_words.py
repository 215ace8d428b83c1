"""The words in the pictures of "The Osmanthus Feast", in one language."""

from dataclasses import dataclass

from scripts_mm.drawing.cases.osmanthus_feast.account_page import AccountPageSpec
from scripts_mm.drawing.cases.osmanthus_feast.letters_and_forms import (
    HandLetterSpec,
    PawnTicketSpec,
    TelegramSpec,
)
from scripts_mm.drawing.cases.osmanthus_feast.sketch import SketchSpec
from scripts_mm.drawing.documents.newspaper import NewspaperSpec
from scripts_mm.drawing.documents.report_form import ReportFormSpec
from scripts_mm.drawing.photos.bottle import BottleSpec
from scripts_mm.drawing.plans.seating_plan import SeatingPlanSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class OsmanthusFeastWords:
    """All words in the twelve pictures, in one language."""

    seating: SeatingPlanSpec
    photo_caption: str
    sketch: SketchSpec
    bottle: BottleSpec
    report: ReportFormSpec
    pharmacy: AccountPageSpec
    account: AccountPageSpec
    newspaper: NewspaperSpec
    telegram: TelegramSpec
    pawn: PawnTicketSpec
    letter: HandLetterSpec
    note: HandLetterSpec
