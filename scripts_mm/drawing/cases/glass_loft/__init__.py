"""The pictures of "The Glass Loft": which there are, and how each is drawn in each language."""

from collections.abc import Mapping

from scripts_mm.drawing.cases import Drawing
from scripts_mm.drawing.cases.glass_loft import en, zh
from scripts_mm.drawing.cases.glass_loft.clock import clock
from scripts_mm.drawing.cases.glass_loft.door import door
from scripts_mm.drawing.cases.glass_loft.loft import loft, strip
from scripts_mm.drawing.cases.glass_loft.pane import pane
from scripts_mm.drawing.cases.glass_loft.words import Words
from scripts_mm.drawing.checklist import checklist
from scripts_mm.drawing.invoice import invoice
from scripts_mm.drawing.letter import letter
from scripts_mm.drawing.newspaper import newspaper
from scripts_mm.drawing.receipt import receipt
from scripts_mm.script import Language

WORDS: Mapping[Language, Words] = {"en": en.WORDS, "zh": zh.WORDS}
"""What can be read in the pictures."""


def drawings(language: Language) -> Mapping[str, Drawing]:
    """Return every picture of the script by its file name."""
    words = WORDS[language]
    return {
        "plan.png": lambda fonts, rng: loft(words, fonts, rng),
        "door.png": lambda fonts, rng: door(words.door, fonts, rng),
        "clock.png": lambda fonts, rng: clock(words.plate, words.clock, fonts, rng),
        "pane.png": lambda fonts, rng: pane(words.pane, fonts, rng),
        "chart.png": lambda fonts, rng: strip(words.chart, fonts, rng),
        "order.png": lambda fonts, rng: checklist(words.order, fonts, rng),
        "call.png": lambda fonts, rng: receipt(words.call, fonts, rng),
        "glazier.png": lambda fonts, rng: invoice(words.glazier, fonts, rng),
        "cutting.png": lambda fonts, rng: newspaper(words.cutting, fonts, rng),
        "letter.png": lambda fonts, rng: letter(words.letter, fonts, rng),
    }
