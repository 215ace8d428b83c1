"""The pictures of "The Last Tram", with their drawing in each language."""

from collections.abc import Mapping

from scripts_mm.drawing.cases import Drawing
from scripts_mm.drawing.cases.last_tram import en, zh
from scripts_mm.drawing.cases.last_tram.line_map import draw_line_map
from scripts_mm.drawing.cases.last_tram.picture_words import LastTramWords
from scripts_mm.drawing.cases.last_tram.recorder import draw_recorder
from scripts_mm.drawing.cases.last_tram.scene import draw_scene
from scripts_mm.drawing.cases.last_tram.ticket_and_book import draw_book, draw_ticket
from scripts_mm.drawing.documents.checklist import draw_checklist
from scripts_mm.drawing.documents.departure_board import draw_departure_board
from scripts_mm.drawing.documents.printed_log import draw_printed_log
from scripts_mm.script import Language

WORDS: Mapping[Language, LastTramWords] = {"en": en.WORDS, "zh": zh.WORDS}
"""The words in the pictures, by language."""
STOPPED_AT = (23, 41)
"""Reading of the time recorder: ten minutes ahead of the true time."""
BRIDGE = 2
CELLO = 1


def drawings(language: Language) -> Mapping[str, Drawing]:
    """Return the drawing of every picture of the script, by file name."""
    words = WORDS[language]
    return {
        "map.png": lambda fonts, rng: draw_line_map(words.line, fonts, rng),
        "timetable.png": lambda fonts, rng: draw_departure_board(words.timetable, fonts, rng),
        "waybill.png": lambda fonts, rng: draw_checklist(words.waybill, fonts, rng),
        "recorder.png": lambda fonts, rng: draw_recorder(STOPPED_AT, words.plate, fonts, rng),
        "calls.png": lambda fonts, rng: draw_printed_log(words.calls, fonts, rng),
        "scene.png": lambda fonts, rng: draw_scene(words.scene, fonts, rng),
        "ticket.png": lambda fonts, rng: draw_ticket(words, BRIDGE, fonts, rng),
        "book.png": lambda fonts, rng: draw_book(words, CELLO, fonts, rng),
    }
