"""The pictures of "White Season", with their drawing in each language."""

from collections.abc import Mapping

from scripts_mm.drawing.cases import Drawing
from scripts_mm.drawing.cases.white_season import en, zh
from scripts_mm.drawing.cases.white_season.body import draw_body
from scripts_mm.drawing.cases.white_season.cold_lab import draw_cold_lab
from scripts_mm.drawing.cases.white_season.picture_words import WhiteSeasonWords
from scripts_mm.drawing.cases.white_season.station_plan import DOORS, ROOMS, THINGS, WAYS
from scripts_mm.drawing.documents.checklist import draw_checklist
from scripts_mm.drawing.documents.hanging_tag import draw_hanging_tag
from scripts_mm.drawing.documents.invoice import draw_invoice
from scripts_mm.drawing.documents.printed_log import draw_printed_log
from scripts_mm.drawing.documents.report_form import draw_report_form
from scripts_mm.drawing.documents.strip_chart import draw_strip_chart
from scripts_mm.drawing.photos.chat_screen import draw_chat_screen
from scripts_mm.drawing.plans.floor_plan import FloorPlanSpec, draw_floor_plan
from scripts_mm.script import Language

WORDS: Mapping[Language, WhiteSeasonWords] = {"en": en.WORDS, "zh": zh.WORDS}
"""The words in the pictures, by language."""


def make_plan_spec(words: WhiteSeasonWords) -> FloorPlanSpec:
    """Return the plan with the labels of a language."""
    return FloorPlanSpec(
        rooms=ROOMS,
        doors=DOORS,
        things=THINGS,
        ways=WAYS,
        words=words.plan,
        title=words.plan["title"],
        notes=words.plan_notes,
        notes_at=(44, 856),
    )


def drawings(language: Language) -> Mapping[str, Drawing]:
    """Return the drawing of every picture of the script, by file name."""
    words = WORDS[language]
    return {
        "plan.png": lambda fonts, rng: draw_floor_plan(make_plan_spec(words), fonts, rng),
        "body.png": lambda fonts, rng: draw_body(words.body, fonts, rng),
        "door-log.png": lambda fonts, rng: draw_printed_log(words.door_log, fonts, rng),
        "sheet.png": lambda fonts, rng: draw_report_form(words.sheet, fonts, rng),
        "round-book.png": lambda fonts, rng: draw_checklist(words.round_book, fonts, rng),
        "board.png": lambda fonts, rng: draw_chat_screen(words.board, fonts, rng),
        "cold-strip.png": lambda fonts, rng: draw_strip_chart(words.cold_strip, fonts, rng),
        "cold-lab.png": lambda fonts, rng: draw_cold_lab(words.cold_lab, fonts, rng),
        "tag.png": lambda fonts, rng: draw_hanging_tag(words.tag, fonts, rng),
        "power-log.png": lambda fonts, rng: draw_printed_log(words.power_log, fonts, rng),
        "wind-strip.png": lambda fonts, rng: draw_strip_chart(words.wind_strip, fonts, rng),
        "stock-card.png": lambda fonts, rng: draw_invoice(words.stock_card, fonts, rng),
    }
