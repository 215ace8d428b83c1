"""The words in the pictures of "The Glass Loft", in one language."""

from collections.abc import Mapping
from dataclasses import dataclass

from scripts_mm.drawing.documents.checklist import ChecklistSpec
from scripts_mm.drawing.documents.invoice import InvoiceSpec
from scripts_mm.drawing.documents.letter import LetterSpec
from scripts_mm.drawing.documents.newspaper import NewspaperSpec
from scripts_mm.drawing.documents.receipt import ReceiptSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class GlassLoftWords:
    """All words in the ten pictures, in one language."""

    plan: Mapping[str, str]
    """Labels of the loft's plan by their keys in plan_and_chart.py."""
    plan_title: str
    plan_notes: tuple[str, ...]
    door: str
    """Caption of the photograph of the bolt."""
    clock: str
    """Caption of the photograph of the clock."""
    plate: str
    """Engraving on the clock."""
    pane: str
    """Caption of the photograph of the roof."""
    chart: Mapping[str, str]
    """Title, unit and remarks of the strip by their keys in plan_and_chart.py."""
    order: ChecklistSpec
    call: ReceiptSpec
    glazier: InvoiceSpec
    cutting: NewspaperSpec
    letter: LetterSpec
