"""What a language says in the pictures of "The Last Tram"."""

from collections.abc import Mapping
from dataclasses import dataclass

from scripts_mm.drawing.board import BoardSpec
from scripts_mm.drawing.checklist import ChecklistSpec
from scripts_mm.drawing.log import LogSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """Everything that can be read in the eight pictures, in one language."""

    line: Mapping[str, str]
    """Labels of the strip map by their keys in line.py."""
    timetable: BoardSpec
    waybill: ChecklistSpec
    plate: str
    """On the time recorder."""
    calls: LogSpec
    scene: str
    """Caption of the photograph."""
    ticket: tuple[str, ...]
    """Line, direction, number, date, small print."""
    stops: tuple[str, ...]
    """From the Harbour to the depot."""
    book_title: str
    book: tuple[tuple[str, str, str], ...]
    """Number, date and thing of each entry."""
    sold: str
    """The second entry on the cello."""
