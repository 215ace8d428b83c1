"""The pictures of "Ward Nine": which there are, and how each is drawn in each language."""

from collections.abc import Mapping

from scripts_mm.drawing.autopsy import autopsy
from scripts_mm.drawing.cases import Drawing
from scripts_mm.drawing.cases.ward_nine import en, zh
from scripts_mm.drawing.cases.ward_nine.house import house
from scripts_mm.drawing.cases.ward_nine.room import room
from scripts_mm.drawing.cases.ward_nine.slip import slip
from scripts_mm.drawing.cases.ward_nine.words import Words
from scripts_mm.drawing.cctv import cctv
from scripts_mm.drawing.chart import chart
from scripts_mm.drawing.letter import letter
from scripts_mm.drawing.log import log
from scripts_mm.drawing.plan import plan
from scripts_mm.drawing.tag import tag
from scripts_mm.drawing.xray import xray
from scripts_mm.script import Language

WORDS: Mapping[Language, Words] = {"en": en.WORDS, "zh": zh.WORDS}
"""What can be read in the pictures."""


def drawings(language: Language) -> Mapping[str, Drawing]:
    """Return every picture of the script by its file name."""
    words = WORDS[language]
    return {
        "plan.png": lambda fonts, rng: plan(house(words.house), fonts, rng),
        "room.png": lambda fonts, rng: room(words.room, fonts, rng),
        "xray.png": lambda fonts, rng: xray(words.xray, fonts, rng),
        "body.png": lambda fonts, rng: autopsy(words.body, fonts, rng),
        "camera.png": lambda fonts, rng: cctv(words.camera, fonts, rng),
        "thermo.png": lambda fonts, rng: chart(words.thermo, fonts, rng),
        "belt.png": lambda fonts, rng: tag(words.belt, fonts, rng),
        "slip.png": lambda fonts, rng: slip(words.slip, fonts, rng),
        "notes.png": lambda fonts, rng: letter(words.notes, fonts, rng),
        "handover.png": lambda fonts, rng: log(words.handover, fonts, rng),
    }
