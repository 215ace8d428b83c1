"""The painters that a folder's `drawing.toml` can name, so that its pictures need no code."""

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final, TypeVar

from scripts_mm.drawing.cases import Drawing
from scripts_mm.drawing.cases.picture_data import DATA_FILE, Painter, PictureData
from scripts_mm.drawing.documents.autopsy import AutopsySpec, draw_autopsy
from scripts_mm.drawing.documents.checklist import ChecklistSpec, draw_checklist
from scripts_mm.drawing.documents.departure_board import DepartureBoardSpec, draw_departure_board
from scripts_mm.drawing.documents.hanging_tag import HangingTagSpec, draw_hanging_tag
from scripts_mm.drawing.documents.invoice import InvoiceSpec, draw_invoice
from scripts_mm.drawing.documents.letter import LetterSpec, draw_letter
from scripts_mm.drawing.documents.newspaper import NewspaperSpec, draw_newspaper
from scripts_mm.drawing.documents.printed_log import PrintedLogSpec, draw_printed_log
from scripts_mm.drawing.documents.receipt import ReceiptSpec, draw_receipt
from scripts_mm.drawing.documents.register_page import RegisterPageSpec, draw_register_page
from scripts_mm.drawing.documents.report_form import ReportFormSpec, draw_report_form
from scripts_mm.drawing.documents.strip_chart import StripChartSpec, draw_strip_chart
from scripts_mm.drawing.documents.tide_table import TideTableSpec, draw_tide_table
from scripts_mm.drawing.documents.typescript import TypescriptSpec, draw_typescript
from scripts_mm.drawing.photos.chat_screen import ChatScreenSpec, draw_chat_screen
from scripts_mm.drawing.plans.area_map import AreaMapSpec, draw_area_map
from scripts_mm.drawing.plans.floor_plan import FloorPlanSpec, draw_floor_plan
from scripts_mm.drawing.plans.seating_plan import SeatingPlanSpec, draw_seating_plan
from scripts_mm.script import Language, ScriptError

T = TypeVar("T")
_Reader = Callable[[PictureData, str], Drawing]
"""A function from the data and the name of a picture to its drawing."""


def _read_as(wanted: type[T], painter: Painter[T]) -> _Reader:
    return lambda data, picture: data.draw(picture, wanted, painter)


PAINTERS: Final[Mapping[str, _Reader]] = MappingProxyType(
    {
        "area_map": _read_as(AreaMapSpec, draw_area_map),
        "autopsy": _read_as(AutopsySpec, draw_autopsy),
        "chat_screen": _read_as(ChatScreenSpec, draw_chat_screen),
        "checklist": _read_as(ChecklistSpec, draw_checklist),
        "departure_board": _read_as(DepartureBoardSpec, draw_departure_board),
        "floor_plan": _read_as(FloorPlanSpec, draw_floor_plan),
        "hanging_tag": _read_as(HangingTagSpec, draw_hanging_tag),
        "invoice": _read_as(InvoiceSpec, draw_invoice),
        "letter": _read_as(LetterSpec, draw_letter),
        "newspaper": _read_as(NewspaperSpec, draw_newspaper),
        "printed_log": _read_as(PrintedLogSpec, draw_printed_log),
        "receipt": _read_as(ReceiptSpec, draw_receipt),
        "register_page": _read_as(RegisterPageSpec, draw_register_page),
        "report_form": _read_as(ReportFormSpec, draw_report_form),
        "seating_plan": _read_as(SeatingPlanSpec, draw_seating_plan),
        "strip_chart": _read_as(StripChartSpec, draw_strip_chart),
        "tide_table": _read_as(TideTableSpec, draw_tide_table),
        "typescript": _read_as(TypescriptSpec, draw_typescript),
    }
)
"""Readers of a picture's table, by the name of the painter."""


def read_drawings(folder: Path, language: Language) -> Mapping[str, Drawing] | None:
    """Return the drawings of `folder` by file name, or None if its data name no painters.

    Raises ScriptError if the file cannot be read, one of its pictures has no known painter, or a
    table has a bad key.
    """
    if not (folder / DATA_FILE).is_file():
        return None
    data = PictureData(folder.name, language, folder.parent)
    if not any(data.painters.values()):
        return None
    return {f"{picture}.png": _read(data, picture) for picture in data.painters}


def _read(data: PictureData, picture: str) -> Drawing:
    name = data.painters[picture]
    reader = PAINTERS.get(str(name))
    if reader is None:
        raise ScriptError(
            f"{DATA_FILE}: {picture}: wanted painter, one of {', '.join(PAINTERS)}; got {name!r}"
        )
    return reader(data, picture)
