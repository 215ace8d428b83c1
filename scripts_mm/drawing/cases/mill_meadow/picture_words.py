"""The words in the pictures of "The Deed of Mill Meadow", in one language."""

from dataclasses import dataclass

from scripts_mm.drawing.documents.checklist import ChecklistSpec
from scripts_mm.drawing.documents.printed_log import PrintedLogSpec
from scripts_mm.drawing.documents.typescript import TypescriptSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class MillMeadowWords:
    """All words in the nine pictures, in one language."""

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
    """Lines of the torn-off sheet."""
    register: str
    slip: tuple[str, str]
    almanac: str
    entries: tuple[str, ...]
    marked: int
    """Number of the marked entry, from 0."""
