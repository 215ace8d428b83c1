"""What a language says in the pictures of "The Deed of Mill Meadow"."""

from dataclasses import dataclass

from scripts_mm.drawing.documents.checklist import ChecklistSpec
from scripts_mm.drawing.documents.printed_log import PrintedLogSpec
from scripts_mm.drawing.documents.typescript import TypescriptSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class MillMeadowWords:
    """Everything that can be read in the nine pictures, in one language."""

    deed: TypescriptSpec
    card: TypescriptSpec
    watermark: str
    """Below the wheel; the year follows."""
    light_table: str
    """Caption of the photograph of the deed on the light table."""
    loans: ChecklistSpec
    visitors: PrintedLogSpec
    scene: str
    """Caption of the photograph."""
    pad: tuple[str, ...]
    """Lines of the sheet that was torn off."""
    register: str
    slip: tuple[str, str]
    almanac: str
    entries: tuple[str, ...]
    marked: int
    """Number of the entry (from 0) that somebody marked."""
