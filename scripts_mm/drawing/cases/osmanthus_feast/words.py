"""What a language says in the pictures of "The Osmanthus Feast"."""

from dataclasses import dataclass

from scripts_mm.drawing.bottle import BottleSpec
from scripts_mm.drawing.cases.osmanthus_feast.ledger import LedgerSpec
from scripts_mm.drawing.cases.osmanthus_feast.place import PlaceSpec
from scripts_mm.drawing.cases.osmanthus_feast.sheets import HandSpec, PawnSpec, TelegramSpec
from scripts_mm.drawing.newspaper import NewspaperSpec
from scripts_mm.drawing.report import ReportSpec
from scripts_mm.drawing.seating import SeatingSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """Everything that can be read in the twelve pictures, in one language."""

    seating: SeatingSpec
    photo_caption: str
    sketch: PlaceSpec
    bottle: BottleSpec
    report: ReportSpec
    pharmacy: LedgerSpec
    account: LedgerSpec
    newspaper: NewspaperSpec
    telegram: TelegramSpec
    pawn: PawnSpec
    letter: HandSpec
    note: HandSpec
