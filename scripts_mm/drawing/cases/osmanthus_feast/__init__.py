"""The pictures of "The Osmanthus Feast": which there are, and how each is drawn."""

from collections.abc import Mapping

from scripts_mm.drawing.bottle import bottle
from scripts_mm.drawing.cases import Drawing
from scripts_mm.drawing.cases.osmanthus_feast import en, zh
from scripts_mm.drawing.cases.osmanthus_feast.ledger import ledger
from scripts_mm.drawing.cases.osmanthus_feast.place import place
from scripts_mm.drawing.cases.osmanthus_feast.sheets import hand_letter, pawn, telegram
from scripts_mm.drawing.cases.osmanthus_feast.table import TableSpec, table
from scripts_mm.drawing.cases.osmanthus_feast.words import Words
from scripts_mm.drawing.newspaper import newspaper
from scripts_mm.drawing.report import report
from scripts_mm.drawing.seating import seating
from scripts_mm.script import Language

WORDS: Mapping[Language, Words] = {"en": en.WORDS, "zh": zh.WORDS}
"""What can be read in the pictures."""


def photo_of(words: Words) -> TableSpec:
    """Return the table at 9:40: the cup of the place where nobody sat is full."""
    return TableSpec(
        caption=words.photo_caption,
        full=(0, 7),
        broken=1,
        unused=0,
        bottle=6,
        bean_curd=1,
        clock=(21, 40),
    )


def drawings(language: Language) -> Mapping[str, Drawing]:
    """Return every picture of the script by its file name."""
    words = WORDS[language]
    return {
        "seating.png": lambda fonts, rng: seating(words.seating, fonts, rng),
        "photo.png": lambda fonts, rng: table(photo_of(words), fonts, rng),
        "sketch.png": lambda fonts, rng: place(words.sketch, fonts, rng),
        "bottle.png": lambda fonts, rng: bottle(words.bottle, fonts, rng),
        "report.png": lambda fonts, rng: report(words.report, fonts, rng),
        "pharmacy.png": lambda fonts, rng: ledger(words.pharmacy, fonts, rng),
        "newspaper.png": lambda fonts, rng: newspaper(words.newspaper, fonts, rng),
        "telegram.png": lambda fonts, rng: telegram(words.telegram, fonts, rng),
        "pawn.png": lambda fonts, rng: pawn(words.pawn, fonts, rng),
        "account.png": lambda fonts, rng: ledger(words.account, fonts, rng),
        "letter.png": lambda fonts, rng: hand_letter(words.letter, fonts, rng),
        "note.png": lambda fonts, rng: hand_letter(words.note, fonts, rng),
    }
