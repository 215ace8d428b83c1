"""The pictures of "The Deed of Mill Meadow", with their drawing in each language."""

from collections.abc import Mapping

from scripts_mm.drawing.cases import Drawing
from scripts_mm.drawing.cases.mill_meadow import en, zh
from scripts_mm.drawing.cases.mill_meadow.paper_traces import (
    draw_almanac,
    draw_pad,
    draw_register,
    draw_watermark,
)
from scripts_mm.drawing.cases.mill_meadow.picture_words import MillMeadowWords
from scripts_mm.drawing.cases.mill_meadow.scene import draw_scene
from scripts_mm.drawing.documents.checklist import draw_checklist
from scripts_mm.drawing.documents.printed_log import draw_printed_log
from scripts_mm.drawing.documents.typescript import draw_typescript
from scripts_mm.script import Language

WORDS: Mapping[Language, MillMeadowWords] = {"en": en.WORDS, "zh": zh.WORDS}
"""The words in the pictures, by language."""


def drawings(language: Language) -> Mapping[str, Drawing]:
    """Return the drawing of every picture of the script, by file name."""
    words = WORDS[language]
    return {
        "deed.png": lambda fonts, rng: draw_typescript(words.deed, fonts, rng),
        "watermark.png": lambda fonts, rng: draw_watermark(words, fonts, rng),
        "card.png": lambda fonts, rng: draw_typescript(words.card, fonts, rng),
        "loans.png": lambda fonts, rng: draw_checklist(words.loans, fonts, rng),
        "visitors.png": lambda fonts, rng: draw_printed_log(words.visitors, fonts, rng),
        "scene.png": lambda fonts, rng: draw_scene(words.scene, fonts, rng),
        "pad.png": lambda fonts, rng: draw_pad(words, fonts, rng),
        "register.png": lambda fonts, rng: draw_register(words, fonts, rng),
        "almanac.png": lambda fonts, rng: draw_almanac(words, fonts, rng),
    }
