"""The words in the pictures of "The Last Tram", in one language."""

from collections.abc import Mapping
from dataclasses import dataclass

from scripts_mm.drawing.documents.checklist import ChecklistSpec
from scripts_mm.drawing.documents.departure_board import DepartureBoardSpec
from scripts_mm.drawing.documents.printed_log import PrintedLogSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class LastTramWords:
    """All words in the eight pictures, in one language."""

    line: Mapping[str, str]
    """Labels of the strip map by their keys in line_map.py."""
    timetable: DepartureBoardSpec
    waybill: ChecklistSpec
    plate: str
    """Plate of the time recorder."""
    calls: PrintedLogSpec
    scene: str
    """Caption of the photograph."""
    ticket: tuple[str, ...]
    """Line, direction, number, date, small print."""
    stops: tuple[str, ...]
    """Stops from the Harbour to the depot."""
    book_title: str
    book: tuple[tuple[str, str, str], ...]
    """Number, date and object of each entry."""
    sold: str
    """The second entry on the cello."""
