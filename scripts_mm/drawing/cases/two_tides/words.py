"""What a language says in the pictures of "Two Tides"."""

from collections.abc import Mapping
from dataclasses import dataclass

from scripts_mm.drawing.autopsy import AutopsySpec
from scripts_mm.drawing.chat import ChatSpec
from scripts_mm.drawing.checklist import ChecklistSpec
from scripts_mm.drawing.letter import LetterSpec
from scripts_mm.drawing.log import LogSpec
from scripts_mm.drawing.receipt import ReceiptSpec
from scripts_mm.drawing.tide import TideSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """Everything that can be read in the thirteen pictures, in one language."""

    island: Mapping[str, str]
    """Labels of the map by their keys in island.py."""
    island_notes: tuple[str, ...]
    tide: TideSpec
    photo_caption: str
    photo_names: tuple[str, ...]
    """Who is who, one line a row."""
    film: tuple[str, ...]
    """Exposed lines of the X-ray film."""
    film_marker: str
    ambrose: AutopsySpec
    maud: AutopsySpec
    shells: tuple[str, str, str]
    """Labels of both trays and the caption."""
    camera: str
    camera_stamps: tuple[str, str, str, str]
    chat: ChatSpec
    book: ChecklistSpec
    strip: LogSpec
    letter: LetterSpec
    receipt: ReceiptSpec
