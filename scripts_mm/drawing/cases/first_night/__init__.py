"""The pictures of "The First Night", with their drawing in each language."""

from collections.abc import Mapping

from scripts_mm.drawing.cases import Drawing
from scripts_mm.drawing.cases.first_night import en, zh
from scripts_mm.drawing.cases.first_night.photo import StagePhotoSpec, draw_photo
from scripts_mm.drawing.cases.first_night.picture_words import FirstNightWords
from scripts_mm.drawing.cases.first_night.scene import SceneSpec, draw_scene
from scripts_mm.drawing.cases.first_night.theatre_plan import DOORS, ROOMS, THINGS, WAYS
from scripts_mm.drawing.documents.checklist import draw_checklist
from scripts_mm.drawing.documents.invoice import draw_invoice
from scripts_mm.drawing.documents.letter import draw_letter
from scripts_mm.drawing.documents.printed_log import draw_printed_log
from scripts_mm.drawing.documents.report_form import draw_report_form
from scripts_mm.drawing.photos.chat_screen import draw_chat_screen
from scripts_mm.drawing.plans.floor_plan import FloorPlanSpec, draw_floor_plan
from scripts_mm.script import Language

WORDS: Mapping[Language, FirstNightWords] = {"en": en.WORDS, "zh": zh.WORDS}
"""The words in the pictures, by language."""


def make_plan_spec(words: FirstNightWords) -> FloorPlanSpec:
    """Return the floor plan with the labels of a language."""
    return FloorPlanSpec(
        rooms=ROOMS,
        doors=DOORS,
        things=THINGS,
        ways=WAYS,
        words=words.plan,
        title=words.plan["title"],
        notes=words.plan_notes,
        notes_at=(84, 892),
    )


def make_scene_spec(words: FirstNightWords) -> SceneSpec:
    """Return the dressing room: binder 4 is missing, weight 6 is below the couch."""
    return SceneSpec(
        caption=words.scene_caption, binders=("1", "2", "3", "", "5"), weight="6", clock=(20, 50)
    )


def make_photo_spec(words: FirstNightWords) -> StagePhotoSpec:
    """Return the storm: the figure on the bridge carries its lantern in its left hand."""
    return StagePhotoSpec(caption=words.photo_caption, stamp=words.photo_stamp, lantern_left=True)


def drawings(language: Language) -> Mapping[str, Drawing]:
    """Return the drawing of every picture of the script, by file name."""
    words = WORDS[language]
    return {
        "plan.png": lambda fonts, rng: draw_floor_plan(make_plan_spec(words), fonts, rng),
        "scene.png": lambda fonts, rng: draw_scene(make_scene_spec(words), fonts, rng),
        "photo.png": lambda fonts, rng: draw_photo(make_photo_spec(words), fonts, rng),
        "log.png": lambda fonts, rng: draw_printed_log(words.log, fonts, rng),
        "chat.png": lambda fonts, rng: draw_chat_screen(words.chat, fonts, rng),
        "report.png": lambda fonts, rng: draw_report_form(words.report, fonts, rng),
        "invoice.png": lambda fonts, rng: draw_invoice(words.invoice, fonts, rng),
        "letter.png": lambda fonts, rng: draw_letter(words.letter, fonts, rng),
        "running-list.png": lambda fonts, rng: draw_checklist(words.checklist, fonts, rng),
    }
