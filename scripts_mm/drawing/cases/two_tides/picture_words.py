"""The words in the pictures of "Two Tides", in one language."""

from collections.abc import Mapping
from dataclasses import dataclass

from scripts_mm.drawing.documents.autopsy import AutopsySpec
from scripts_mm.drawing.documents.checklist import ChecklistSpec
from scripts_mm.drawing.documents.letter import LetterSpec
from scripts_mm.drawing.documents.printed_log import PrintedLogSpec
from scripts_mm.drawing.documents.receipt import ReceiptSpec
from scripts_mm.drawing.documents.tide_table import TideTableSpec
from scripts_mm.drawing.photos.chat_screen import ChatScreenSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoTidesWords:
    """All words in the thirteen pictures, in one language."""

    island: Mapping[str, str]
    """Labels of the map by their keys in island_map.py."""
    island_notes: tuple[str, ...]
    tide: TideTableSpec
    photo_caption: str
    photo_names: tuple[str, ...]
    """Names by number, one line per row."""
    film: tuple[str, ...]
    """Exposed lines of the X-ray film."""
    film_marker: str
    ambrose: AutopsySpec
    maud: AutopsySpec
    shells: tuple[str, str, str]
    """Labels of both trays, and the caption."""
    camera: str
    camera_stamps: tuple[str, str, str, str]
    chat: ChatScreenSpec
    book: ChecklistSpec
    strip: PrintedLogSpec
    letter: LetterSpec
    receipt: ReceiptSpec
