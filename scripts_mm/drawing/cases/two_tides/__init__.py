"""The pictures of "Two Tides", with their drawing in each language."""

from collections.abc import Mapping
from random import Random

from PIL import Image

from scripts_mm.drawing.cases import Drawing
from scripts_mm.drawing.cases.picture_data import PictureData
from scripts_mm.drawing.cases.two_tides.burn import burn_away
from scripts_mm.drawing.cases.two_tides.island_map import IslandMapSpec, draw_island_map
from scripts_mm.drawing.documents.autopsy import AutopsySpec, draw_autopsy
from scripts_mm.drawing.documents.letter import LetterSpec, draw_letter
from scripts_mm.drawing.documents.printed_log import PrintedLogSpec, draw_printed_log
from scripts_mm.drawing.documents.receipt import ReceiptSpec, draw_receipt
from scripts_mm.drawing.documents.register_page import RegisterPageSpec, draw_register_page
from scripts_mm.drawing.documents.tide_table import TideTableSpec, draw_tide_table
from scripts_mm.drawing.photos.chat_screen import ChatScreenSpec, draw_chat_screen
from scripts_mm.drawing.photos.xray import XraySpec, draw_xray
from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.script import Language

_BURNT = (0.96, 0.80)
"""Centre of the burnt area of the receipt, in shares of the picture."""


def _draw_burnt_receipt(spec: ReceiptSpec, fonts: Fonts, rng: Random) -> Image.Image:
    return burn_away(draw_receipt(spec, fonts, rng), _BURNT, 0.36, spec.table, rng)


def drawings(language: Language) -> Mapping[str, Drawing]:
    """Return the drawing of every picture of the script, by file name."""
    data = PictureData("two-tides", language)
    return {
        "map.png": data.draw("map", IslandMapSpec, draw_island_map),
        "tide.png": data.draw("tide", TideTableSpec, draw_tide_table),
        "autopsy-ambrose.png": data.draw("autopsy-ambrose", AutopsySpec, draw_autopsy),
        "autopsy-maud.png": data.draw("autopsy-maud", AutopsySpec, draw_autopsy),
        "chat.png": data.draw("chat", ChatScreenSpec, draw_chat_screen),
        "day-book.png": data.draw("day-book", RegisterPageSpec, draw_register_page),
        "controller.png": data.draw("controller", PrintedLogSpec, draw_printed_log),
        "letter.png": data.draw("letter", LetterSpec, draw_letter),
        "receipt.png": data.draw("receipt", ReceiptSpec, _draw_burnt_receipt),
        "xray.png": data.draw("xray", XraySpec, draw_xray),
    }
