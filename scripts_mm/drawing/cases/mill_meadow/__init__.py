"""The pictures of "The Deed of Mill Meadow": which there are, and how each is drawn."""

from collections.abc import Mapping

from scripts_mm.drawing.cases import Drawing
from scripts_mm.drawing.cases.mill_meadow import en, zh
from scripts_mm.drawing.cases.mill_meadow.maproom import maproom
from scripts_mm.drawing.cases.mill_meadow.sheets import almanac, pad, register, watermark
from scripts_mm.drawing.cases.mill_meadow.words import Words
from scripts_mm.drawing.checklist import checklist
from scripts_mm.drawing.log import log
from scripts_mm.drawing.typescript import typescript
from scripts_mm.script import Language

WORDS: Mapping[Language, Words] = {"en": en.WORDS, "zh": zh.WORDS}
"""What can be read in the pictures."""


def drawings(language: Language) -> Mapping[str, Drawing]:
    """Return every picture of the script by its file name."""
    words = WORDS[language]
    return {
        "deed.png": lambda fonts, rng: typescript(words.deed, fonts, rng),
        "watermark.png": lambda fonts, rng: watermark(words, fonts, rng),
        "card.png": lambda fonts, rng: typescript(words.card, fonts, rng),
        "loans.png": lambda fonts, rng: checklist(words.loans, fonts, rng),
        "visitors.png": lambda fonts, rng: log(words.visitors, fonts, rng),
        "scene.png": lambda fonts, rng: maproom(words.scene, fonts, rng),
        "pad.png": lambda fonts, rng: pad(words, fonts, rng),
        "register.png": lambda fonts, rng: register(words, fonts, rng),
        "almanac.png": lambda fonts, rng: almanac(words, fonts, rng),
    }
