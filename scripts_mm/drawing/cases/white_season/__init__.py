"""The pictures of "White Season": which there are, and how each is drawn in each language."""

from collections.abc import Mapping

from scripts_mm.drawing.cases import Drawing
from scripts_mm.drawing.cases.white_season import en, zh
from scripts_mm.drawing.cases.white_season.body import body
from scripts_mm.drawing.cases.white_season.coldlab import coldlab
from scripts_mm.drawing.cases.white_season.plan import DOORS, ROOMS, THINGS, WAYS
from scripts_mm.drawing.cases.white_season.words import Words
from scripts_mm.drawing.chart import chart
from scripts_mm.drawing.chat import chat
from scripts_mm.drawing.checklist import checklist
from scripts_mm.drawing.invoice import invoice
from scripts_mm.drawing.log import log
from scripts_mm.drawing.plan import PlanSpec, plan
from scripts_mm.drawing.report import report
from scripts_mm.drawing.tag import tag
from scripts_mm.script import Language

WORDS: Mapping[Language, Words] = {"en": en.WORDS, "zh": zh.WORDS}
"""What can be read in the pictures."""


def plan_of(words: Words) -> PlanSpec:
    """Return the plan with the labels of a language."""
    return PlanSpec(
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
    """Return every picture of the script by its file name."""
    words = WORDS[language]
    return {
        "plan.png": lambda fonts, rng: plan(plan_of(words), fonts, rng),
        "body.png": lambda fonts, rng: body(words.body, fonts, rng),
        "door-log.png": lambda fonts, rng: log(words.door_log, fonts, rng),
        "sheet.png": lambda fonts, rng: report(words.sheet, fonts, rng),
        "round-book.png": lambda fonts, rng: checklist(words.round_book, fonts, rng),
        "board.png": lambda fonts, rng: chat(words.board, fonts, rng),
        "cold-strip.png": lambda fonts, rng: chart(words.cold_strip, fonts, rng),
        "cold-lab.png": lambda fonts, rng: coldlab(words.cold_lab, fonts, rng),
        "tag.png": lambda fonts, rng: tag(words.tag, fonts, rng),
        "power-log.png": lambda fonts, rng: log(words.power_log, fonts, rng),
        "wind-strip.png": lambda fonts, rng: chart(words.wind_strip, fonts, rng),
        "stock-card.png": lambda fonts, rng: invoice(words.stock_card, fonts, rng),
    }
