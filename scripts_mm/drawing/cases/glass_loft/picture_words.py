"""What a language says in the pictures of "The Glass Loft"."""

from collections.abc import Mapping
from dataclasses import dataclass

from scripts_mm.drawing.documents.checklist import ChecklistSpec
from scripts_mm.drawing.documents.invoice import InvoiceSpec
from scripts_mm.drawing.documents.letter import LetterSpec
from scripts_mm.drawing.documents.newspaper import NewspaperSpec
from scripts_mm.drawing.documents.receipt import ReceiptSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class GlassLoftWords:
    """Everything that can be read in the ten pictures, in one language."""

    plan: Mapping[str, str]
    """Labels of the loft's plan by their keys in loft.py."""
    plan_title: str
    plan_notes: tuple[str, ...]
    door: str
    """Caption of the photograph of the bolt."""
    clock: str
    """Caption of the photograph of the clock."""
    plate: str
    """Engraved on the clock."""
    pane: str
    """Caption of the photograph of the roof."""
    chart: Mapping[str, str]
    """Title, unit and remarks of the strip by their keys in loft.py."""
    order: ChecklistSpec
    call: ReceiptSpec
    glazier: InvoiceSpec
    cutting: NewspaperSpec
    letter: LetterSpec
