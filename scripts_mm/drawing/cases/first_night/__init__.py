"""The pictures of "The First Night": which there are, and how each is drawn in each language."""

from collections.abc import Mapping

from scripts_mm.drawing.cases import Drawing
from scripts_mm.drawing.cases.first_night import en, zh
from scripts_mm.drawing.cases.first_night.plan import DOORS, ROOMS, THINGS, WAYS
from scripts_mm.drawing.cases.first_night.scene import SceneSpec, scene
from scripts_mm.drawing.cases.first_night.stage import StageSpec, stage
from scripts_mm.drawing.cases.first_night.words import Words
from scripts_mm.drawing.chat import chat
from scripts_mm.drawing.checklist import checklist
from scripts_mm.drawing.invoice import invoice
from scripts_mm.drawing.letter import letter
from scripts_mm.drawing.log import log
from scripts_mm.drawing.plan import PlanSpec, plan
from scripts_mm.drawing.report import report
from scripts_mm.script import Language

WORDS: Mapping[Language, Words] = {"en": en.WORDS, "zh": zh.WORDS}
"""What can be read in the pictures."""


def plan_of(words: Words) -> PlanSpec:
    """Return the floor plan with the labels of a language."""
    return PlanSpec(
        rooms=ROOMS,
        doors=DOORS,
        things=THINGS,
        ways=WAYS,
        words=words.plan,
        title=words.plan["title"],
        notes=words.plan_notes,
        notes_at=(84, 892),
    )


def scene_of(words: Words) -> SceneSpec:
    """Return the dressing room: binder 4 is missing, weight 6 lies below the couch."""
    return SceneSpec(
        caption=words.scene_caption, binders=("1", "2", "3", "", "5"), weight="6", clock=(20, 50)
    )


def photo_of(words: Words) -> StageSpec:
    """Return the storm: the figure on the bridge carries its lantern in its left hand."""
    return StageSpec(caption=words.photo_caption, stamp=words.photo_stamp, lantern_left=True)


def drawings(language: Language) -> Mapping[str, Drawing]:
    """Return every picture of the script by its file name."""
    words = WORDS[language]
    return {
        "plan.png": lambda fonts, rng: plan(plan_of(words), fonts, rng),
        "scene.png": lambda fonts, rng: scene(scene_of(words), fonts, rng),
        "photo.png": lambda fonts, rng: stage(photo_of(words), fonts, rng),
        "log.png": lambda fonts, rng: log(words.log, fonts, rng),
        "chat.png": lambda fonts, rng: chat(words.chat, fonts, rng),
        "report.png": lambda fonts, rng: report(words.report, fonts, rng),
        "invoice.png": lambda fonts, rng: invoice(words.invoice, fonts, rng),
        "letter.png": lambda fonts, rng: letter(words.letter, fonts, rng),
        "running-list.png": lambda fonts, rng: checklist(words.checklist, fonts, rng),
    }
