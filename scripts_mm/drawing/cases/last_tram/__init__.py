"""The pictures of "The Last Tram", with their drawing in each language."""

from collections.abc import Mapping

from scripts_mm.drawing.cases import Drawing
from scripts_mm.drawing.cases.last_tram.line_map import draw_line_map
from scripts_mm.drawing.cases.last_tram.ticket_and_book import (
    LostPropertySpec,
    TicketSpec,
    draw_book,
    draw_ticket,
)
from scripts_mm.drawing.cases.picture_data import PictureData
from scripts_mm.drawing.documents.departure_board import DepartureBoardSpec, draw_departure_board
from scripts_mm.drawing.documents.register_page import RegisterPageSpec, draw_register_page
from scripts_mm.script import Language


def drawings(language: Language) -> Mapping[str, Drawing]:
    """Return the drawing of every picture of the script, by file name."""
    data = PictureData("last-tram", language)
    line = data.texts("map")
    return {
        "map.png": lambda fonts, rng: draw_line_map(line, fonts, rng),
        "timetable.png": data.draw("timetable", DepartureBoardSpec, draw_departure_board),
        "waybill.png": data.draw("waybill", RegisterPageSpec, draw_register_page),
        "calls.png": data.draw("calls", RegisterPageSpec, draw_register_page),
        "ticket.png": data.draw("ticket", TicketSpec, draw_ticket),
        "book.png": data.draw("book", LostPropertySpec, draw_book),
    }
