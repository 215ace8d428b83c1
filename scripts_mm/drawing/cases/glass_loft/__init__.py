"""The pictures of "The Glass Loft", with their drawing in each language."""

from collections.abc import Mapping

from scripts_mm.drawing.cases import Drawing
from scripts_mm.drawing.cases.glass_loft import en, zh
from scripts_mm.drawing.cases.glass_loft.clock import draw_clock
from scripts_mm.drawing.cases.glass_loft.door import draw_door
from scripts_mm.drawing.cases.glass_loft.pane import draw_pane
from scripts_mm.drawing.cases.glass_loft.picture_words import GlassLoftWords
from scripts_mm.drawing.cases.glass_loft.plan_and_chart import draw_chart, draw_plan
from scripts_mm.drawing.documents.checklist import draw_checklist
from scripts_mm.drawing.documents.invoice import draw_invoice
from scripts_mm.drawing.documents.letter import draw_letter
from scripts_mm.drawing.documents.newspaper import draw_newspaper
from scripts_mm.drawing.documents.receipt import draw_receipt
from scripts_mm.script import Language

WORDS: Mapping[Language, GlassLoftWords] = {"en": en.WORDS, "zh": zh.WORDS}
"""The words in the pictures, by language."""


def drawings(language: Language) -> Mapping[str, Drawing]:
    """Return the drawing of every picture of the script, by file name."""
    words = WORDS[language]
    return {
        "plan.png": lambda fonts, rng: draw_plan(words, fonts, rng),
        "door.png": lambda fonts, rng: draw_door(words.door, fonts, rng),
        "clock.png": lambda fonts, rng: draw_clock(words.plate, words.clock, fonts, rng),
        "pane.png": lambda fonts, rng: draw_pane(words.pane, fonts, rng),
        "chart.png": lambda fonts, rng: draw_chart(words.chart, fonts, rng),
        "order.png": lambda fonts, rng: draw_checklist(words.order, fonts, rng),
        "call.png": lambda fonts, rng: draw_receipt(words.call, fonts, rng),
        "glazier.png": lambda fonts, rng: draw_invoice(words.glazier, fonts, rng),
        "cutting.png": lambda fonts, rng: draw_newspaper(words.cutting, fonts, rng),
        "letter.png": lambda fonts, rng: draw_letter(words.letter, fonts, rng),
    }
