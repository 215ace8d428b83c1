"""The words in the pictures of "The Quiet Harvest", in one language."""

from collections.abc import Mapping
from dataclasses import dataclass

from scripts_mm.drawing.cases.quiet_harvest.book_page import BookPageSpec
from scripts_mm.drawing.cases.quiet_harvest.capitals import CapitalsSpec
from scripts_mm.drawing.cases.quiet_harvest.clapper import ClapperSpec
from scripts_mm.drawing.cases.quiet_harvest.hut import HutSpec
from scripts_mm.drawing.cases.quiet_harvest.recovery import RecoverySpec
from scripts_mm.drawing.documents.invoice import InvoiceSpec
from scripts_mm.drawing.documents.letter import LetterSpec
from scripts_mm.drawing.documents.report_form import ReportFormSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class QuietHarvestWords:
    """All words in the twelve pictures, in one language."""

    map: Mapping[str, str]
    map_notes: tuple[str, ...]
    group_caption: str
    group_names: str
    group_size: int
    recovery: RecoverySpec
    hut: HutSpec
    strip: tuple[str, str, str]
    """Title, axis label and note in the margin."""
    clapper: ClapperSpec
    register: BookPageSpec
    water_book: BookPageSpec
    capitals: CapitalsSpec
    letter: LetterSpec
    receipt: InvoiceSpec
    report: ReportFormSpec
