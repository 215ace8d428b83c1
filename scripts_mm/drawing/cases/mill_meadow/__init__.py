"""The pictures of "The Deed of Mill Meadow", with their drawing in each language."""

from collections.abc import Mapping

from scripts_mm.drawing.cases import Drawing
from scripts_mm.drawing.cases.mill_meadow.paper_traces import (
    AlmanacSpec,
    PadSpec,
    WatermarkSpec,
    draw_almanac,
    draw_pad,
    draw_watermark,
)
from scripts_mm.drawing.cases.picture_data import PictureData
from scripts_mm.drawing.documents.register_page import RegisterPageSpec, draw_register_page
from scripts_mm.drawing.documents.typescript import TypescriptSpec, draw_typescript
from scripts_mm.script import Language


def drawings(language: Language) -> Mapping[str, Drawing]:
    """Return the drawing of every picture of the script, by file name."""
    data = PictureData("mill-meadow", language)
    deed = data.read("deed", TypescriptSpec)
    watermark = data.read("watermark", WatermarkSpec)
    return {
        "deed.png": lambda fonts, rng: draw_typescript(deed, fonts, rng),
        "watermark.png": lambda fonts, rng: draw_watermark(watermark, deed, fonts, rng),
        "card.png": data.draw("card", TypescriptSpec, draw_typescript),
        "loans.png": data.draw("loans", RegisterPageSpec, draw_register_page),
        "visitors.png": data.draw("visitors", RegisterPageSpec, draw_register_page),
        "pad.png": data.draw("pad", PadSpec, draw_pad),
        "almanac.png": data.draw("almanac", AlmanacSpec, draw_almanac),
    }
