"""The pictures of "The Last Tram": which there are, and how each is drawn in each language."""

from collections.abc import Mapping

from scripts_mm.drawing.board import board
from scripts_mm.drawing.cases import Drawing
from scripts_mm.drawing.cases.last_tram import en, zh
from scripts_mm.drawing.cases.last_tram.line import line_map
from scripts_mm.drawing.cases.last_tram.office import office
from scripts_mm.drawing.cases.last_tram.recorder import recorder
from scripts_mm.drawing.cases.last_tram.slips import book, ticket
from scripts_mm.drawing.cases.last_tram.words import Words
from scripts_mm.drawing.checklist import checklist
from scripts_mm.drawing.log import log
from scripts_mm.script import Language

WORDS: Mapping[Language, Words] = {"en": en.WORDS, "zh": zh.WORDS}
"""What can be read in the pictures."""
STOPPED_AT = (23, 41)
"""What the time recorder shows: ten minutes more than it was."""
BRIDGE = 2
CELLO = 1


def drawings(language: Language) -> Mapping[str, Drawing]:
    """Return every picture of the script by its file name."""
    words = WORDS[language]
    return {
        "map.png": lambda fonts, rng: line_map(words.line, fonts, rng),
        "timetable.png": lambda fonts, rng: board(words.timetable, fonts, rng),
        "waybill.png": lambda fonts, rng: checklist(words.waybill, fonts, rng),
        "recorder.png": lambda fonts, rng: recorder(STOPPED_AT, words.plate, fonts, rng),
        "calls.png": lambda fonts, rng: log(words.calls, fonts, rng),
        "scene.png": lambda fonts, rng: office(words.scene, fonts, rng),
        "ticket.png": lambda fonts, rng: ticket(words, BRIDGE, fonts, rng),
        "book.png": lambda fonts, rng: book(words, CELLO, fonts, rng),
    }
