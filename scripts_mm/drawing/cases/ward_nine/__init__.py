"""The pictures of "Ward Nine", with their drawing in each language."""

from collections.abc import Mapping

from scripts_mm.drawing.cases import Drawing
from scripts_mm.drawing.cases.ward_nine import en, zh
from scripts_mm.drawing.cases.ward_nine.house_plan import make_plan_spec
from scripts_mm.drawing.cases.ward_nine.picture_words import WardNineWords
from scripts_mm.drawing.cases.ward_nine.room import draw_room
from scripts_mm.drawing.cases.ward_nine.slip import draw_slip
from scripts_mm.drawing.documents.autopsy import draw_autopsy
from scripts_mm.drawing.documents.hanging_tag import draw_hanging_tag
from scripts_mm.drawing.documents.letter import draw_letter
from scripts_mm.drawing.documents.printed_log import draw_printed_log
from scripts_mm.drawing.documents.strip_chart import draw_strip_chart
from scripts_mm.drawing.photos.cctv import draw_cctv
from scripts_mm.drawing.photos.xray import draw_xray
from scripts_mm.drawing.plans.floor_plan import draw_floor_plan
from scripts_mm.script import Language

WORDS: Mapping[Language, WardNineWords] = {"en": en.WORDS, "zh": zh.WORDS}
"""The words in the pictures, by language."""


def drawings(language: Language) -> Mapping[str, Drawing]:
    """Return the drawing of every picture of the script, by file name."""
    words = WORDS[language]
    return {
        "plan.png": lambda fonts, rng: draw_floor_plan(make_plan_spec(words.house), fonts, rng),
        "room.png": lambda fonts, rng: draw_room(words.room, fonts, rng),
        "xray.png": lambda fonts, rng: draw_xray(words.xray, fonts, rng),
        "body.png": lambda fonts, rng: draw_autopsy(words.body, fonts, rng),
        "camera.png": lambda fonts, rng: draw_cctv(words.camera, fonts, rng),
        "thermo.png": lambda fonts, rng: draw_strip_chart(words.thermo, fonts, rng),
        "belt.png": lambda fonts, rng: draw_hanging_tag(words.belt, fonts, rng),
        "slip.png": lambda fonts, rng: draw_slip(words.slip, fonts, rng),
        "notes.png": lambda fonts, rng: draw_letter(words.notes, fonts, rng),
        "handover.png": lambda fonts, rng: draw_printed_log(words.handover, fonts, rng),
    }
