"""The pictures of "The Quiet Harvest", with their drawing in each language."""

from collections.abc import Mapping
from random import Random

from PIL import Image

from scripts_mm.drawing.cases import Drawing
from scripts_mm.drawing.cases.picture_data import PictureData
from scripts_mm.drawing.cases.quiet_harvest.book_page import BookPageSpec, draw_book_page
from scripts_mm.drawing.cases.quiet_harvest.capitals import CapitalsSpec, draw_capitals
from scripts_mm.drawing.cases.quiet_harvest.recovery import RecoverySpec, draw_recovery
from scripts_mm.drawing.cases.quiet_harvest.strip import StripSpec, draw_strip
from scripts_mm.drawing.documents.invoice import InvoiceSpec, draw_invoice
from scripts_mm.drawing.documents.letter import LetterSpec, draw_letter
from scripts_mm.drawing.documents.report_form import ReportFormSpec, draw_report_form
from scripts_mm.drawing.plans.area_map import AreaMapSpec, draw_area_map
from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.script import Language

SHARES: Mapping[str, float] = {
    "map.png": 0.9,
    "recovery.png": 0.88,
    "capitals.png": 0.82,
    "letter.png": 0.84,
    "receipt.png": 0.93,
    "register.png": 0.94,
    "water-book.png": 0.94,
    "report.png": 0.9,
}
"""Scale of the finished pictures relative to the drawn ones."""


def _shrink(draw: Drawing, share: float) -> Drawing:
    """Return the drawing at `share` of its width, for a smaller file."""

    def draw_small(fonts: Fonts, rng: Random) -> Image.Image:
        image = draw(fonts, rng)
        size = (round(image.size[0] * share), round(image.size[1] * share))
        return image.resize(size, Image.Resampling.LANCZOS)

    return draw_small


def drawings(language: Language) -> Mapping[str, Drawing]:
    """Return the drawing of every picture of the script, by file name."""
    data = PictureData("quiet-harvest", language)
    full: Mapping[str, Drawing] = {
        "map.png": data.draw("map", AreaMapSpec, draw_area_map),
        "recovery.png": data.draw("recovery", RecoverySpec, draw_recovery),
        "strip.png": data.draw("strip", StripSpec, draw_strip),
        "register.png": data.draw("register", BookPageSpec, draw_book_page),
        "water-book.png": data.draw("water-book", BookPageSpec, draw_book_page),
        "capitals.png": data.draw("capitals", CapitalsSpec, draw_capitals),
        "letter.png": data.draw("letter", LetterSpec, draw_letter),
        "receipt.png": data.draw("receipt", InvoiceSpec, draw_invoice),
        "report.png": data.draw("report", ReportFormSpec, draw_report_form),
    }
    return {name: _shrink(draw, SHARES.get(name, 1.0)) for name, draw in full.items()}
