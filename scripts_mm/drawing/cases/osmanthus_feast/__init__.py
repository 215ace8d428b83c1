"""The pictures of "The Osmanthus Feast", with their drawing in each language."""

from collections.abc import Mapping

from scripts_mm.drawing.cases import Drawing
from scripts_mm.drawing.cases.osmanthus_feast import en, zh
from scripts_mm.drawing.cases.osmanthus_feast.account_page import draw_account_page
from scripts_mm.drawing.cases.osmanthus_feast.letters_and_forms import (
    draw_hand_letter,
    draw_pawn_ticket,
    draw_telegram,
)
from scripts_mm.drawing.cases.osmanthus_feast.photo import TablePhotoSpec, draw_photo
from scripts_mm.drawing.cases.osmanthus_feast.picture_words import OsmanthusFeastWords
from scripts_mm.drawing.cases.osmanthus_feast.sketch import draw_sketch
from scripts_mm.drawing.documents.newspaper import draw_newspaper
from scripts_mm.drawing.documents.report_form import draw_report_form
from scripts_mm.drawing.photos.bottle import draw_bottle
from scripts_mm.drawing.plans.seating_plan import draw_seating_plan
from scripts_mm.script import Language

WORDS: Mapping[Language, OsmanthusFeastWords] = {"en": en.WORDS, "zh": zh.WORDS}
"""The words in the pictures, by language."""


def make_photo_spec(words: OsmanthusFeastWords) -> TablePhotoSpec:
    """Return the table at 9:40: the cup of the unoccupied place is full."""
    return TablePhotoSpec(
        caption=words.photo_caption,
        full=(0, 7),
        broken=1,
        unused=0,
        bottle=6,
        bean_curd=1,
        clock=(21, 40),
    )


def drawings(language: Language) -> Mapping[str, Drawing]:
    """Return the drawing of every picture of the script, by file name."""
    words = WORDS[language]
    return {
        "seating.png": lambda fonts, rng: draw_seating_plan(words.seating, fonts, rng),
        "photo.png": lambda fonts, rng: draw_photo(make_photo_spec(words), fonts, rng),
        "sketch.png": lambda fonts, rng: draw_sketch(words.sketch, fonts, rng),
        "bottle.png": lambda fonts, rng: draw_bottle(words.bottle, fonts, rng),
        "report.png": lambda fonts, rng: draw_report_form(words.report, fonts, rng),
        "pharmacy.png": lambda fonts, rng: draw_account_page(words.pharmacy, fonts, rng),
        "newspaper.png": lambda fonts, rng: draw_newspaper(words.newspaper, fonts, rng),
        "telegram.png": lambda fonts, rng: draw_telegram(words.telegram, fonts, rng),
        "pawn.png": lambda fonts, rng: draw_pawn_ticket(words.pawn, fonts, rng),
        "account.png": lambda fonts, rng: draw_account_page(words.account, fonts, rng),
        "letter.png": lambda fonts, rng: draw_hand_letter(words.letter, fonts, rng),
        "note.png": lambda fonts, rng: draw_hand_letter(words.note, fonts, rng),
    }
