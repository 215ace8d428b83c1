"""The pictures of "Two Tides": which there are, and how each is drawn in each language."""

from collections.abc import Mapping

from scripts_mm.drawing.autopsy import autopsy
from scripts_mm.drawing.cases import Drawing
from scripts_mm.drawing.cases.two_tides import en, zh
from scripts_mm.drawing.cases.two_tides.burnt import burnt
from scripts_mm.drawing.cases.two_tides.island import island
from scripts_mm.drawing.cases.two_tides.photo import photo
from scripts_mm.drawing.cases.two_tides.sealcam import sealcam
from scripts_mm.drawing.cases.two_tides.shells import shells
from scripts_mm.drawing.cases.two_tides.words import Words
from scripts_mm.drawing.chat import chat
from scripts_mm.drawing.checklist import checklist
from scripts_mm.drawing.letter import letter
from scripts_mm.drawing.log import log
from scripts_mm.drawing.receipt import receipt
from scripts_mm.drawing.tide import tide
from scripts_mm.drawing.xray import Foreign, XraySpec, xray
from scripts_mm.script import Language

WORDS: Mapping[Language, Words] = {"en": en.WORDS, "zh": zh.WORDS}
"""What can be read in the pictures."""


def film_of(words: Words) -> XraySpec:
    """Return the film: a right collarbone in two, and a little key on a chain."""
    return XraySpec(
        part="shoulder",
        side="right",
        marker=words.film_marker,
        labels=words.film,
        broken=("clavicle",),
        foreign=(Foreign(metal="key", at=(0.83, 0.42), size=0.15, turn=8),),
    )


def drawings(language: Language) -> Mapping[str, Drawing]:
    """Return every picture of the script by its file name."""
    words = WORDS[language]
    stamps = words.camera_stamps
    slip = (0.96, 0.80)
    return {
        "map.png": lambda fonts, rng: island(words.island, words.island_notes, fonts, rng),
        "tide.png": lambda fonts, rng: tide(words.tide, fonts, rng),
        "group.png": lambda fonts, rng: photo(words.photo_caption, words.photo_names, fonts, rng),
        "shells.png": lambda fonts, rng: shells(words.shells, fonts, rng),
        "autopsy-ambrose.png": lambda fonts, rng: autopsy(words.ambrose, fonts, rng),
        "autopsy-maud.png": lambda fonts, rng: autopsy(words.maud, fonts, rng),
        "chat.png": lambda fonts, rng: chat(words.chat, fonts, rng),
        "day-book.png": lambda fonts, rng: checklist(words.book, fonts, rng),
        "controller.png": lambda fonts, rng: log(words.strip, fonts, rng),
        "letter.png": lambda fonts, rng: letter(words.letter, fonts, rng),
        "receipt.png": lambda fonts, rng: burnt(
            receipt(words.receipt, fonts, rng), slip, 0.36, words.receipt.table, rng
        ),
        "seal-cam.png": lambda fonts, rng: sealcam(words.camera, stamps, fonts, rng),
        "xray.png": lambda fonts, rng: xray(film_of(words), fonts, rng),
    }
