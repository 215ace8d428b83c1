"""The pictures of "The Quiet Harvest", with their drawing in each language."""

from collections.abc import Mapping
from random import Random

from PIL import Image

from scripts_mm.drawing.cases import Drawing
from scripts_mm.drawing.cases.quiet_harvest import en, valley_map, zh
from scripts_mm.drawing.cases.quiet_harvest.book_page import draw_book_page
from scripts_mm.drawing.cases.quiet_harvest.capitals import draw_capitals
from scripts_mm.drawing.cases.quiet_harvest.clapper import draw_clapper
from scripts_mm.drawing.cases.quiet_harvest.group import ROWS, draw_tower
from scripts_mm.drawing.cases.quiet_harvest.hut import draw_hut
from scripts_mm.drawing.cases.quiet_harvest.picture_words import QuietHarvestWords
from scripts_mm.drawing.cases.quiet_harvest.recovery import draw_recovery
from scripts_mm.drawing.cases.quiet_harvest.strip import StripSpec, draw_strip
from scripts_mm.drawing.documents.invoice import draw_invoice
from scripts_mm.drawing.documents.letter import draw_letter
from scripts_mm.drawing.documents.report_form import draw_report_form
from scripts_mm.drawing.photos.group_photo import GroupPhotoSpec, draw_group_photo
from scripts_mm.drawing.plans.area_map import AreaMapSpec, draw_area_map
from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.script import Language

WORDS: Mapping[Language, QuietHarvestWords] = {"en": en.WORDS, "zh": zh.WORDS}
"""The words in the pictures, by language."""
SHARES: Mapping[str, float] = {
    "map.png": 0.9,
    "group.png": 0.87,
    "recovery.png": 0.88,
    "clapper.png": 0.9,
    "capitals.png": 0.82,
    "letter.png": 0.84,
    "receipt.png": 0.93,
    "register.png": 0.94,
    "water-book.png": 0.94,
    "report.png": 0.9,
}
"""Scale of the finished pictures relative to the drawn ones."""

TRACE = ((0, 22.4), (60, 21.8), (130, 22.3), (200, 22.0), (216, 20.4), (262, 15.6), (330, 11.4),
         (430, 8.6), (446, 10.4), (480, 11.6))  # fmt: skip
"""Minutes after 22:00 and degrees: the stove begins to fail at 01:20, the door opens at 05:10."""


def make_map_spec(words: QuietHarvestWords) -> AreaMapSpec:
    """Return the map of the valley with the labels of a language."""
    return AreaMapSpec(
        words=words.map,
        notes=words.map_notes,
        spots=valley_map.SPOTS,
        paths=valley_map.PATHS,
        rivers=valley_map.RIVERS,
        lakes=valley_map.LAKES,
        hills=valley_map.HILLS,
        names=valley_map.NAMES,
        bar=((760, 880), 200),
        north=(90, 160),
        notes_at=(60, 916),
        size=(980, 980),
    )


def make_group_spec(words: QuietHarvestWords) -> GroupPhotoSpec:
    """Return the photograph of the Keepers on the eve of the Quiet nine years ago."""
    return GroupPhotoSpec(
        rows=ROWS,
        caption=words.group_caption,
        names=words.group_names,
        text_size=words.group_size,
    )


def make_strip_spec(words: QuietHarvestWords) -> StripSpec:
    """Return the strip of the thermometer from 22:00 to 06:00."""
    title, axis, note = words.strip
    return StripSpec(title=title, axis=axis, note=note, first=22, hours=8, trace=TRACE)


def _shrink(draw: Drawing, share: float) -> Drawing:
    """Return the drawing at `share` of its width, for a smaller file."""

    def draw_small(fonts: Fonts, rng: Random) -> Image.Image:
        image = draw(fonts, rng)
        size = (round(image.size[0] * share), round(image.size[1] * share))
        return image.resize(size, Image.Resampling.LANCZOS)

    return draw_small


def drawings(language: Language) -> Mapping[str, Drawing]:
    """Return the drawing of every picture of the script, by file name."""
    words = WORDS[language]
    full: Mapping[str, Drawing] = {
        "map.png": lambda fonts, rng: draw_area_map(make_map_spec(words), fonts, rng),
        "group.png": lambda fonts, rng: draw_group_photo(
            make_group_spec(words), draw_tower, fonts, rng
        ),
        "recovery.png": lambda fonts, rng: draw_recovery(words.recovery, fonts, rng),
        "hut.png": lambda fonts, rng: draw_hut(words.hut, fonts, rng),
        "strip.png": lambda fonts, rng: draw_strip(make_strip_spec(words), fonts, rng),
        "clapper.png": lambda fonts, rng: draw_clapper(words.clapper, fonts, rng),
        "register.png": lambda fonts, rng: draw_book_page(words.register, fonts, rng),
        "water-book.png": lambda fonts, rng: draw_book_page(words.water_book, fonts, rng),
        "capitals.png": lambda fonts, rng: draw_capitals(words.capitals, fonts, rng),
        "letter.png": lambda fonts, rng: draw_letter(words.letter, fonts, rng),
        "receipt.png": lambda fonts, rng: draw_invoice(words.receipt, fonts, rng),
        "report.png": lambda fonts, rng: draw_report_form(words.report, fonts, rng),
    }
    return {name: _shrink(draw, SHARES.get(name, 1.0)) for name, draw in full.items()}
