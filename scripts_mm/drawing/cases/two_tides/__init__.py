"""The pictures of "Two Tides", with their drawing in each language."""

from collections.abc import Mapping

from scripts_mm.drawing.cases import Drawing
from scripts_mm.drawing.cases.two_tides import en, zh
from scripts_mm.drawing.cases.two_tides.burn import burn_away
from scripts_mm.drawing.cases.two_tides.group import draw_group
from scripts_mm.drawing.cases.two_tides.island_map import draw_island_map
from scripts_mm.drawing.cases.two_tides.picture_words import TwoTidesWords
from scripts_mm.drawing.cases.two_tides.seal_cam import draw_seal_cam
from scripts_mm.drawing.cases.two_tides.shells import draw_shells
from scripts_mm.drawing.documents.autopsy import draw_autopsy
from scripts_mm.drawing.documents.checklist import draw_checklist
from scripts_mm.drawing.documents.letter import draw_letter
from scripts_mm.drawing.documents.printed_log import draw_printed_log
from scripts_mm.drawing.documents.receipt import draw_receipt
from scripts_mm.drawing.documents.tide_table import draw_tide_table
from scripts_mm.drawing.photos.chat_screen import draw_chat_screen
from scripts_mm.drawing.photos.xray import ForeignObject, XraySpec, draw_xray
from scripts_mm.script import Language

WORDS: Mapping[Language, TwoTidesWords] = {"en": en.WORDS, "zh": zh.WORDS}
"""The words in the pictures, by language."""


def make_xray_spec(words: TwoTidesWords) -> XraySpec:
    """Return the film: a broken right collarbone, and a small key on a chain."""
    return XraySpec(
        part="shoulder",
        side="right",
        marker=words.film_marker,
        labels=words.film,
        broken=("clavicle",),
        foreign=(ForeignObject(metal="key", at=(0.83, 0.42), size=0.15, turn=8),),
    )


def drawings(language: Language) -> Mapping[str, Drawing]:
    """Return the drawing of every picture of the script, by file name."""
    words = WORDS[language]
    stamps = words.camera_stamps
    slip = (0.96, 0.80)
    return {
        "map.png": lambda fonts, rng: draw_island_map(words.island, words.island_notes, fonts, rng),
        "tide.png": lambda fonts, rng: draw_tide_table(words.tide, fonts, rng),
        "group.png": lambda fonts, rng: draw_group(
            words.photo_caption, words.photo_names, fonts, rng
        ),
        "shells.png": lambda fonts, rng: draw_shells(words.shells, fonts, rng),
        "autopsy-ambrose.png": lambda fonts, rng: draw_autopsy(words.ambrose, fonts, rng),
        "autopsy-maud.png": lambda fonts, rng: draw_autopsy(words.maud, fonts, rng),
        "chat.png": lambda fonts, rng: draw_chat_screen(words.chat, fonts, rng),
        "day-book.png": lambda fonts, rng: draw_checklist(words.book, fonts, rng),
        "controller.png": lambda fonts, rng: draw_printed_log(words.strip, fonts, rng),
        "letter.png": lambda fonts, rng: draw_letter(words.letter, fonts, rng),
        "receipt.png": lambda fonts, rng: burn_away(
            draw_receipt(words.receipt, fonts, rng), slip, 0.36, words.receipt.table, rng
        ),
        "seal-cam.png": lambda fonts, rng: draw_seal_cam(words.camera, stamps, fonts, rng),
        "xray.png": lambda fonts, rng: draw_xray(make_xray_spec(words), fonts, rng),
    }
